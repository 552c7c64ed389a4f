// Which rule fires: by time, by chance, and by hand.
#include "faults/rule_picker.h"
#include "faults/streams.h"
#include "server_mock/faults/fake_exchange.h"
#include "server_mock/faults/scenarios.h"

#include <QtTest/QTest>

using namespace payonce::console;
using namespace payonce::faults;
using namespace std::chrono_literals;
using payonce::tests::FakeExchange;
using payonce::tests::rule;
using payonce::tests::scenarioOf;

namespace {

Arrival arrivalOf(int nth, const std::string& stream = "cart_1")
{
    Arrival arrival;
    arrival.nth = arrival.drawNth = nth;
    arrival.stream = stream;
    return arrival;
}

Scenario randomScenario(double probability, std::uint64_t seed = 4711)
{
    auto scenario = scenarioOf({});
    scenario.seed = seed;
    scenario.random.push_back(rule(Point::Received, Fin{}));
    scenario.random.back().probability = probability;
    return scenario;
}

/// A payment as its bytes say it.
Arrival payment(const std::string& action, const QByteArray& body, Operation operation = Operation::Pay)
{
    payonce::http::Request request;
    request.body = body;
    Arrival arrival = arrivalOf(1, {});
    arrival.exchange = std::make_shared<FakeExchange>(request);
    arrival.operation = operation;
    arrival.account = "acct_1";
    arrival.actionId = action;
    return arrival;
}

} // namespace

class TestRulePicker : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void ruleThatLasts_endsInItsTime();
    void ruleOfAnotherPoint_isNotEvenLookedFor();
    void ruleOfTheClient_isNeverPickedHere();
    void stale_isAWindowOfLookUps();
    void stale_firesItsReadsAsOftenAsItsTimes();
    void chance_isTheSameInEveryRun();
    void chance_isAsOftenAsItSays();
    void certainty_alwaysFiresAndImpossibilityNever();
    void plainRule_comesBeforeARandomOne();
    void ruleByHand_needsNoScenario();
    void ruleByHand_hasAnIdOfItsOwn();
    void removedRule_isExpectedNoMore();
    void rulesByHand_areBounded();
    void stream_isTheCartOrTheAddressAndFollowsTheAction();
    void requestsWithoutAName_areTheirOrder();

private:
    ArrivalTally m_tally;
};

void TestRulePicker::ruleThatLasts_endsInItsTime()
{
    auto lasting = rule(Point::Received, Fin{});
    lasting.lasts = 50ms;
    RulePicker picker;
    picker.load(scenarioOf({lasting}), 1'000ms);
    QVERIFY(picker.pick(Point::Received, arrivalOf(1), m_tally, 1'049ms) != nullptr);
    QVERIFY(picker.pick(Point::Received, arrivalOf(2), m_tally, 1'050ms) == nullptr);
}

void TestRulePicker::ruleOfAnotherPoint_isNotEvenLookedFor()
{
    RulePicker picker;
    QVERIFY(!picker.watches(Point::Received));
    picker.load(scenarioOf({rule(Point::BankBefore, Fin{})}), 0ms);
    QVERIFY(picker.watches(Point::BankBefore));
    QVERIFY(!picker.watches(Point::Received) && !picker.draws() && !picker.remembers());
    QVERIFY(picker.pick(Point::Received, arrivalOf(1), m_tally, 0ms) == nullptr);
    picker.load({}, 0ms);
    QVERIFY(!picker.watches(Point::BankBefore));
}

void TestRulePicker::ruleOfTheClient_isNeverPickedHere()
{
    RulePicker picker;
    picker.load(scenarioOf({rule(Point::AttemptSaved, Crash{})}), 0ms);
    for (const auto point : kPoints)
        if (!isClientPoint(point))
            QVERIFY(picker.pick(point, arrivalOf(1), m_tally, 0ms) == nullptr);
}

void TestRulePicker::stale_isAWindowOfLookUps()
{
    RulePicker picker;
    picker.load(scenarioOf({rule(Point::ReplyBuilt, Stale{2}, 2)}), 0ms);
    QVERIFY(picker.remembers());
    const std::vector<bool> expected{false, true, true, false};
    for (int nth = 1; nth <= 4; ++nth)
        QCOMPARE(picker.pick(Point::ReplyBuilt, arrivalOf(nth), m_tally, 0ms) != nullptr,
                 bool(expected.at(static_cast<std::size_t>(nth - 1))));
}

void TestRulePicker::stale_firesItsReadsAsOftenAsItsTimes()
{
    QVERIFY(mostHits(rule(Point::ReplyBuilt, Stale{2}, {}, 1)) == 2);
    QVERIFY(mostHits(rule(Point::ReplyBuilt, Fin{}, {}, 3)) == 3);
    QVERIFY(!mostHits(rule(Point::ReplyBuilt, Stale{2})));
}

void TestRulePicker::chance_isTheSameInEveryRun()
{
    const auto strikes = [this](std::uint64_t seed) {
        RulePicker picker;
        picker.load(randomScenario(0.5, seed), 0ms);
        std::vector<bool> hits;
        for (int i = 0; i < 64; ++i)
            hits.push_back(picker.pick(Point::Received, arrivalOf(1, "cart_" + std::to_string(i)), m_tally, 0ms) != nullptr);
        return hits;
    };
    QVERIFY(strikes(1) == strikes(1));
    QVERIFY(strikes(1) != strikes(2));
}

void TestRulePicker::chance_isAsOftenAsItSays()
{
    RulePicker picker;
    picker.load(randomScenario(0.1), 0ms);
    int hits = 0;
    for (int i = 0; i < 10'000; ++i)
        if (picker.pick(Point::Received, arrivalOf(i % 7, "cart_" + std::to_string(i)), m_tally, 0ms) != nullptr)
            ++hits;
    QVERIFY2(hits > 850 && hits < 1'150, qPrintable(QString::number(hits))); // five deviations
}

void TestRulePicker::certainty_alwaysFiresAndImpossibilityNever()
{
    RulePicker picker;
    picker.load(randomScenario(1), 0ms);
    RulePicker never;
    never.load(randomScenario(0), 0ms);
    for (int i = 0; i < 1'000; ++i) {
        const auto arrival = arrivalOf(i, "c");
        QVERIFY(picker.pick(Point::Received, arrival, m_tally, 0ms) != nullptr);
        QVERIFY(never.pick(Point::Received, arrival, m_tally, 0ms) == nullptr);
    }
}

void TestRulePicker::plainRule_comesBeforeARandomOne()
{
    auto scenario = randomScenario(1);
    scenario.rules.push_back(rule(Point::Received, Rst{}, 1));
    scenario.rules.back().id = "plain";
    RulePicker picker;
    picker.load(scenario, 0ms);
    QCOMPARE(picker.pick(Point::Received, arrivalOf(1), m_tally, 0ms)->id, std::string("plain"));
    QCOMPARE(picker.pick(Point::Received, arrivalOf(2), m_tally, 0ms)->id, std::string("r1"));
}

void TestRulePicker::ruleByHand_needsNoScenario()
{
    RulePicker picker;
    QVERIFY(picker.add(rule(Point::Received, Fin{}), 0ms));
    QVERIFY(picker.watches(Point::Received));
    QCOMPARE(picker.scenario()->rules.size(), std::size_t(1));
    auto random = rule(Point::Head, Rst{});
    random.id = "z";
    random.probability = 0.5;
    QVERIFY(picker.add(random, 0ms));
    QCOMPARE(picker.scenario()->random.size(), std::size_t(1));
    QVERIFY(picker.draws());
}

void TestRulePicker::ruleByHand_hasAnIdOfItsOwn()
{
    RulePicker picker;
    picker.load(randomScenario(1), 0ms);
    QVERIFY(!picker.add(rule(Point::Received, Fin{}), 0ms)); // that of the random one
    QVERIFY(!picker.remove("r2"));
    QVERIFY(picker.remove("r1"));
    QVERIFY(picker.add(rule(Point::Received, Fin{}), 0ms));
}

void TestRulePicker::removedRule_isExpectedNoMore()
{
    auto scenario = scenarioOf({rule(Point::Received, Fin{})});
    scenario.expect.rulesFired = {"r1"};
    RulePicker picker;
    picker.load(scenario, 0ms);
    QVERIFY(picker.remove("r1"));
    QVERIFY(picker.scenario()->expect.rulesFired.empty());
    QVERIFY(!picker.watches(Point::Received));
}

void TestRulePicker::rulesByHand_areBounded()
{
    RulePicker picker;
    auto next = rule(Point::Received, Fin{});
    for (std::size_t i = 0; i < kMostRulesHeld; ++i) {
        next.id = std::to_string(i);
        QVERIFY(picker.add(next, 0ms));
    }
    next.id = "one more";
    QVERIFY(!picker.add(next, 0ms));
}

void TestRulePicker::stream_isTheCartOrTheAddressAndFollowsTheAction()
{
    Streams streams;
    auto paid = payment("a", R"({"cart_id":"cart_7","email":"a@example.com"})");
    streams.name(paid);
    QCOMPARE(paid.stream, std::string("cart_7"));
    auto signedUp = payment("b", R"({"email":"b@example.com","name":"B"})", Operation::SignUp);
    streams.name(signedUp);
    QCOMPARE(signedUp.stream, std::string("b@example.com"));
    auto look = payment("a", {}, Operation::Status);
    look.nth = 3;
    streams.name(look);
    QCOMPARE(look.stream, std::string("cart_7"));
    QCOMPARE(look.drawNth, 3);
    streams.forget();
    auto later = payment("a", {}, Operation::Status);
    streams.name(later);
    QVERIFY(later.stream.empty());
}

void TestRulePicker::requestsWithoutAName_areTheirOrder()
{
    Streams streams;
    // Each is the first of its action: what tells them apart is how many came before.
    for (int i = 1; i <= 3; ++i) {
        auto look = payment("action-" + std::to_string(i), "no JSON", Operation::Status);
        streams.name(look);
        QCOMPARE(look.drawNth, i);
    }
    // Without an action nth says so already.
    auto card = payment({}, R"({"card":{}})", Operation::Tokenise);
    card.nth = 9;
    streams.name(card);
    QCOMPARE(card.drawNth, 9);
}

QTEST_GUILESS_MAIN(TestRulePicker)
#include "tst_rule_picker.moc"
