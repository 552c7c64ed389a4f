// Scenario files: any text is read or refused with its place, and what was read is written so that it reads the same again.
#include "fuzz/fuzz_target.h"
#include "protocol/scenario_json.h"
#include "values/check.h"

void payonce::fuzz::tryOne(std::string_view input)
{
    const auto scenario = protocol::parseScenario(input);
    if (!scenario) {
        CHECK(!scenario.error().detail.empty());
        return;
    }
    CHECK(scenario->rules.size() <= protocol::kMostRules && scenario->steps.size() <= protocol::kMostSteps);
    const auto text = protocol::renderScenario(*scenario);
    const auto again = protocol::parseScenario(text);
    CHECK(again.has_value());
    CHECK(protocol::renderScenario(*again) == text);
}
