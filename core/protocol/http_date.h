// HTTP dates and Retry-After (RFC 9110, 5.6.7 and 10.2.3).
#pragma once

#include "values/time.h"

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

namespace payonce::protocol {

/// IMF-fixdate: `Mon, 30 Nov 2026 10:00:00 GMT`. Fractions of a second are dropped.
[[nodiscard]] std::string toHttpDate(values::WallTime time);
/// All three forms of RFC 9110 (IMF-fixdate, RFC 850, asctime). `now` decides the century of the RFC 850 form.
[[nodiscard]] std::optional<values::WallTime> fromHttpDate(std::string_view text, values::WallTime now);

/// Seconds, or a date made a delay from `now` (the server's clock: its `Date` where there is one). Never negative; a
/// number too large to mean anything becomes kLongestRetryAfter. Empty if it is neither.
inline constexpr std::chrono::seconds kLongestRetryAfter{std::chrono::hours(24) * 365};
[[nodiscard]] std::optional<std::chrono::milliseconds> parseRetryAfter(std::string_view text, values::WallTime now);

} // namespace payonce::protocol
