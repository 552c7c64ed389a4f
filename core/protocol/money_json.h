// Money on the wire: `{"value":4200,"currency":"EUR"}`, minor units as an integer token. Internal to core/protocol.
#pragma once

#include "protocol/json_member.h"
#include "values/money.h"

#include <optional>

namespace payonce::protocol {

[[nodiscard]] OrderedJson moneyJson(const values::Money& money);

/// An amount from `smallest` to values::kLargestAmount; empty for anything else.
[[nodiscard]] std::optional<values::Money> moneyOf(const Json& value, std::int64_t smallest = values::kSmallestAmount);
/// The same of a member; empty if it is absent too.
[[nodiscard]] std::optional<values::Money> moneyMember(const Json& object, std::string_view name,
                                                       std::int64_t smallest = values::kSmallestAmount);

} // namespace payonce::protocol
