// Scenarios of one rule, for tests.
#pragma once

#include "console/scenario.h"

#include <utility>

namespace payonce::tests {

inline console::Rule rule(console::Point point, console::FaultAction action, std::optional<int> nth = {},
                          std::optional<int> times = {}, std::int64_t offset = 0)
{
    return {"r1", {console::Operation::Pay, nth}, point, offset, std::move(action), times};
}

inline console::Scenario scenarioOf(std::vector<console::Rule> rules)
{
    console::Scenario scenario;
    scenario.name = "test";
    scenario.rules = std::move(rules);
    return scenario;
}

} // namespace payonce::tests
