// What a scenario file expects. Internal to core/protocol.
#pragma once

#include "console/scenario.h"
#include "protocol/json_text.h"
#include "protocol/placed_value.h"

#include <vector>

namespace payonce::protocol {

/// `rules`: all of the file, for the names in `rules_fired`.
[[nodiscard]] console::Expectation readExpectation(PlacedValue& json, const std::vector<console::Rule>& rules);
[[nodiscard]] OrderedJson expectationJson(const console::Expectation& expect);

} // namespace payonce::protocol
