// What a rule of a scenario file does. Internal to core/protocol.
#pragma once

#include "protocol/json_text.h"
#include "protocol/placed_value.h"

namespace payonce::protocol {

/// `{"rst":{}}`; where it is wrong the value's error is set and what is returned means nothing.
[[nodiscard]] console::FaultAction readAction(PlacedValue& json);
/// What readAction() reads.
[[nodiscard]] OrderedJson actionJson(const console::FaultAction& action);

} // namespace payonce::protocol
