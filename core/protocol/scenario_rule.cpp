#include "protocol/scenario_rule.h"

#include "protocol/scenario_action.h"

#include <algorithm>

namespace payonce::protocol {

namespace {

using std::chrono::milliseconds;

constexpr std::int64_t kMostTimes = 1'000'000;
constexpr std::int64_t kMostOffset = 1'000'000'000;

void readPlace(PlacedValue json, console::Rule& rule)
{
    const auto text = json.text();
    const auto place = console::placeIn(text);
    const bool hasCount = text.find('@') != std::string::npos;
    if (!place)
        return json.fail(ScenarioErrorKind::UnknownPoint,
                         "unknown point \"" + text + '"' +
                             (hasCount ? R"(: a part of the reply has a count of bytes, as in "reply.body@7")" : ""));
    rule.point = place->point;
    rule.offset = place->offset.value_or(0);
    if (console::isReplyPart(place->point) && (!place->offset || rule.offset > kMostOffset))
        json.fail(ScenarioErrorKind::UnknownPoint, "\"" + text + R"(" needs a count of bytes, as in "reply.body@7")");
}

console::Match readMatch(PlacedValue json)
{
    json.allowOnly({"op", "nth"});
    console::Match match;
    if (auto operation = json.member("op")) {
        const auto name = operation->text();
        match.operation = console::operationOf(name);
        if (!match.operation)
            operation->fail(ScenarioErrorKind::UnknownOperation, "unknown operation \"" + name + '"');
    }
    if (auto nth = json.member("nth"))
        match.nth = static_cast<int>(nth->integer(1, kMostTimes));
    return match;
}

void readBounds(PlacedValue& json, RuleKind kind, console::Rule& rule)
{
    if (auto times = json.member(kind == RuleKind::Random ? "max" : "times"))
        rule.times = static_cast<int>(times->integer(1, kMostTimes));
    if (auto lasts = json.member("for_ms"))
        rule.lasts = milliseconds(lasts->integer(1, kLargestClockStep.count()));
    if (kind == RuleKind::Plain)
        return;
    auto probability = json.needed("p");
    rule.probability = probability ? probability->number(0, 1) : 0;
}

/// The fault is told of the member that says it.
void refuseImpossible(PlacedValue& json, const console::Rule& rule)
{
    const auto impossible = console::impossibilityOf(rule);
    auto place = json.member("do");
    if (!impossible || !place)
        return;
    if (auto match = json.member("match"); match && impossible->part == console::RulePart::Operation)
        place = match->member("op");
    place->fail(ScenarioErrorKind::WrongPlace, impossible->why);
}

} // namespace

console::Rule readRule(PlacedValue& json, RuleKind kind)
{
    if (kind == RuleKind::Random)
        json.allowOnly({"id", "match", "at", "p", "max", "do", "for_ms"});
    else
        json.allowOnly({"id", "match", "at", "do", "times", "for_ms"});
    console::Rule rule;
    if (auto id = json.needed("id")) {
        rule.id = id->text();
        if (rule.id.empty() || rule.id.size() > kLongestRuleId)
            id->fail(ScenarioErrorKind::OutOfRange,
                     rule.id.empty() ? "empty id" : "id longer than " + std::to_string(kLongestRuleId) + " bytes");
    }
    if (auto match = json.member("match"))
        rule.match = readMatch(*match);
    if (auto at = json.needed("at"))
        readPlace(*at, rule);
    if (auto action = json.needed("do"))
        rule.action = readAction(*action);
    readBounds(json, kind, rule);
    refuseImpossible(json, rule);
    return rule;
}

std::vector<console::Rule> readRules(PlacedValue& json, RuleKind kind, const std::vector<console::Rule>& known)
{
    std::vector<console::Rule> rules;
    const auto isIn = [](const std::vector<console::Rule>& others, const std::string& id) {
        return std::any_of(others.begin(), others.end(), [&](const auto& other) { return other.id == id; });
    };
    for (auto& element : json.elements(kMostRules)) {
        auto rule = readRule(element, kind);
        if (isIn(rules, rule.id) || isIn(known, rule.id))
            element.fail(ScenarioErrorKind::DoubleId, "rule id \"" + rule.id + "\" used twice");
        rules.push_back(std::move(rule));
    }
    return rules;
}

OrderedJson ruleJson(const console::Rule& rule)
{
    auto match = OrderedJson::object();
    if (rule.match.operation)
        match["op"] = std::string(console::nameOf(*rule.match.operation));
    if (rule.match.nth)
        match["nth"] = *rule.match.nth;
    OrderedJson json;
    json["id"] = rule.id;
    json["match"] = std::move(match);
    json["at"] = console::placeOf(rule);
    if (rule.probability)
        json["p"] = *rule.probability;
    if (rule.probability && rule.times)
        json["max"] = *rule.times;
    json["do"] = actionJson(rule.action);
    if (!rule.probability && rule.times)
        json["times"] = *rule.times;
    if (rule.lasts)
        json["for_ms"] = rule.lasts->count();
    return json;
}

} // namespace payonce::protocol
