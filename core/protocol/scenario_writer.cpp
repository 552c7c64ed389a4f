#include "protocol/scenario_expectation.h"
#include "protocol/scenario_json.h"
#include "protocol/scenario_rule.h"
#include "protocol/scenario_step.h"

namespace payonce::protocol {

std::string renderScenario(const console::Scenario& scenario)
{
    constexpr int kIndent = 2;
    OrderedJson json;
    json["schema"] = kScenarioSchema;
    json["name"] = scenario.name;
    json["about"] = scenario.about;
    json["seed"] = scenario.seed;
    json["steps"] = OrderedJson::array();
    for (const auto& step : scenario.steps)
        json["steps"].push_back(stepJson(step));
    json["rules"] = OrderedJson::array();
    for (const auto& rule : scenario.rules)
        json["rules"].push_back(ruleJson(rule));
    if (!scenario.random.empty())
        json["random"] = OrderedJson::array();
    for (const auto& rule : scenario.random)
        json["random"].push_back(ruleJson(rule));
    json["expect"] = expectationJson(scenario.expect);
    return json.dump(kIndent, ' ', false, OrderedJson::error_handler_t::replace) + '\n';
}

std::string renderRule(const console::Rule& rule)
{
    return ruleJson(rule).dump(-1, ' ', false, OrderedJson::error_handler_t::replace);
}

} // namespace payonce::protocol
