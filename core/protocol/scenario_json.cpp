#include "protocol/scenario_json.h"

#include "console/verdict.h"
#include "protocol/json_member.h"
#include "protocol/scenario_rule.h"
#include "retry/action.h"

#include <algorithm>
#include <array>
#include <functional>

namespace payonce::protocol {

namespace {

using retry::State;

constexpr std::array kStates = {State::Editing,    State::Saving,        State::NotStarted, State::Sending,
                                State::Confirming, State::ServerWorking, State::RetryWait,  State::Offline,
                                State::Paid,       State::Declined,      State::Cancelled,  State::Unresolved};
constexpr int kMostCount = 1'000'000;
constexpr std::size_t kMostAlternatives = 10;

std::string readState(PlacedValue json)
{
    auto name = json.text();
    if (std::none_of(kStates.begin(), kStates.end(), [&](State state) { return name == retry::nameOf(state); }))
        json.fail(ScenarioErrorKind::OutOfRange, "unknown state \"" + name + '"');
    return name;
}

std::string readVerdict(PlacedValue json)
{
    auto name = json.text();
    if (std::none_of(console::kVerdictCodes.begin(), console::kVerdictCodes.end(),
                     [&](auto code) { return name == console::codeOf(code); }))
        json.fail(ScenarioErrorKind::OutOfRange, "unknown verdict \"" + name + '"');
    return name;
}

int readCount(PlacedValue json)
{
    return static_cast<int>(json.integer(0, kMostCount));
}

console::Step readPay(PlacedValue json)
{
    constexpr std::size_t kShortestNumber = 12;
    constexpr std::size_t kLongestNumber = 19;
    json.allowOnly({"do", "card"});
    auto card = json.needed("card");
    if (!card)
        return {};
    auto number = card->text();
    if (number.size() < kShortestNumber || number.size() > kLongestNumber ||
        number.find_first_not_of("0123456789") != std::string::npos)
        card->fail(ScenarioErrorKind::OutOfRange, "not a card number of 12 to 19 digits");
    return console::PayStep{std::move(number)};
}

console::Step readStep(PlacedValue json)
{
    auto verb = json.needed("do");
    const auto name = verb ? verb->text() : std::string();
    if (name == "pay")
        return readPay(json);
    if (name == "wait") {
        json.allowOnly({"do", "state"});
        auto state = json.needed("state");
        return console::WaitStep{state ? readState(*state) : std::string()};
    }
    if (verb)
        verb->fail(ScenarioErrorKind::UnknownStep, "unknown step \"" + name + '"');
    return {};
}

std::vector<std::string> readFired(PlacedValue json, const std::vector<console::Rule>& rules)
{
    std::vector<std::string> ids;
    for (auto& element : json.elements(2 * kMostRules)) {
        auto id = element.text();
        if (std::none_of(rules.begin(), rules.end(), [&](const auto& rule) { return rule.id == id; }))
            element.fail(ScenarioErrorKind::OutOfRange, "no rule has the id \"" + id + '"');
        ids.push_back(std::move(id));
    }
    return ids;
}

std::vector<int> readCharges(PlacedValue json)
{
    if (!json.isArray())
        return {readCount(json)};
    std::vector<int> charges;
    for (const auto& element : json.elements(kMostAlternatives))
        charges.push_back(readCount(element));
    if (charges.empty())
        json.fail(ScenarioErrorKind::OutOfRange, "no count at all");
    return charges;
}

console::Expectation readExpectation(PlacedValue json, const std::vector<console::Rule>& rules)
{
    json.allowOnly({"rules_fired", "charges", "orders_paid", "mails", "posts_per_attempt", "state", "verdict"});
    console::Expectation expect;
    if (auto fired = json.member("rules_fired"))
        expect.rulesFired = readFired(*fired, rules);
    if (auto charges = json.member("charges"))
        expect.charges = readCharges(*charges);
    if (auto orders = json.member("orders_paid"))
        expect.ordersPaid = readCount(*orders);
    if (auto mails = json.member("mails"))
        expect.mails = readCount(*mails);
    if (auto posts = json.member("posts_per_attempt"))
        expect.postsPerAttempt = readCount(*posts);
    if (auto state = json.member("state"))
        expect.state = readState(*state);
    if (auto verdict = json.member("verdict"))
        expect.verdict = readVerdict(*verdict);
    return expect;
}

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
        for (const auto& element : steps->elements(kMostSteps))
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
