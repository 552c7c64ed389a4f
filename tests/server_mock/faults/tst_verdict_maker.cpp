// The verdict from ledgers and arrivals, and when it holds.
#include "faults/verdict_maker.h"

#include <QtTest/QTest>

#include <functional>

using namespace payonce::faults;
using payonce::console::Expectation;
using payonce::console::Operation;
using payonce::console::Scenario;
using payonce::console::VerdictCode;

Q_DECLARE_METATYPE(payonce::console::Expectation)

namespace {

const auto kEuro = *payonce::values::Currency::fromCode("EUR");

LedgerView chargedOnce()
{
    LedgerView ledger;
    ledger.charges.push_back({"ch_1", "a", {4200, kEuro}, "approved", "2026-11-30T10:00:00.000Z"});
    ledger.orders.push_back({"ord_1", "1001", "a", "cart_1", {4200, kEuro}, "paid", "2026-11-30T10:00:00.000Z"});
    ledger.records.push_back({"a", "succeeded"});
    return ledger;
}

void arrive(ArrivalTally& tally, const std::string& action, Operation operation, const std::string& attempt = "")
{
    ArrivalRow row;
    row.account = "acct_1";
    row.actionId = action;
    row.operation = operation;
    row.attempt = attempt;
    tally.count(row);
}

/// Two attempts, one probe, rule r1 fired once.
ArrivalTally lostReply()
{
    ArrivalTally tally;
    arrive(tally, "", Operation::Policy);
    arrive(tally, "a", Operation::Pay, "1");
    arrive(tally, "a", Operation::Status, "1");
    arrive(tally, "a", Operation::Pay, "2");
    ArrivalRow hit;
    hit.point = payonce::console::Point::BankCommitted;
    hit.rule = "r1";
    tally.count(hit);
    return tally;
}

Scenario expecting(const Expectation& expect)
{
    Scenario scenario;
    scenario.rules.emplace_back().id = "r1";
    scenario.random.emplace_back().id = "r2";
    scenario.expect = expect;
    return scenario;
}

} // namespace

class TestVerdictMaker : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void facts_areCountedFromLedgersAndArrivals();
    void ledger_decidesTheCode_data();
    void ledger_decidesTheCode();
    void discrepancy_decidesTheCode();
    void orderFinishedByStaff_standsDespiteTheDiscrepancy();
    void whatIsKnownOfTheClient_isTheLeastTotal();
    void declinedCharge_isNoCharge();
    void sameIdOfTwoAccounts_isTwoActions();
    void twoAccountsInFlight_areNotChargedTwice();
    void whoOnlyAsks_isNoOwner_data();
    void whoOnlyAsks_isNoOwner();
    void orderThatStaffFinished_isChargedOnce();
    void cutLedger_isNeverSaidToHold();
    void requestWithNobodysToken_countsForTheActionItNames();
    void total_isTheWorst();
    void expectation_isHeldAgainstTheFacts_data();
    void expectation_isHeldAgainstTheFacts();
    void resentAttempt_breaksPostsPerAttempt();
    void attemptsWithoutNumber_areNotHeldAgainstTheClient();
    void quietCounts_goFirst();
};

void TestVerdictMaker::facts_areCountedFromLedgersAndArrivals()
{
    const auto report = makeVerdict(chargedOnce(), lostReply(), {});
    QCOMPARE(report.actions.size(), std::size_t(1));
    const auto& facts = report.actions.front().facts;
    QCOMPARE(facts.actionId, std::string("a"));
    QCOMPARE(facts.charges, 1);
    QVERIFY(facts.orderPaid);
    QVERIFY(!facts.recordOpen);
    QCOMPARE(facts.posts, 2);
    QCOMPARE(facts.attempts, 2);
    QCOMPARE(facts.probes, 1);
    const std::vector<std::string> evidence{"ch_1", "ord_1"};
    QCOMPARE(facts.evidence, evidence);
    QCOMPARE(report.code, VerdictCode::ChargedOnce);
    QVERIFY(report.holds());
    QVERIFY(report.rules.empty());
}

void TestVerdictMaker::ledger_decidesTheCode_data()
{
    QTest::addColumn<int>("charges");
    QTest::addColumn<QByteArray>("order");
    QTest::addColumn<QByteArray>("record");
    QTest::addColumn<int>("code");
    QTest::addColumn<bool>("holds");
    const auto row = [](const char* name, int charges, const char* order, const char* record, VerdictCode code, bool holds) {
        QTest::newRow(name) << charges << QByteArray(order) << QByteArray(record) << static_cast<int>(code) << holds;
    };
    row("charged once", 1, "paid", "succeeded", VerdictCode::ChargedOnce, true);
    row("declined", 0, "closed", "failed", VerdictCode::NotCharged, true);
    row("in progress", 0, "open", "in_progress", VerdictCode::UnknownBeingChecked, false);
    row("unknown", 1, "open", "unknown", VerdictCode::UnknownBeingChecked, false);
    row("order open", 1, "open", "succeeded", VerdictCode::ChargedOrderOpen, false);
    row("charged, order closed", 1, "closed", "abandoned", VerdictCode::ChargedOrderCancelled, false);
    row("charged twice", 2, "paid", "succeeded", VerdictCode::ChargedTwice, false);
}

void TestVerdictMaker::ledger_decidesTheCode()
{
    QFETCH(int, charges);
    QFETCH(QByteArray, order);
    QFETCH(QByteArray, record);
    QFETCH(int, code);
    QFETCH(bool, holds);
    auto ledger = chargedOnce();
    ledger.charges.resize(static_cast<std::size_t>(charges), ledger.charges.front());
    ledger.orders.front().status = order.toStdString();
    ledger.records.front().state = record.toStdString();
    const auto report = makeVerdict(ledger, lostReply(), {});
    QCOMPARE(static_cast<int>(report.code), code);
    QCOMPARE(report.holds(), holds);
}

void TestVerdictMaker::discrepancy_decidesTheCode()
{
    auto ledger = chargedOnce();
    ledger.records.front().hasDiscrepancy = true;
    const auto report = makeVerdict(ledger, lostReply(), {});
    QCOMPARE(report.code, VerdictCode::ChargedOrderCancelled);
    QVERIFY(!report.holds());
}

// The record ended as abandoned and stays so; the charge has its order now.
void TestVerdictMaker::orderFinishedByStaff_standsDespiteTheDiscrepancy()
{
    auto ledger = chargedOnce();
    ledger.records.front() = {.actionId = "a", .state = "abandoned", .hasDiscrepancy = true};
    const auto finished = makeVerdict(ledger, lostReply(), {});
    QCOMPARE(finished.code, VerdictCode::ChargedOnce);
    QVERIFY(finished.holds());
    // Staff had to look at it, which does not make it theirs; a charge that no record has settled is still the customer's.
    auto looked = lostReply();
    ArrivalRow look;
    look.account = "support";
    look.actionId = "a";
    look.operation = Operation::Support;
    looked.count(look);
    ledger.orders.front().account = ledger.records.front().account = "acct_1";
    QCOMPARE(makeVerdict(ledger, looked, {}).code, VerdictCode::ChargedOnce);
    // Before the deed, and where the bank contradicts an order that was paid by itself, somebody must still look.
    ledger.orders.front().status = "closed";
    QCOMPARE(makeVerdict(ledger, lostReply(), {}).code, VerdictCode::ChargedOrderCancelled);
    ledger.orders.front().status = "paid";
    ledger.records.front().state = "succeeded";
    QCOMPARE(makeVerdict(ledger, lostReply(), {}).code, VerdictCode::ChargedOrderCancelled);
}

void TestVerdictMaker::whatIsKnownOfTheClient_isTheLeastTotal()
{
    Expectation expect;
    expect.verdict = "charged_once";
    const auto report = makeVerdict(chargedOnce(), lostReply(), expecting(expect), VerdictCode::GaveUpThoughCharged);
    QCOMPARE(report.code, VerdictCode::GaveUpThoughCharged);
    QVERIFY(!report.holds());
    QCOMPARE(report.actions.front().code, VerdictCode::ChargedOnce);
    QCOMPARE(makeVerdict(chargedOnce(), lostReply(), {}, VerdictCode::NotCharged).code, VerdictCode::ChargedOnce);
}

// Two accounts that use one key, each charged once, are nobody charged twice.
void TestVerdictMaker::sameIdOfTwoAccounts_isTwoActions()
{
    LedgerView ledger = chargedOnce();
    ledger.orders.front().account = "acct_1";
    ledger.records.front() = {"a", "succeeded", "acct_1", "ch_1"};
    ledger.charges.push_back({"ch_2", "a", {1500, kEuro}, "approved", "2026-11-30T10:00:01.000Z"});
    ledger.orders.push_back({"ord_2", "1002", "a", "c", {1500, kEuro}, "paid", "2026-11-30T10:00:01.000Z", "acct_2"});
    ledger.records.push_back({"a", "succeeded", "acct_2", "ch_2"});

    const auto report = makeVerdict(ledger, lostReply(), {});

    QCOMPARE(report.code, VerdictCode::ChargedOnce);
    QCOMPARE(report.actions.size(), std::size_t(2));
    QCOMPARE(report.actions.front().facts.posts, 2);
    QCOMPARE(report.actions.back().facts.posts, 0);
    // Two charges of one account are two, however the ledger came to them.
    ledger.records.back() = {"a", "succeeded", "acct_1", "ch_2"};
    QCOMPARE(makeVerdict(ledger, lostReply(), {}).code, VerdictCode::ChargedTwice);
}

// Both charges are committed, and the shop has settled neither: the bank keys tell whose they are.
void TestVerdictMaker::twoAccountsInFlight_areNotChargedTwice()
{
    LedgerView ledger;
    for (const std::string number : {"1", "2"}) {
        const std::string account = "acct_" + number;
        const std::string at = "2026-11-30T10:00:00.000Z";
        ledger.charges.push_back({"ch_" + number, "a", {4200, kEuro}, "approved", at, "key_" + number});
        ledger.orders.push_back({"ord_" + number, "100" + number, "a", "c", {4200, kEuro}, "open", at, account});
        ledger.records.push_back({"a", "in_progress", account, "", false, "key_" + number});
    }
    const auto report = makeVerdict(ledger, {}, {});
    QCOMPARE(report.code, VerdictCode::UnknownBeingChecked);
    for (const auto& action : report.actions)
        QCOMPARE(action.facts.charges, 1);
}

void TestVerdictMaker::whoOnlyAsks_isNoOwner_data()
{
    QTest::addColumn<QByteArray>("account");
    QTest::addColumn<int>("operation");
    QTest::newRow("support") << QByteArray("support") << static_cast<int>(Operation::Support);
    QTest::newRow("another account's question") << QByteArray("acct_2") << static_cast<int>(Operation::Status);
    QTest::newRow("another account's refused payment") << QByteArray("acct_2") << static_cast<int>(Operation::Pay);
}

void TestVerdictMaker::whoOnlyAsks_isNoOwner()
{
    QFETCH(QByteArray, account);
    QFETCH(int, operation);
    auto ledger = chargedOnce();
    ledger.orders.front().account = ledger.records.front().account = "acct_1";
    auto tally = lostReply();
    ArrivalRow row;
    row.account = account.toStdString();
    row.actionId = "a";
    row.operation = static_cast<Operation>(operation);
    tally.count(row);
    QCOMPARE(makeVerdict(ledger, tally, {}).code, VerdictCode::ChargedOnce);
    // Nor while the shop has not settled it yet.
    ledger.records.front().state = "in_progress";
    ledger.orders.front().status = "open";
    const auto report = makeVerdict(ledger, tally, {});
    QCOMPARE(report.code, VerdictCode::UnknownBeingChecked);
    QCOMPARE(report.actions.front().facts.charges, 1);
}

// The record ended as cancelled and knows no charge; the order does, since staff finished it.
void TestVerdictMaker::orderThatStaffFinished_isChargedOnce()
{
    auto ledger = chargedOnce();
    ledger.orders.front().account = "acct_1";
    ledger.orders.front().chargeId = "ch_1";
    ledger.records.front() = {"a", "abandoned", "acct_1", ""};
    ledger.records.push_back({"a", "succeeded", "acct_2", "ch_2"}); // another account uses the same ID
    const auto report = makeVerdict(ledger, lostReply(), {});
    QCOMPARE(report.actions.front().code, VerdictCode::ChargedOnce);
    QCOMPARE(report.actions.front().facts.charges, 1);
    QCOMPARE(report.actions.back().code, VerdictCode::NotCharged);
}

void TestVerdictMaker::cutLedger_isNeverSaidToHold()
{
    auto ledger = chargedOnce();
    ledger.isCut = true;
    for (const auto& scenario : {std::optional<Scenario>(), std::optional(expecting({}))}) {
        const auto report = makeVerdict(ledger, lostReply(), scenario);
        QVERIFY(!report.isComplete && !report.holds());
        QVERIFY(report.unmet.back().find("newest 1 actions") != std::string::npos);
    }
    QVERIFY(makeVerdict(chargedOnce(), lostReply(), {}).isComplete);
}

void TestVerdictMaker::requestWithNobodysToken_countsForTheActionItNames()
{
    ArrivalTally tally = lostReply();
    ArrivalRow stranger;
    stranger.actionId = "a";
    stranger.operation = Operation::Pay;
    tally.count(stranger);
    const auto report = makeVerdict(chargedOnce(), tally, {});
    QCOMPARE(report.actions.size(), std::size_t(1));
    QCOMPARE(report.actions.front().facts.posts, 3);
}

void TestVerdictMaker::declinedCharge_isNoCharge()
{
    auto ledger = chargedOnce();
    ledger.charges.front().status = "declined";
    ledger.charges.front().id.clear();
    ledger.orders.clear();
    const auto report = makeVerdict(ledger, {}, {});
    QCOMPARE(report.code, VerdictCode::NotCharged);
    QVERIFY(report.actions.front().facts.evidence.empty());
}

void TestVerdictMaker::total_isTheWorst()
{
    auto ledger = chargedOnce();
    ledger.records.push_back({"b", "unknown"});
    const auto report = makeVerdict(ledger, {}, {});
    QCOMPARE(report.actions.size(), std::size_t(2));
    QCOMPARE(report.code, VerdictCode::UnknownBeingChecked);
}

void TestVerdictMaker::expectation_isHeldAgainstTheFacts_data()
{
    QTest::addColumn<Expectation>("expect");
    QTest::addColumn<bool>("holds");
    const auto row = [](const char* name, bool holds, const std::function<void(Expectation&)>& set) {
        Expectation expect;
        set(expect);
        QTest::newRow(name) << expect << holds;
    };
    row("nothing", true, [](Expectation&) {});
    row("rule fired", true, [](Expectation& e) { e.rulesFired = {"r1"}; });
    row("random rule not fired", false, [](Expectation& e) { e.rulesFired = {"r1", "r2"}; });
    row("charges", true, [](Expectation& e) { e.charges = {1}; });
    row("either count of charges", true, [](Expectation& e) { e.charges = {0, 1}; });
    row("other charges", false, [](Expectation& e) { e.charges = {0, 2}; });
    row("orders paid", true, [](Expectation& e) { e.ordersPaid = 1; });
    row("other orders paid", false, [](Expectation& e) { e.ordersPaid = 0; });
    row("mails", true, [](Expectation& e) { e.mails = 2; });
    row("other mails", false, [](Expectation& e) { e.mails = 1; });
    row("posts per attempt", true, [](Expectation& e) { e.postsPerAttempt = 1; });
    row("other posts per attempt", false, [](Expectation& e) { e.postsPerAttempt = 2; });
    row("verdict", true, [](Expectation& e) { e.verdict = "charged_once"; });
    row("other verdict", false, [](Expectation& e) { e.verdict = "not_charged"; });
    row("the client's state is not ours to see", true, [](Expectation& e) { e.state = "Declined"; });
}

void TestVerdictMaker::expectation_isHeldAgainstTheFacts()
{
    QFETCH(Expectation, expect);
    QFETCH(bool, holds);
    auto ledger = chargedOnce();
    ledger.mails.push_back({"receipt", "a@example.com", "a", "ord_1", "2026-11-30T10:00:02.000Z"});
    ledger.mailsWaiting = 1; // it will leave, so it counts
    const auto report = makeVerdict(ledger, lostReply(), expecting(expect));
    QCOMPARE(report.holds(), holds);
    const std::vector<payonce::protocol::RuleHits> hits{{"r1", 1}, {"r2", 0}};
    QCOMPARE(report.rules, hits);
}

void TestVerdictMaker::resentAttempt_breaksPostsPerAttempt()
{
    auto tally = lostReply();
    arrive(tally, "a", Operation::Pay, "2");
    Expectation expect;
    expect.postsPerAttempt = 1;
    QVERIFY(!makeVerdict(chargedOnce(), tally, expecting(expect)).holds());
}

void TestVerdictMaker::attemptsWithoutNumber_areNotHeldAgainstTheClient()
{
    ArrivalTally tally;
    arrive(tally, "a", Operation::Pay);
    arrive(tally, "a", Operation::Pay);
    Scenario scenario;
    scenario.expect.postsPerAttempt = 1;
    const auto report = makeVerdict(chargedOnce(), tally, scenario);
    QVERIFY(report.holds());
    QCOMPARE(report.actions.front().facts.posts, 2);
    QCOMPARE(report.actions.front().facts.attempts, 0);
}

void TestVerdictMaker::quietCounts_goFirst()
{
    ArrivalTally tally;
    ArrivalRow row;
    for (std::size_t i = 0; i <= kMostCounted; ++i) {
        row.seq = static_cast<std::int64_t>(i);
        row.actionId = std::to_string(i);
        tally.count(row);
    }
    QVERIFY(tally.counts().size() <= kMostCounted / 2 + 1);
    QVERIFY(tally.counts().contains({"", std::to_string(kMostCounted), Operation::Pay}));
    QVERIFY(!tally.counts().contains({"", "0", Operation::Pay}));
    // Attempt numbers of one action are bounded too
    for (std::size_t i = 0; i < 2 * kMostAttempts; ++i) {
        row.attempt = std::to_string(i);
        tally.count(row);
    }
    QCOMPARE(tally.counts().at({"", row.actionId, Operation::Pay}).attempts.size(), kMostAttempts);
}

QTEST_GUILESS_MAIN(TestVerdictMaker)
#include "tst_verdict_maker.moc"
