#include "protocol/json_member.h"
#include "protocol/scenario_json.h"
#include "protocol/scenario_rule.h"

namespace payonce::protocol {

namespace {

template <class... Ts> struct Overloaded : Ts...
{
    using Ts::operator()...;
};
template <class... Ts> Overloaded(Ts...) -> Overloaded<Ts...>;

OrderedJson stepJson(const console::Step& step)
{
    const Overloaded write{
        [](const console::PayStep& pay) {
            return OrderedJson{{"do", "pay"}, {"card", pay.card}};
        },
        [](const console::WaitStep& wait) {
            return OrderedJson{{"do", "wait"}, {"state", wait.state}};
        },
    };
    return std::visit(write, step);
}

OrderedJson expectationJson(const console::Expectation& expect)
{
    auto json = OrderedJson::object();
    json["rules_fired"] = expect.rulesFired;
    if (expect.charges.size() == 1)
        json["charges"] = expect.charges.front();
    else if (!expect.charges.empty())
        json["charges"] = expect.charges;
    if (expect.ordersPaid)
        json["orders_paid"] = *expect.ordersPaid;
    if (expect.mails)
        json["mails"] = *expect.mails;
    if (expect.postsPerAttempt)
        json["posts_per_attempt"] = *expect.postsPerAttempt;
    if (expect.state)
        json["state"] = *expect.state;
    if (expect.verdict)
        json["verdict"] = *expect.verdict;
    return json;
}

} // namespace

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
