// One rule of a scenario file. Internal to core/protocol.
#pragma once

#include "protocol/placed_value.h"

namespace payonce::protocol {

/// A rule; where it is wrong the value's error is set and what is returned means nothing.
[[nodiscard]] console::Rule readRule(PlacedValue& json);
/// `bank.committed`, `reply.body@7`.
[[nodiscard]] std::string placeText(const console::Rule& rule);

} // namespace payonce::protocol
