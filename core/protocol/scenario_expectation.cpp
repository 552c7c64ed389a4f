#include "protocol/scenario_expectation.h"

#include "console/timeline_marks.h"
#include "console/verdict.h"
#include "protocol/scenario_step.h"

#include <algorithm>
#include <utility>

namespace payonce::protocol {

namespace {

constexpr int kMostCount = 1'000'000;
constexpr std::size_t kMostAlternatives = 10;
constexpr std::size_t kMostMarks = 100;
constexpr std::size_t kLongestKey = 64;

std::string readVerdict(PlacedValue json)
{
    auto name = json.text();
    if (!console::verdictCodeOf(name))
        json.fail(ScenarioErrorKind::OutOfRange, "unknown verdict \"" + name + '"');
    return name;
}

int readCount(PlacedValue json)
{
    return static_cast<int>(json.integer(0, kMostCount));
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

/// As in `card_refused` or `not_started.disk_full`.
std::string readSentence(PlacedValue json)
{
    auto key = json.text();
    if (key.empty() || key.size() > kLongestKey ||
        key.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_.") != std::string::npos)
        json.fail(ScenarioErrorKind::OutOfRange, "not the key of a sentence");
    return key;
}

std::vector<std::string> readTimeline(PlacedValue json)
{
    std::vector<std::string> marks;
    for (auto& element : json.elements(kMostMarks)) {
        auto mark = element.text();
        if (!console::isTimelineMark(mark))
            element.fail(ScenarioErrorKind::OutOfRange, "unknown kind of row \"" + mark + '"');
        marks.push_back(std::move(mark));
    }
    return marks;
}

} // namespace

console::Expectation readExpectation(PlacedValue& json, const std::vector<console::Rule>& rules)
{
    json.allowOnly(
        {"rules_fired", "charges", "orders_paid", "mails", "posts_per_attempt", "state", "sentence", "verdict", "timeline"});
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
        expect.state = readClientState(*state);
    if (auto sentence = json.member("sentence"))
        expect.sentence = readSentence(*sentence);
    if (auto verdict = json.member("verdict"))
        expect.verdict = readVerdict(*verdict);
    if (auto timeline = json.member("timeline"))
        expect.timeline = readTimeline(*timeline);
    return expect;
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
    if (expect.sentence)
        json["sentence"] = *expect.sentence;
    if (expect.verdict)
        json["verdict"] = *expect.verdict;
    if (!expect.timeline.empty())
        json["timeline"] = expect.timeline;
    return json;
}

} // namespace payonce::protocol
