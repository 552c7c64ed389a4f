// The two ISO 8601 durations of GET /v1/policy: whole days `P30D` and whole seconds `PT15S`. Internal to core/protocol.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

namespace payonce::protocol {

[[nodiscard]] std::string daysText(std::chrono::days days);
[[nodiscard]] std::string secondsText(std::chrono::seconds seconds);
[[nodiscard]] std::optional<std::chrono::days> daysOf(std::string_view text);
[[nodiscard]] std::optional<std::chrono::seconds> secondsOf(std::string_view text);

} // namespace payonce::protocol
