// Times: wall time (for people and the wire) and monotonic time (for delays). Pure code never reads a clock.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

namespace payonce::values {

/// Milliseconds since 1970-01-01T00:00:00Z.
using WallTime = std::chrono::sys_time<std::chrono::milliseconds>;

/// A clock that only moves forward; its zero means nothing. Tag type: it has no now() on purpose.
struct MonotonicClock
{
    using duration = std::chrono::microseconds;
    using rep = duration::rep;
    using period = duration::period;
    using time_point = std::chrono::time_point<MonotonicClock>;
    static constexpr bool is_steady = true;
};
using MonotonicTime = MonotonicClock::time_point;

/// Both clocks, read together at the edge of the pure code.
struct Now
{
    WallTime wall;
    MonotonicTime mono;
};

/// RFC 3339 in UTC with milliseconds: `2026-11-30T10:00:00.000Z`.
[[nodiscard]] std::string toRfc3339(WallTime time);

/// Reads an RFC 3339 date-time (`Z` or an offset, optional fraction). Empty on anything else.
[[nodiscard]] std::optional<WallTime> fromRfc3339(std::string_view text);

} // namespace payonce::values
