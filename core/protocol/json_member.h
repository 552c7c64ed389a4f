// Small helpers between JSON values and members. Internal to core/protocol.
#pragma once

#include "protocol/json_text.h"
#include "protocol/strict_json.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace payonce::protocol {

/// The member, or null if `object` is no object or has none of that name.
[[nodiscard]] const Json* memberOf(const Json& object, std::string_view name);
/// Empty if it is absent or of another type. An integer is an integer token: `1.0` and `1e2` are none.
[[nodiscard]] std::optional<std::string> textMember(const Json& object, std::string_view name);
[[nodiscard]] std::optional<std::int64_t> integerMember(const Json& object, std::string_view name);
[[nodiscard]] std::optional<int> intMember(const Json& object, std::string_view name);
[[nodiscard]] std::optional<bool> boolMember(const Json& object, std::string_view name);

/// Empty unless `value` is an integer token that fits.
[[nodiscard]] std::optional<std::int64_t> integerOf(const Json& value);

} // namespace payonce::protocol
