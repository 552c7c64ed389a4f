#include "core/idempotency/ledger_claims.h"

#include "core/idempotency/ledger_samples.h"

#include <QtTest/QTest>

using namespace payonce::idempotency;
using namespace payonce::samples;
using namespace std::chrono_literals;
using payonce::values::RecordState;

Q_DECLARE_METATYPE(payonce::values::RecordState)

namespace payonce::tests {

void LedgerClaims::claim_executesOnceThenAnswersFromTheRecord()
{
    const KeyRecord first = claimed(1);
    QCOMPARE(found(1), std::optional(first));
    QCOMPARE(bench().orders().size(), std::size_t{1});
    QCOMPARE(bench().orders().front(), orderOf(first));

    const auto again = claim(request(1), stamp(2, kNow + 5s));
    QCOMPARE(std::get<AnswerFrom>(again).record, first);
    QCOMPARE(found(1), std::optional(first));
    QCOMPARE(bench().orders().size(), std::size_t{1});
}

void LedgerClaims::otherBody_isAMismatchInEveryState_data()
{
    QTest::addColumn<RecordState>("state");
    for (const auto state :
         {RecordState::InProgress, RecordState::Unknown, RecordState::Succeeded, RecordState::Failed, RecordState::Abandoned})
        QTest::addRow("%s", values::nameOf(state)) << state;
}

void LedgerClaims::otherBody_isAMismatchInEveryState()
{
    QFETCH(const RecordState, state);
    const KeyRecord record = claimed(1);
    switch (state) {
    case RecordState::InProgress: break;
    case RecordState::Unknown: markUnknown(ownershipOf(record)); break;
    case RecordState::Succeeded: settle(ownershipOf(record), approved()); break;
    case RecordState::Failed: settle(ownershipOf(record), declined()); break;
    case RecordState::Abandoned: settle(ownershipOf(record), fenced()); break;
    }
    const auto before = found(1);
    QCOMPARE(before->state, state);

    ClaimRequest other = request(1);
    other.fingerprint = fingerprint(2);
    other.terms.amount = euros(1);
    QVERIFY(std::holds_alternative<Mismatch>(claim(other, stamp(2))));
    QCOMPARE(found(1), before);
}

// A rolling update changed the canonical form, and every retry under way became a conflict.
void LedgerClaims::newPolicyOfTheShop_comparesUnderTheStoredOne()
{
    const KeyRecord record = claimed(1);
    ClaimRequest retry = request(1);
    retry.policyId = "policy-2";
    retry.fingerprint = fingerprint(99);
    retry.otherPolicies = {{"policy-0", fingerprint(98)}, {"policy-1", request(1).fingerprint}};
    QCOMPARE(std::get<AnswerFrom>(claim(retry, stamp(2))).record, record);
    retry.otherPolicies.back().fingerprint = fingerprint(97); // other content
    QVERIFY(std::holds_alternative<Mismatch>(claim(retry, stamp(3))));
    settle(ownershipOf(record), approved());
    QVERIFY(std::holds_alternative<Mismatch>(claim(retry, stamp(4))));
    QCOMPARE(found(1)->policyId, std::string("policy-1"));
}

void LedgerClaims::policyOfANewerVersion_isNeitherTheSameNorAnother()
{
    ClaimRequest newer = request(1);
    newer.policyId = "policy-9";
    newer.fingerprint = fingerprint(99);
    const KeyRecord record = std::get<Execute>(claim(newer, stamp(1))).record;
    QCOMPARE(std::get<RefuseClaim>(claim(request(1), stamp(2))).code, ProblemCode::StoreUnavailable);
    QCOMPARE(found(1), std::optional(record));
}

// A handler changed the body, and the completion was stored under what it had become.
void LedgerClaims::claimedIdentity_isTheOneThatIsSettled()
{
    const KeyRecord record = claimed(1);
    KeyRecord changed = record;
    changed.fingerprint = fingerprint(99);
    changed.terms->amount = euros(1);
    const KeyRecord ended = settle(ownershipOf(changed), approved());
    QCOMPARE(ended.fingerprint, record.fingerprint);
    QCOMPARE(ended.terms, record.terms);
    QVERIFY(std::holds_alternative<AnswerFrom>(claim(request(1), stamp(2))));
}

void LedgerClaims::heldCart_isTombstonedForTheSecondAction()
{
    const std::string cart = bench().addCart(kAccount, euros(4200));
    claimed(1, cart);
    const auto second = claim(request(2, cart), stamp(2));
    const KeyRecord tombstone = std::get<WriteTombstone>(second).record;
    QCOMPARE(tombstone.reason, std::optional(AbandonReason::CartTaken));
    QCOMPARE(tombstone.heldBy, actionId(1).toString());
    QCOMPARE(found(2), std::optional(tombstone));

    // Even once the cart is free again the tombstone stands.
    settle(ownershipOf(*found(1)), declined());
    const auto again = claim(request(2, cart), stamp(3));
    QCOMPARE(std::get<AnswerFrom>(again).record, tombstone);
    QCOMPARE(bench().orders().size(), std::size_t{1});
}

void LedgerClaims::paidCart_isHeldForEver()
{
    settle(ownershipOf(claimed(1)), approved());
    const auto second = claim(request(2), stamp(2));
    QCOMPARE(std::get<WriteTombstone>(second).record.heldBy, actionId(1).toString());
}

void LedgerClaims::declinedCart_isFreeAgain()
{
    settle(ownershipOf(claimed(1)), declined());
    QCOMPARE(claimed(2).state, RecordState::InProgress);
    settle(ownershipOf(*found(2)), fenced());
    QCOMPARE(claimed(3).state, RecordState::InProgress);
}

void LedgerClaims::lateKey_isTombstonedAsExpiredForEver()
{
    const auto late = claim(request(1), stamp(1, request(1).terms.validUntil));
    const KeyRecord tombstone = std::get<WriteTombstone>(late).record;
    QCOMPARE(tombstone.reason, std::optional(AbandonReason::Expired));
    bench().crash();
    // Also for a server whose clock stands before the time that has passed.
    const auto again = claim(request(1), stamp(2, kNow - 1h));
    QCOMPARE(std::get<AnswerFrom>(again).record, tombstone);
    QVERIFY(bench().orders().empty());
}

void LedgerClaims::refusedClaim_isNotRemembered_data()
{
    QTest::addColumn<QString>("wrong");
    QTest::addColumn<int>("status");
    QTest::newRow("card unknown") << QStringLiteral("card") << 422;
    QTest::newRow("another account's card") << QStringLiteral("their card") << 422;
    QTest::newRow("amount") << QStringLiteral("amount") << 422;
    QTest::newRow("currency") << QStringLiteral("currency") << 422;
    QTest::newRow("too far ahead") << QStringLiteral("time") << 422;
}

void LedgerClaims::refusedClaim_isNotRemembered()
{
    QFETCH(const QString, wrong);
    QFETCH(const int, status);
    const std::string cart = bench().addCart(kAccount, euros(4200));
    ClaimRequest asked = request(1, cart);
    if (wrong == QLatin1String("card"))
        asked.terms.paymentMethod = "pm_unknown";
    if (wrong == QLatin1String("their card"))
        asked.terms.paymentMethod = kCard + std::string("_b");
    if (wrong == QLatin1String("amount"))
        asked.terms.amount = euros(4199);
    if (wrong == QLatin1String("currency"))
        asked.terms.amount.currency = values::Currency::fromCode("USD").value();
    if (wrong == QLatin1String("time"))
        asked.terms.validUntil = kNow + 25h;
    const auto refusal = claim(asked, stamp(1));
    QCOMPARE(ruleOf(std::get<RefuseClaim>(refusal).code).status, status);
    QVERIFY(!found(1));
    QVERIFY(std::holds_alternative<Execute>(claim(request(1, cart), stamp(1))));
}

void LedgerClaims::orderNumbers_countFrom1001WithoutGaps()
{
    QCOMPARE(claimed(1, "cart-a").orderNumber, std::string("1001"));
    claim(request(9, "cart-a"), stamp(9)); // a tombstone takes no number
    QCOMPARE(claimed(2, "cart-b").orderNumber, std::string("1002"));
    QCOMPARE(found(1)->orderNumber, std::string("1001"));
    QCOMPARE(found(9)->orderNumber, std::string());
}

void LedgerClaims::accounts_areApart()
{
    const KeyRecord mine = claimed(1);
    ClaimRequest asked = request(1);
    asked.account = kOther;
    asked.fingerprint = fingerprint(2);
    asked.terms.paymentMethod = kCard + std::string("_b");
    // Same key, same cart name, other account: a record of its own, and no holder of the cart.
    const auto theirs = claim(asked, stamp(2));
    QCOMPARE(std::get<Execute>(theirs).record.account, std::string(kOther));
    QCOMPARE(found(1), std::optional(mine));
    QVERIFY(!valueOrFail(store().find("acct_c", actionId(1))));
}

void LedgerClaims::openRecords_areBoundedPerAccount()
{
    for (std::uint8_t number = 1; number <= 20; ++number)
        claimed(number, "cart-" + std::to_string(number));
    const auto refused = claim(request(21, "cart-21"), stamp(21));
    QCOMPARE(std::get<RefuseClaim>(refused).code, ProblemCode::RateLimited);
    settle(ownershipOf(*found(1)), declined());
    QVERIFY(std::holds_alternative<Execute>(claim(request(21, "cart-21"), stamp(21))));
}

// The store does not grow without bound, and the refusal is not stored.
void LedgerClaims::newTombstones_areBoundedPerAccountAndHour()
{
    for (std::uint8_t number = 1; number <= 5; ++number)
        abandon(number);
    claimed(6, "cart-a");
    QCOMPARE(std::get<RefuseClaim>(abandon(7)).code, ProblemCode::RateLimited);
    QVERIFY(std::get<RefuseClaim>(abandon(7)).retryAfter == 1h); // all five are of kNow
    QVERIFY(std::get<RefuseClaim>(claim(request(7, "cart-a"), stamp(7, kNow + 20min))).retryAfter == 40min);
    QCOMPARE(std::get<RefuseClaim>(claim(request(7, "cart-a"), stamp(7))).code, ProblemCode::RateLimited);
    QCOMPARE(std::get<RefuseClaim>(claim(request(8), stamp(8, request(8).terms.validUntil))).code, ProblemCode::RateLimited);
    QVERIFY(!found(7) && !found(8));
    QVERIFY(std::holds_alternative<AnswerFrom>(abandon(1))); // a record that is there
    QVERIFY(std::holds_alternative<FenceAtBank>(abandon(6)));
    QVERIFY(std::holds_alternative<WriteTombstone>(abandon(7, kOther)));
    QVERIFY(std::holds_alternative<WriteTombstone>(claim(request(8), stamp(8, kNow + 1h + 1ms))));
}

} // namespace payonce::tests
