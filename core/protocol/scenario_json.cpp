#include "protocol/scenario_json.h"

#include "protocol/placed_value.h"
#include "protocol/scenario_expectation.h"
#include "protocol/scenario_rule.h"
#include "protocol/scenario_step.h"

#include <functional>

namespace payonce::protocol {

namespace {

/// Lower-case words and digits joined by single dashes; also the file's name.
bool isKebabCase(const std::string& name)
{
    constexpr std::size_t kLongest = 64;
    return !name.empty() && name.size() <= kLongest && name.front() != '-' && name.back() != '-' &&
           name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-") == std::string::npos &&
           name.find("--") == std::string::npos;
}

tl::unexpected<ScenarioError> refused(ScenarioErrorKind kind, const JsonPlace& place, std::string detail)
{
    return values::Failure(ScenarioError{kind, place, std::move(detail)});
}

console::Scenario readScenario(PlacedValue json)
{
    constexpr std::int64_t kNewestSchema = 1'000'000;            // that could be one at all
    constexpr std::int64_t kLargestSeed = 9'007'199'254'740'992; // 2^53: every integer up to here is exact in JSON
    // First of all: a newer version may have members that this one does not know.
    if (auto schema = json.member("schema"); schema && schema->integer(1, kNewestSchema) > kScenarioSchema)
        schema->fail(ScenarioErrorKind::NewerVersion, "written by a newer version");
    json.allowOnly({"schema", "name", "about", "seed", "steps", "rules", "random", "expect"});
    console::Scenario scenario;
    static_cast<void>(json.needed("schema"));
    if (auto name = json.needed("name")) {
        scenario.name = name->text();
        if (!isKebabCase(scenario.name))
            name->fail(ScenarioErrorKind::OutOfRange, "not a name of lower-case words joined by dashes");
    }
    if (auto about = json.member("about"))
        scenario.about = about->text();
    if (auto seed = json.member("seed"))
        scenario.seed = static_cast<std::uint64_t>(seed->integer(0, kLargestSeed));
    if (auto steps = json.member("steps"))
        for (auto& element : steps->elements(kMostSteps))
            scenario.steps.push_back(readStep(element));
    if (auto rules = json.member("rules"))
        scenario.rules = readRules(*rules, RuleKind::Plain, {});
    if (auto random = json.member("random"))
        scenario.random = readRules(*random, RuleKind::Random, scenario.rules);
    auto every = scenario.rules;
    every.insert(every.end(), scenario.random.begin(), scenario.random.end());
    if (auto expect = json.member("expect"))
        scenario.expect = readExpectation(*expect, every);
    return scenario;
}

template <class Value>
values::Result<Value, ScenarioError> parseWith(std::string_view text, const std::function<Value(PlacedValue)>& read)
{
    std::optional<ScenarioError> error;
    if (text.size() > kLongestScenario)
        return refused(ScenarioErrorKind::TooLong, {}, "longer than " + std::to_string(kLongestScenario) + " bytes");
    const auto document = parseStrictWithPlaces(text);
    if (!document)
        return refused(ScenarioErrorKind::NotJson, document.error().place, wordsOf(document.error()));
    auto value = read(PlacedValue(*document, error));
    if (error)
        return values::Failure(*error);
    return value;
}

} // namespace

values::Result<console::Scenario, ScenarioError> parseScenario(std::string_view text)
{
    return parseWith<console::Scenario>(text, readScenario);
}

values::Result<console::Rule, ScenarioError> parseRule(std::string_view text)
{
    return parseWith<console::Rule>(text, [](PlacedValue json) {
        const auto kind = json.member("p") ? RuleKind::Random : RuleKind::Plain;
        return readRule(json, kind);
    });
}

} // namespace payonce::protocol
