#include "core/idempotency/ledger_once.h"

#include "core/idempotency/ledger_samples.h"

#include <QtTest/QTest>

using namespace payonce::idempotency;
using namespace payonce::samples;
using namespace std::chrono_literals;
using payonce::values::RecordState;

Q_DECLARE_METATYPE(payonce::values::RecordState)

namespace payonce::tests {

void LedgerOnce::onceClaim_runsItsWorkOnceThenAnswersFromTheRecord()
{
    const StoredAnswer answer{201, std::string("{\"bytes\":\"\0\xff\"}", 14)};
    const KeyRecord first = std::get<RunOnce>(claimOnce(onceRequest(1), kNow, answer)).record;
    QCOMPARE(first.answer, std::optional(answer));
    bench().crash();
    QCOMPARE(found(1), std::optional(first));
    // Also long after its valid_until: a record answers before every rule that can change.
    QCOMPARE(std::get<AnswerFrom>(claimOnce(onceRequest(1), kNow + 48h, {500, "other"})).record, first);
    QCOMPARE(runs(), 1);
}

void LedgerOnce::onceRecord_isTerminalAndHasNoBankKey_data()
{
    QTest::addColumn<int>("kind");
    QTest::addColumn<int>("status");
    QTest::addColumn<RecordState>("state");
    QTest::newRow("sign-up") << static_cast<int>(RecordKind::Account) << 201 << RecordState::Succeeded;
    QTest::newRow("support") << static_cast<int>(RecordKind::Support) << 200 << RecordState::Succeeded;
    QTest::newRow("remembered refusal") << static_cast<int>(RecordKind::Support) << 402 << RecordState::Failed;
}

void LedgerOnce::onceRecord_isTerminalAndHasNoBankKey()
{
    QFETCH(const int, kind);
    QFETCH(const int, status);
    QFETCH(const RecordState, state);
    OnceRequest asked = onceRequest(1);
    asked.kind = static_cast<RecordKind>(kind);
    claimOnce(asked, kNow, {status, "{}"});
    const KeyRecord record = found(1).value();
    QCOMPARE(record.kind, asked.kind);
    QCOMPARE(record.state, state);
    QCOMPARE(record.settledAt, std::optional(kNow));
    QVERIFY(!record.bankKey && !record.terms && record.orderId.empty());
}

void LedgerOnce::refusalOfTheWork_isNotRemembered()
{
    orFail(store().beginBatch());
    const auto work = [](const KeyRecord&) -> values::Result<OnceOutcome, StoreError> {
        return RefuseClaim{ProblemCode::Forbidden, "not now"};
    };
    const auto decision = valueOrFail(store().claimOnce(onceRequest(1), {kServer, kNow}, work));
    orFail(store().commitBatch());
    QCOMPARE(std::get<RefuseClaim>(decision).detail, std::string("not now"));
    QVERIFY(!found(1));
    QVERIFY(std::holds_alternative<RunOnce>(claimOnce(onceRequest(1))));
}

void LedgerOnce::failureOfTheWork_isNotRemembered()
{
    orFail(store().beginBatch());
    const auto work = [](const KeyRecord&) -> values::Result<OnceOutcome, StoreError> {
        return values::Failure(StoreError::DiskFull);
    };
    const auto failed = store().claimOnce(onceRequest(1), {kServer, kNow}, work);
    orFail(store().commitBatch());
    QCOMPARE(failed.error(), StoreError::DiskFull);
    QVERIFY(!found(1));
    QVERIFY(std::holds_alternative<RunOnce>(claimOnce(onceRequest(1))));
}

void LedgerOnce::crashAmidTheWork_keepsNothing()
{
    orFail(store().beginBatch());
    const auto work = [](const KeyRecord&) -> values::Result<OnceOutcome, StoreError> { return StoredAnswer{201, "{}"}; };
    valueOrFail(store().claimOnce(onceRequest(1), {kServer, kNow}, work));
    bench().crash();
    QVERIFY(!found(1));
    QVERIFY(std::holds_alternative<RunOnce>(claimOnce(onceRequest(1))));
}

// The key is bound to its kind: elsewhere it is a mismatch, never a second execution.
void LedgerOnce::otherContentOrKind_isAMismatchEitherWay()
{
    claimOnce(onceRequest(1));
    OnceRequest other = onceRequest(1);
    other.fingerprint = fingerprint(9);
    QVERIFY(std::holds_alternative<Mismatch>(claimOnce(other)));
    QVERIFY(std::holds_alternative<Mismatch>(claim(request(1), stamp(1))));

    const KeyRecord payment = claimed(2);
    QVERIFY(std::holds_alternative<Mismatch>(claimOnce(onceRequest(2))));
    settle(ownershipOf(payment), approved());
    QVERIFY(std::holds_alternative<Mismatch>(claimOnce(onceRequest(2))));
    QCOMPARE(runs(), 1);
    QCOMPARE(bench().orders().size(), std::size_t{1});
}

void LedgerOnce::keyAbandonedBefore_neverRuns()
{
    orFail(store().beginBatch());
    const RecordKey key{kAccount, actionId(1), RecordKind::Account};
    const auto decision = valueOrFail(store().abandon(key, {kServer, kNow}));
    orFail(store().commitBatch());
    const KeyRecord tombstone = std::get<WriteTombstone>(decision).record;
    QCOMPARE(tombstone.kind, RecordKind::Account);
    QCOMPARE(found(1), std::optional(tombstone));
    QCOMPARE(std::get<AnswerFrom>(claimOnce(onceRequest(1))).record, tombstone);
    QCOMPARE(runs(), 0);

    claimOnce(onceRequest(2));
    QCOMPARE(std::get<AnswerFrom>(abandon(2)).record, *found(2)); // done is done
}

void LedgerOnce::lateSignUp_isTombstonedAsExpired()
{
    const auto until = onceRequest(1).validUntil.value();
    const KeyRecord tombstone = std::get<WriteTombstone>(claimOnce(onceRequest(1), until)).record;
    QCOMPARE(tombstone.reason, std::optional(AbandonReason::Expired));
    QCOMPARE(tombstone.kind, RecordKind::Account);
    QCOMPARE(found(1), std::optional(tombstone));
    QCOMPARE(std::get<AnswerFrom>(claimOnce(onceRequest(1), kNow)).record, tombstone); // by an earlier clock
    QCOMPARE(runs(), 0);
}

void LedgerOnce::onceClaims_writeNoTombstoneThatCounts()
{
    for (std::uint8_t number = 1; number <= 10; ++number)
        claimOnce(onceRequest(number));
    for (std::uint8_t number = 11; number <= 15; ++number)
        QVERIFY(std::holds_alternative<WriteTombstone>(abandon(number)));
    QCOMPARE(std::get<RefuseClaim>(abandon(16)).code, ProblemCode::RateLimited);
    OnceRequest late = onceRequest(17);
    late.validUntil = kNow;
    QCOMPARE(std::get<RefuseClaim>(claimOnce(late)).code, ProblemCode::RateLimited);
    QVERIFY(std::holds_alternative<RunOnce>(claimOnce(onceRequest(18))));
}

void LedgerOnce::onceRecord_isNeitherTakenOverNorHoldsAnOrder()
{
    claimOnce(onceRequest(1));
    QVERIFY(takeOver(kNextRun, kNow + 1h).empty());
    const KeyRecord before = found(1).value();
    QCOMPARE(takeOverAndSettle(1, kNextRun, approved()), before);
    QCOMPARE(settle(ownershipOf(before), approved()), before);
    QCOMPARE(markUnknown(ownershipOf(before)), before);
    QVERIFY(bench().orders().empty());
    QCOMPARE(claimed(2).orderNumber, std::string("1001"));
}

void LedgerOnce::onceAccounts_areApart()
{
    claimOnce(onceRequest(1));
    OnceRequest theirs = onceRequest(1);
    theirs.account = kOther;
    theirs.fingerprint = fingerprint(9);
    QVERIFY(std::holds_alternative<RunOnce>(claimOnce(theirs)));
    QCOMPARE(runs(), 2);
}

void LedgerOnce::purgedSignUp_isTooOldAndNeverRunAgain()
{
    claimOnce(onceRequest(1));
    raiseWatermark(kNow + 1h);
    QCOMPARE(purge(), 1);
    QVERIFY(!found(1));
    QVERIFY(std::holds_alternative<TooOld>(claimOnce(onceRequest(1))));
    QVERIFY(std::holds_alternative<TooOld>(abandon(1)));
    QVERIFY(std::holds_alternative<TooOld>(claimOnce(onceRequest(2)))); // never seen, and too old to say so
    QCOMPARE(runs(), 1);
}

void LedgerOnce::purgedPayment_isAMismatchForASignUp()
{
    settle(ownershipOf(claimed(1)), approved());
    raiseWatermark(kNow + 1h);
    QCOMPARE(purge(), 1);
    QVERIFY(std::holds_alternative<Mismatch>(claimOnce(onceRequest(1))));
    QCOMPARE(runs(), 0);
}

// Answers to sign-ups are kept 7 days, every record 30.
void LedgerOnce::answerOfASignUp_isDroppedBeforeItsRecord()
{
    const KeyRecord paid = settle(ownershipOf(claimed(1)), approved());
    claimOnce(onceRequest(2));
    OnceRequest support = onceRequest(3);
    support.kind = RecordKind::Support;
    claimOnce(support);
    const auto purgeAt = [this](values::WallTime now) {
        raiseWatermark(now - 30 * 24h);
        return purge();
    };

    QCOMPARE(purgeAt(kNow + 7 * 24h), 0);
    QVERIFY(found(2)->answer);
    QCOMPARE(purgeAt(kNow + 7 * 24h + 1ms), 0);
    QVERIFY(!found(2)->answer);
    QCOMPARE(found(2)->state, RecordState::Succeeded);
    QVERIFY(!std::get<AnswerFrom>(claimOnce(onceRequest(2))).record.answer);
    QCOMPARE(found(1), std::optional(paid));
    QVERIFY(found(3)->answer);
    QCOMPARE(runs(), 2);
}

} // namespace payonce::tests
