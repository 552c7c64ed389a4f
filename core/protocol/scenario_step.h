// The steps of a scenario file. Internal to core/protocol.
#pragma once

#include "console/step.h"
#include "protocol/json_text.h"
#include "protocol/placed_value.h"

namespace payonce::protocol {

inline constexpr std::size_t kLongestStepText = 16'384; ///< of a body to post

[[nodiscard]] console::Step readStep(PlacedValue& json);
[[nodiscard]] OrderedJson stepJson(const console::Step& step);

/// The name of a state of the client; anything else is an error.
[[nodiscard]] std::string readClientState(PlacedValue& json);

} // namespace payonce::protocol
