#include "idempotency/ledger_rules.h"

#include "core/idempotency/ledger_samples.h"

#include <QtTest/QTest>

using namespace payonce;
using namespace payonce::idempotency;
using namespace payonce::samples;
using namespace std::chrono_literals;
using values::RecordState;

Q_DECLARE_METATYPE(payonce::values::RecordState)
Q_DECLARE_METATYPE(payonce::idempotency::BankState)
Q_DECLARE_METATYPE(payonce::idempotency::ReconcileStep)

namespace {

ClaimFacts openDoors()
{
    ClaimFacts facts;
    facts.paymentMethodKnown = true;
    facts.nextFence = 8;
    facts.nextOrderNumber = "1042";
    return facts;
}

/// One line that says all of a decision that a table wants to compare.
std::string words(const ClaimDecision& decision)
{
    struct Words
    {
        std::string operator()(const Execute&) const { return "execute"; }
        std::string operator()(const WriteTombstone& it) const { return std::string("tombstone ") + nameOf(*it.record.reason); }
        std::string operator()(const AnswerFrom& it) const { return std::string("answer ") + values::nameOf(it.record.state); }
        std::string operator()(const Mismatch&) const { return "mismatch"; }
        std::string operator()(const RefuseClaim& it) const { return "refuse " + std::string(ruleOf(it.code).name); }
    };
    return std::visit(Words{}, decision);
}

} // namespace

class TestLedgerRules : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void absentKey_isDecidedByTheRulesInOrder_data();
    void absentKey_isDecidedByTheRulesInOrder();
    void claim_carriesItsNamesLeaseAndFence();
    void tombstone_namesTheHolderAndKeepsTheFingerprint();
    void recordFound_answersBeforeEveryRuleThatCanChange_data();
    void recordFound_answersBeforeEveryRuleThatCanChange();
    void bankRow_settlesByTheTable_data();
    void bankRow_settlesByTheTable();
    void reconciler_stepsByTheTable_data();
    void reconciler_stepsByTheTable();
    void abandon_isDecidedByTheTable_data();
    void abandon_isDecidedByTheTable();
    void onlyTheNewestOwner_mayWrite();
    void silentBank_isAskedLessAndLessOften();
    void takeOver_waitsForLeaseAndPlan_data();
    void takeOver_waitsForLeaseAndPlan();
    void takenOverRecord_isUnknownUnderTheNewFence();
};

void TestLedgerRules::absentKey_isDecidedByTheRulesInOrder_data()
{
    QTest::addColumn<qint64>("validForMs");
    QTest::addColumn<bool>("cardKnown");
    QTest::addColumn<qint64>("cartTotal"); // 0: the shop does not know the cart
    QTest::addColumn<bool>("cartHeld");
    QTest::addColumn<int>("openRecords");
    QTest::addColumn<QByteArray>("decision");
    constexpr qint64 kDay = 86'400'000;

    QTest::newRow("all is well") << 1000LL << true << 4200LL << false << 0 << QByteArray("execute");
    QTest::newRow("the caller's own cart") << 1000LL << true << 0LL << false << 0 << QByteArray("execute");
    QTest::newRow("valid for one millisecond") << 1LL << true << 0LL << false << 0 << QByteArray("execute");
    QTest::newRow("valid until now") << 0LL << true << 0LL << false << 0 << QByteArray("tombstone expired");
    QTest::newRow("long past") << -kDay << true << 0LL << false << 0 << QByteArray("tombstone expired");
    QTest::newRow("exactly 24 h ahead") << kDay << true << 0LL << false << 0 << QByteArray("execute");
    QTest::newRow("more than 24 h ahead") << kDay + 1 << true << 0LL << false << 0 << QByteArray("refuse body-invalid");
    QTest::newRow("card unknown") << 1000LL << false << 0LL << false << 0 << QByteArray("refuse body-invalid");
    QTest::newRow("cart costs more") << 1000LL << true << 4201LL << false << 0 << QByteArray("refuse amount-mismatch");
    QTest::newRow("cart held") << 1000LL << true << 4200LL << true << 0 << QByteArray("tombstone cart-taken");
    QTest::newRow("one below the bound") << 1000LL << true << 0LL << false << 999 << QByteArray("execute");
    QTest::newRow("too many open") << 1000LL << true << 0LL << false << 1000 << QByteArray("refuse rate-limited");
    QTest::newRow("expired wins over all") << 0LL << false << 4201LL << true << 1000 << QByteArray("tombstone expired");
    QTest::newRow("card wins over cart") << 1000LL << false << 4201LL << true << 1000 << QByteArray("refuse body-invalid");
    QTest::newRow("amount wins over holder")
        << 1000LL << true << 4201LL << true << 1000 << QByteArray("refuse amount-mismatch");
    QTest::newRow("holder wins over bound") << 1000LL << true << 4200LL << true << 1000 << QByteArray("tombstone cart-taken");
}

void TestLedgerRules::absentKey_isDecidedByTheRulesInOrder()
{
    QFETCH(const qint64, validForMs);
    QFETCH(const bool, cardKnown);
    QFETCH(const qint64, cartTotal);
    QFETCH(const bool, cartHeld);
    QFETCH(const int, openRecords);
    QFETCH(const QByteArray, decision);

    ClaimRequest asked = request(1);
    asked.terms.validUntil = kNow + std::chrono::milliseconds(validForMs);
    ClaimFacts facts = openDoors();
    facts.paymentMethodKnown = cardKnown;
    facts.openRecords = openRecords;
    if (cartTotal != 0)
        facts.cartTotal = euros(cartTotal);
    if (cartHeld)
        facts.cartHolder = actionId(9);
    QCOMPARE(words(decideClaim(asked, facts, stamp(1), {})), decision.toStdString());
}

void TestLedgerRules::claim_carriesItsNamesLeaseAndFence()
{
    const auto decision = decideClaim(request(1), openDoors(), stamp(1), {});
    const KeyRecord& claimed = std::get<Execute>(decision).record;
    QCOMPARE(claimed.account, std::string(kAccount));
    QCOMPARE(claimed.id, actionId(1));
    QCOMPARE(claimed.fingerprint, std::optional(fingerprint(1)));
    QCOMPARE(claimed.terms, std::optional(request(1).terms));
    QCOMPARE(claimed.state, RecordState::InProgress);
    QCOMPARE(claimed.owner, std::string(kServer));
    QCOMPARE(claimed.fence, 8);
    QCOMPARE(claimed.leaseUntil, kNow + 15s);
    QCOMPARE(claimed.bankKey, std::optional(bankKey(1)));
    QCOMPARE(claimed.firstSeen, kNow);
    QVERIFY(!claimed.settledAt && !claimed.answer && !claimed.reason);
    QCOMPARE(claimed.paymentId, std::string("pay_1"));
    QCOMPARE(claimed.orderId, std::string("ord_1"));
    QCOMPARE(claimed.orderNumber, std::string("1042"));
}

void TestLedgerRules::tombstone_namesTheHolderAndKeepsTheFingerprint()
{
    ClaimFacts facts = openDoors();
    facts.cartHolder = actionId(9);
    const auto decision = decideClaim(request(1), facts, stamp(1), {});
    const KeyRecord& written = std::get<WriteTombstone>(decision).record;
    QCOMPARE(written.state, RecordState::Abandoned);
    QCOMPARE(written.heldBy, actionId(9).toString());
    QCOMPARE(written.fingerprint, std::optional(fingerprint(1)));
    QCOMPARE(written.settledAt, std::optional(kNow));
    QVERIFY(!written.bankKey);
    QVERIFY(written.orderId.empty() && written.paymentId.empty());
}

void TestLedgerRules::recordFound_answersBeforeEveryRuleThatCanChange_data()
{
    QTest::addColumn<RecordState>("state");
    QTest::addColumn<bool>("sameBody");
    QTest::addColumn<bool>("hasFingerprint");
    QTest::addColumn<QByteArray>("decision");
    for (const auto state :
         {RecordState::InProgress, RecordState::Unknown, RecordState::Succeeded, RecordState::Failed, RecordState::Abandoned}) {
        const char* name = values::nameOf(state);
        QTest::addRow("%s, same body", name) << state << true << true << QByteArray("answer ").append(name);
        QTest::addRow("%s, other body", name) << state << false << true << QByteArray("mismatch");
    }
    QTest::newRow("fence before the first POST") << RecordState::Abandoned << false << false << QByteArray("answer abandoned");
}

void TestLedgerRules::recordFound_answersBeforeEveryRuleThatCanChange()
{
    QFETCH(const RecordState, state);
    QFETCH(const bool, sameBody);
    QFETCH(const bool, hasFingerprint);
    QFETCH(const QByteArray, decision);

    // Every rule that can change would refuse: past its time, card and amount wrong, cart held, too many open.
    ClaimRequest asked = request(1);
    asked.terms.validUntil = kNow - 1h;
    asked.fingerprint = fingerprint(sameBody ? 1 : 2);
    ClaimFacts facts;
    facts.record = record(1, state);
    if (!hasFingerprint)
        facts.record->fingerprint.reset();
    facts.cartHolder = actionId(9);
    facts.cartTotal = euros(1);
    facts.openRecords = 1'000'000;
    QCOMPARE(words(decideClaim(asked, facts, stamp(2), {})), decision.toStdString());
}

void TestLedgerRules::bankRow_settlesByTheTable_data()
{
    QTest::addColumn<RecordState>("before");
    QTest::addColumn<BankState>("bank");
    QTest::addColumn<QByteArray>("after"); // empty: nothing is settled
    for (const auto open : {RecordState::InProgress, RecordState::Unknown}) {
        const char* name = values::nameOf(open);
        QTest::addRow("%s, approved", name) << open << BankState::Approved << QByteArray("succeeded");
        QTest::addRow("%s, declined", name) << open << BankState::Declined << QByteArray("failed");
        QTest::addRow("%s, fenced", name) << open << BankState::Fenced << QByteArray("abandoned");
        QTest::addRow("%s, running", name) << open << BankState::Running << QByteArray();
        QTest::addRow("%s, never seen", name) << open << BankState::NeverSeen << QByteArray();
    }
    for (const auto ended : {RecordState::Succeeded, RecordState::Failed, RecordState::Abandoned})
        for (const auto bank : {BankState::Approved, BankState::Declined, BankState::Fenced})
            QTest::addRow("%s never changes, %d", values::nameOf(ended), static_cast<int>(bank))
                << ended << bank << QByteArray();
}

void TestLedgerRules::bankRow_settlesByTheTable()
{
    QFETCH(const RecordState, before);
    QFETCH(const BankState, bank);
    QFETCH(const QByteArray, after);

    const auto result = settled(record(1, before), {bank, "ch_1", "expired_card"}, kNow + 1s);
    QCOMPARE(result.has_value(), !after.isEmpty());
    if (!result)
        return;
    QCOMPARE(QByteArray(values::nameOf(result->state)), after);
    QCOMPARE(result->settledAt, std::optional(kNow + 1s));
    QCOMPARE(result->chargeId, std::string(bank == BankState::Approved ? "ch_1" : ""));
    QCOMPARE(result->declineCode, std::string(bank == BankState::Declined ? "expired_card" : ""));
    QCOMPARE(result->reason, bank == BankState::Fenced ? std::optional(AbandonReason::Expired) : std::nullopt);
    QCOMPARE(result->bankKey, record(1).bankKey);
    QVERIFY(!result->answer);
    KeyRecord wishing = record(1, before);
    wishing.cancelRequested = true;
    const auto cancelled = settled(wishing, {bank, "ch_1", "expired_card"}, kNow + 1s);
    QCOMPARE(cancelled->state, result->state);
    QCOMPARE(cancelled->reason, bank == BankState::Fenced ? std::optional(AbandonReason::Cancelled) : std::nullopt);
}

void TestLedgerRules::reconciler_stepsByTheTable_data()
{
    QTest::addColumn<BankState>("bank");
    QTest::addColumn<qint64>("validForMs");
    QTest::addColumn<bool>("wish");
    QTest::addColumn<ReconcileStep>("step");
    for (const bool wish : {false, true}) {
        for (const qint64 validFor : {1LL, 0LL}) {
            const auto row = [&](const char* name, BankState bank, ReconcileStep step) {
                QTest::addRow("%s, %lld ms left%s", name, validFor, wish ? ", to be cancelled" : "")
                    << bank << validFor << wish << step;
            };
            row("approved", BankState::Approved, ReconcileStep::Settle);
            row("declined", BankState::Declined, ReconcileStep::Settle);
            row("fenced", BankState::Fenced, ReconcileStep::Settle);
            row("running", BankState::Running, ReconcileStep::AskLater);
        }
    }
    QTest::newRow("never seen, still valid") << BankState::NeverSeen << 1LL << false << ReconcileStep::Charge;
    QTest::newRow("never seen, just past") << BankState::NeverSeen << 0LL << false << ReconcileStep::Fence;
    QTest::newRow("never seen, to be cancelled") << BankState::NeverSeen << 1LL << true << ReconcileStep::Fence;
    QTest::newRow("never seen, past and to be cancelled") << BankState::NeverSeen << 0LL << true << ReconcileStep::Fence;
}

void TestLedgerRules::reconciler_stepsByTheTable()
{
    QFETCH(const BankState, bank);
    QFETCH(const qint64, validForMs);
    QFETCH(const bool, wish);
    QFETCH(const ReconcileStep, step);
    KeyRecord open = record(1, RecordState::Unknown);
    open.cancelRequested = wish;
    open.terms->validUntil = kNow + std::chrono::milliseconds(validForMs);
    QCOMPARE(nextStep(open, {bank, {}, {}}, kNow), step);
}

void TestLedgerRules::abandon_isDecidedByTheTable_data()
{
    QTest::addColumn<QByteArray>("state"); // empty: absent
    QTest::addColumn<QByteArray>("decision");
    QTest::newRow("absent") << QByteArray() << QByteArray("tombstone");
    QTest::newRow("in progress") << QByteArray("in_progress") << QByteArray("fence");
    QTest::newRow("unknown") << QByteArray("unknown") << QByteArray("fence");
    for (const char* terminal : {"succeeded", "failed", "abandoned"})
        QTest::newRow(terminal) << QByteArray(terminal) << QByteArray("answer");
}

void TestLedgerRules::abandon_isDecidedByTheTable()
{
    QFETCH(const QByteArray, state);
    QFETCH(const QByteArray, decision);
    LedgerNumbers numbers; // the account has written as many tombstones as it may: only a new one is refused
    numbers.tombstonesMost = state.isEmpty() ? 1001 : 1000;
    std::optional<KeyRecord> known;
    if (!state.isEmpty())
        known = record(1, values::recordStateOf(state.toStdString()).value());
    const auto decided = decideAbandon({kAccount, actionId(1)}, {known, {}, 1000, {}}, {kNextRun, kNow}, numbers);
    const auto* const fence = std::get_if<FenceAtBank>(&decided);
    const QByteArray word = fence != nullptr                              ? QByteArray("fence")
                            : std::holds_alternative<AnswerFrom>(decided) ? QByteArray("answer")
                                                                          : QByteArray("tombstone");
    QCOMPARE(word, decision);
    if (fence != nullptr)
        known->cancelRequested = true;
    if (fence != nullptr)
        QCOMPARE(fence->record, *known);
}

void TestLedgerRules::onlyTheNewestOwner_mayWrite()
{
    KeyRecord open = record(1);
    open.fence = 5;
    QVERIFY(mayWrite(open, kServer, 5));
    QVERIFY(!mayWrite(open, kServer, 4));
    QVERIFY(!mayWrite(open, kServer, 6));
    QVERIFY(!mayWrite(open, kNextRun, 5));
    open.state = RecordState::Unknown;
    QVERIFY(mayWrite(open, kServer, 5));
    for (const auto ended : {RecordState::Succeeded, RecordState::Failed, RecordState::Abandoned}) {
        open.state = ended;
        QVERIFY(!mayWrite(open, kServer, 5));
    }
}

void TestLedgerRules::silentBank_isAskedLessAndLessOften()
{
    const KeyRecord open = record(1, RecordState::Unknown);
    AskPlan plan;
    for (const auto wait : {1s, 2s, 4s, 8s, 16s, 32s, 60s, 60s}) {
        plan = planAfterTakeOver(open, plan, kServer, kNow, {});
        QCOMPARE(plan.nextAt, kNow + wait);
    }
    plan.asked = 1'000'000;
    QCOMPARE(planAfterTakeOver(open, plan, kServer, kNow, {}).nextAt, kNow + 60s);
    QCOMPARE(planAfterTakeOver(open, plan, kNextRun, kNow, {}), (AskPlan{1, kNow + 1s}));
    // Another server goes on where the one before it stopped: together they ask a silent bank no oftener than one.
    QCOMPARE(planAfterTakeOver(open, plan, kOtherServer, kNow, {}).nextAt, kNow + 60s);
}

void TestLedgerRules::takeOver_waitsForLeaseAndPlan_data()
{
    QTest::addColumn<RecordState>("state");
    QTest::addColumn<QString>("by");
    QTest::addColumn<qint64>("leaseLeftMs");
    QTest::addColumn<qint64>("planAheadMs");
    QTest::addColumn<bool>("taken");
    const QString own = QString::fromLatin1(kServer);
    const QString again = QString::fromLatin1(kNextRun);
    const QString other = QString::fromLatin1(kOtherServer);
    QTest::newRow("own, at work") << RecordState::InProgress << own << 1LL << 0LL << false;
    QTest::newRow("own, lease lapsed") << RecordState::InProgress << own << 0LL << 0LL << true;
    QTest::newRow("own, unknown") << RecordState::Unknown << own << 1LL << 0LL << true;
    QTest::newRow("own, asked and silent") << RecordState::Unknown << own << 0LL << 1LL << false;
    QTest::newRow("own, planned by a clock set back") << RecordState::Unknown << own << 0LL << 60'001LL << true;
    QTest::newRow("earlier life, at work") << RecordState::InProgress << again << 9000LL << 0LL << true;
    QTest::newRow("earlier life, planned") << RecordState::Unknown << again << 9000LL << 9000LL << true;
    QTest::newRow("earlier life, succeeded") << RecordState::Succeeded << again << 0LL << 0LL << false;
    QTest::newRow("another server's, at work") << RecordState::InProgress << other << 1LL << 0LL << false;
    QTest::newRow("another server's, unknown") << RecordState::Unknown << other << 1LL << 0LL << false;
    QTest::newRow("another server's, lease lapsed") << RecordState::InProgress << other << 0LL << 0LL << true;
    QTest::newRow("another server's, asked and silent") << RecordState::Unknown << other << 0LL << 1LL << false;
    QTest::newRow("another server's, claimed by a clock a little ahead")
        << RecordState::InProgress << other << 15'100LL << 0LL << false;
    QTest::newRow("another server's, claimed by a clock set back")
        << RecordState::InProgress << other << 3'600'000LL << 0LL << true;
    QTest::newRow("own, failed") << RecordState::Failed << own << 0LL << 0LL << false;
    QTest::newRow("own, abandoned") << RecordState::Abandoned << own << 0LL << 0LL << false;
}

void TestLedgerRules::takeOver_waitsForLeaseAndPlan()
{
    QFETCH(const RecordState, state);
    QFETCH(const QString, by);
    QFETCH(const qint64, leaseLeftMs);
    QFETCH(const qint64, planAheadMs);
    QFETCH(const bool, taken);
    KeyRecord found = record(1, state);
    found.leaseUntil = kNow + std::chrono::milliseconds(leaseLeftMs);
    const AskPlan plan{1, kNow + std::chrono::milliseconds(planAheadMs)};
    QCOMPARE(mayTakeOver(found, plan, by.toStdString(), kNow, {}), taken);
}

void TestLedgerRules::takenOverRecord_isUnknownUnderTheNewFence()
{
    const KeyRecord before = record(1);
    const KeyRecord after = takenOver(before, kNextRun, 12, kNow + 1s, {});
    QCOMPARE(after.state, RecordState::Unknown);
    QCOMPARE(after.owner, std::string(kNextRun));
    QCOMPARE(after.fence, 12);
    QCOMPARE(after.leaseUntil, kNow + 16s);
    QCOMPARE(after.bankKey, before.bankKey);
    QVERIFY(!mayWrite(after, before.owner, before.fence));
}

QTEST_GUILESS_MAIN(TestLedgerRules)
#include "tst_ledger_rules.moc"
