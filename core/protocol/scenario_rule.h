// One rule of a scenario file. Internal to core/protocol.
#pragma once

#include "protocol/json_text.h"
#include "protocol/placed_value.h"

namespace payonce::protocol {

/// Plain: always fires where it fits. Random: whether it fires is drawn.
enum class RuleKind { Plain, Random };

/// A rule; where it is wrong the value's error is set and what is returned means nothing.
[[nodiscard]] console::Rule readRule(PlacedValue& json, RuleKind kind);
/// All of `rules` or `random`, each under an id that is not in `known` either.
[[nodiscard]] std::vector<console::Rule> readRules(PlacedValue& json, RuleKind kind, const std::vector<console::Rule>& known);
[[nodiscard]] OrderedJson ruleJson(const console::Rule& rule);

} // namespace payonce::protocol
