#include "core/idempotency/ledger_abandons.h"

#include "core/idempotency/ledger_samples.h"

#include <QtTest/QTest>

using namespace payonce::idempotency;
using namespace payonce::samples;
using namespace std::chrono_literals;
using payonce::values::RecordState;

Q_DECLARE_METATYPE(payonce::values::RecordState)

namespace payonce::tests {

namespace {

const BankRow kRunning{BankState::Running, {}, {}};
const BankRow kNeverSeen{BankState::NeverSeen, {}, {}};

} // namespace

// An abandon without a tombstone ends in a false Cancelled.
void LedgerAbandons::abandonedBeforeItCame_isRefusedForEverWhateverItsBody()
{
    const auto decision = abandon(1);
    const KeyRecord tombstone = std::get<WriteTombstone>(decision).record;
    QCOMPARE(tombstone.state, RecordState::Abandoned);
    QCOMPARE(tombstone.reason, std::optional(AbandonReason::Cancelled));
    QVERIFY(!tombstone.fingerprint && !tombstone.bankKey && !tombstone.terms);
    bench().crash();
    QCOMPARE(found(1), std::optional(tombstone));

    for (const std::uint8_t body : std::initializer_list<std::uint8_t>{1, 2}) {
        ClaimRequest late = request(1);
        late.fingerprint = fingerprint(body);
        QCOMPARE(std::get<AnswerFrom>(claim(late, stamp(body))).record, tombstone);
    }
    QCOMPARE(std::get<AnswerFrom>(abandon(1)).record, tombstone);
    QVERIFY(bench().orders().empty());
    QCOMPARE(claimed(2).state, RecordState::InProgress); // it never held the cart
}

void LedgerAbandons::openRecord_isNotAbandonedWithoutTheBanksFence_data()
{
    QTest::addColumn<bool>("wasUnknown");
    QTest::newRow("in progress") << false;
    QTest::newRow("unknown") << true;
}

// Abandoned without the bank's fence ends in abandoned, yet charged.
void LedgerAbandons::openRecord_isNotAbandonedWithoutTheBanksFence()
{
    QFETCH(const bool, wasUnknown);
    KeyRecord record = claimed(1);
    if (wasUnknown)
        record = markUnknown(ownershipOf(record));

    const KeyRecord wishing = std::get<FenceAtBank>(abandon(1)).record;

    record.cancelRequested = true;
    QCOMPARE(wishing, record); // owner, fence, lease and bank key as they were: the worker may still settle
    QCOMPARE(found(1), std::optional(record));
    QCOMPARE(bench().orders().front().status, OrderStatus::Open);
}

void LedgerAbandons::wishToCancel_isNeverCleared()
{
    const KeyRecord record = claimed(1);
    abandon(1);
    bench().crash();
    QVERIFY(markUnknown(ownershipOf(record)).cancelRequested);
    const KeyRecord taken = takeOver(kNextRun, kNow).front();
    QVERIFY(taken.cancelRequested);
    QVERIFY(std::get<FenceAtBank>(abandon(1)).record.cancelRequested);
    QVERIFY(std::get<AnswerFrom>(claim(request(1), stamp(2))).record.cancelRequested);
    QVERIFY(settle(ownershipOf(taken), approved()).cancelRequested);
}

void LedgerAbandons::fencedAfterTheWish_isCancelled_data()
{
    QTest::addColumn<bool>("byTheWorker");
    QTest::newRow("told to the abandon") << false;
    QTest::newRow("told to the worker") << true;
}

// A worker that the bank tells "fenced" settles to abandoned, never to a decline.
void LedgerAbandons::fencedAfterTheWish_isCancelled()
{
    QFETCH(const bool, byTheWorker);
    const KeyRecord record = claimed(1);
    abandon(1);
    const KeyRecord ended = byTheWorker ? settle(ownershipOf(record), fenced()) : takeOverAndSettle(1, kServer, fenced());
    QCOMPARE(ended.state, RecordState::Abandoned);
    QCOMPARE(ended.reason, std::optional(AbandonReason::Cancelled));
    QVERIFY(!ended.answer);
    QCOMPARE(found(1), std::optional(ended));
    QCOMPARE(bench().orders().front().status, OrderStatus::Closed);
    QCOMPARE(claimed(2).state, RecordState::InProgress); // the cart is free again
}

void LedgerAbandons::chargedBeforeTheFence_isSettledAsCharged()
{
    claimed(1);
    abandon(1);
    const KeyRecord ended = takeOverAndSettle(1, kServer, approved());
    QCOMPARE(ended.state, RecordState::Succeeded);
    QCOMPARE(ended.chargeId, std::string("ch_1"));
    QCOMPARE(ended.answer, std::optional(renderAnswer(ended)));
    QCOMPARE(found(1), std::optional(ended));
    QCOMPARE(bench().orders().front().status, OrderStatus::Paid);
    QCOMPARE(std::get<AnswerFrom>(abandon(1)).record, ended);
}

void LedgerAbandons::firstToHearTheBank_takesTheRecordOver()
{
    const KeyRecord worker = claimed(1);
    abandon(1);
    const KeyRecord ended = takeOverAndSettle(1, kNextRun, approved());
    QCOMPARE(ended.owner, std::string(kNextRun));
    QVERIFY(ended.fence > worker.fence);
    QCOMPARE(ended.bankKey, worker.bankKey);

    QCOMPARE(settle(ownershipOf(worker), declined()), ended);
    QCOMPARE(markUnknown(ownershipOf(worker)), ended);
    QCOMPARE(takeOverAndSettle(1, kServer, fenced()), ended);
    QCOMPARE(found(1), std::optional(ended));
    QVERIFY(claimed(2, "cart-b").fence > ended.fence);
}

void LedgerAbandons::silentBankRow_takesNothingOver()
{
    claimed(1);
    abandon(1);
    const auto before = found(1);
    QCOMPARE(takeOverAndSettle(1, kNextRun, kRunning), *before);
    QCOMPARE(takeOverAndSettle(1, kNextRun, kNeverSeen), *before);
    QCOMPARE(found(1), before);
}

void LedgerAbandons::terminalRecord_answersAsItStands_data()
{
    QTest::addColumn<RecordState>("state");
    for (const auto state : {RecordState::Succeeded, RecordState::Failed, RecordState::Abandoned})
        QTest::addRow("%s", values::nameOf(state)) << state;
}

void LedgerAbandons::terminalRecord_answersAsItStands()
{
    QFETCH(const RecordState, state);
    const KeyRecord record = claimed(1);
    settle(ownershipOf(record), state == RecordState::Succeeded ? approved()
                                : state == RecordState::Failed  ? declined()
                                                                : fenced());
    const auto before = found(1);
    QCOMPARE(before->state, state);
    QCOMPARE(std::get<AnswerFrom>(abandon(1)).record, *before);
    QCOMPARE(found(1), before);
    QVERIFY(!before->cancelRequested);
}

// An abandon under another account is no word about this one.
void LedgerAbandons::abandonOfAnotherAccount_leavesTheRecordAlone()
{
    const KeyRecord mine = claimed(1);
    const auto theirs = abandon(1, kOther);
    QCOMPARE(std::get<WriteTombstone>(theirs).record.account, std::string(kOther));
    QCOMPARE(found(1), std::optional(mine));
    QVERIFY(settle(ownershipOf(mine), approved()).state == RecordState::Succeeded);
}

void LedgerAbandons::abandonThatWasNotCommitted_isNotKept()
{
    const KeyRecord record = claimed(1);
    orFail(store().beginBatch());
    valueOrFail(store().abandon({kAccount, actionId(1)}, {kServer, kNow}));
    valueOrFail(store().takeOverAndSettle({kAccount, actionId(1)}, {kServer, kNow}, fenced()));
    valueOrFail(store().abandon({kAccount, actionId(2)}, {kServer, kNow}));
    bench().crash();
    QCOMPARE(found(1), std::optional(record));
    QVERIFY(!found(2));
}

void LedgerAbandons::unknownRecord_cannotBeTakenOver()
{
    orFail(store().beginBatch());
    QVERIFY(!store().takeOverAndSettle({kAccount, actionId(1)}, {kServer, kNow}, approved()));
    orFail(store().commitBatch());
    QVERIFY(!found(1));
}

} // namespace payonce::tests
