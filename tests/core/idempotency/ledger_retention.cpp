#include "core/idempotency/ledger_retention.h"

#include "core/idempotency/ledger_samples.h"
#include "idempotency/retention_rules.h"

#include <QtTest/QTest>

#include <algorithm>

using namespace payonce::idempotency;
using namespace payonce::samples;
using namespace std::chrono_literals;
using payonce::values::RecordState;

Q_DECLARE_METATYPE(payonce::values::RecordState)

namespace payonce::tests {

namespace {

/// Above everything that the fixture writes: keys of kNow, settled a second later.
constexpr auto kAllIsOld = kNow + 1h;

} // namespace

void LedgerRetention::purgedRecord_isAnsweredByItsOrder_data()
{
    QTest::addColumn<RecordState>("state");
    for (const auto state : {RecordState::Succeeded, RecordState::Failed, RecordState::Abandoned})
        QTest::addRow("%s", values::nameOf(state)) << state;
}

// Below the watermark the order row says what became of it.
void LedgerRetention::purgedRecord_isAnsweredByItsOrder()
{
    QFETCH(const RecordState, state);
    const KeyRecord ended = settle(ownershipOf(claimed(1)), state == RecordState::Succeeded ? approved()
                                                            : state == RecordState::Failed  ? declined()
                                                                                            : fenced());
    const auto orders = bench().orders();
    raiseWatermark(kAllIsOld);
    QVERIFY(!foundPurged(1)); // it still has its record
    QCOMPARE(purge(), 1);
    bench().crash();

    KeyRecord expected = keptByOrder(ended);
    expected.answer = ended.answer;
    QVERIFY(!found(1));
    QCOMPARE(foundPurged(1), std::optional(expected));
    QCOMPARE(std::get<AnswerFrom>(claim(request(1), stamp(2))).record, expected);
    ClaimRequest other = request(1);
    other.fingerprint = fingerprint(2);
    QVERIFY(std::holds_alternative<Mismatch>(claim(other, stamp(3))));
    QCOMPARE(bench().orders(), orders);
}

// A purge without a watermark charges twice.
void LedgerRetention::purgedKey_isNeverRunAsNew()
{
    abandon(1);
    raiseWatermark(kAllIsOld);
    QCOMPARE(purge(), 1);
    for (const std::uint8_t number : std::initializer_list<std::uint8_t>{1, 2}) { // 2 never came at all
        const KeyRecord word = std::get<AnswerFrom>(claim(request(number), stamp(number))).record;
        QCOMPARE(word.state, RecordState::Abandoned);
        QCOMPARE(word.reason, std::optional(AbandonReason::Expired));
        QVERIFY(!found(number));
    }
    QVERIFY(bench().orders().empty());
}

// The cart index ends with the order row, so order rows stay.
void LedgerRetention::purgedPayment_holdsItsCartForEver()
{
    settle(ownershipOf(claimed(1)), approved());
    raiseWatermark(kNow + 1ms);
    raiseWatermark(kAllIsOld);
    QCOMPARE(purge(), 1);
    ClaimRequest second = request(2);
    second.id = values::ActionId::mint(kAllIsOld, {});
    second.terms.validUntil = kAllIsOld + 1h;
    const auto decision = claim(second, stamp(2, kAllIsOld));
    QCOMPARE(std::get<WriteTombstone>(decision).record.heldBy, actionId(1).toString());
}

void LedgerRetention::abandonOfAPurgedKey_writesNothing()
{
    settle(ownershipOf(claimed(1)), approved());
    raiseWatermark(kAllIsOld);
    purge();
    QCOMPARE(std::get<TooOld>(abandon(1)).record, *foundPurged(1));
    QCOMPARE(std::get<TooOld>(abandon(2)).record.state, RecordState::Abandoned);
    QVERIFY(!found(1) && !found(2));
}

void LedgerRetention::watermark_neverSinks()
{
    raiseWatermark(kAllIsOld);
    bench().crash();
    orFail(store().beginBatch());
    QCOMPARE(valueOrFail(store().raiseWatermark(kNow - 1h)), kAllIsOld);
    orFail(store().commitBatch());
    QVERIFY(std::holds_alternative<AnswerFrom>(claim(request(1), stamp(1))));
}

// A fence counted per record starts at 1 again after a deletion, and a very late zombie then looks fresh.
void LedgerRetention::fenceNumbers_outliveThePurge()
{
    const KeyRecord zombie = claimed(1, "cart-a");
    settle(ownershipOf(takeOver(kNextRun, kNow).front()), approved());
    raiseWatermark(kAllIsOld);
    QCOMPARE(purge(), 1);
    bench().crash();

    ClaimRequest next = request(2, "cart-b");
    next.id = values::ActionId::mint(kAllIsOld, {});
    next.terms.validUntil = kAllIsOld + 1h;
    QVERIFY(std::get<Execute>(claim(next, stamp(2, kAllIsOld))).record.fence > zombie.fence + 1);
}

void LedgerRetention::purgedZombie_changesNothing()
{
    const KeyRecord zombie = claimed(1);
    settle(ownershipOf(takeOver(kNextRun, kNow).front()), approved());
    raiseWatermark(kAllIsOld);
    QCOMPARE(purge(), 1);
    const auto kept = foundPurged(1);

    orFail(store().beginBatch());
    QVERIFY(!store().settle(ownershipOf(zombie), declined(), kAllIsOld));
    QVERIFY(!store().markUnknown(ownershipOf(zombie)));
    orFail(store().commitBatch());

    QCOMPARE(foundPurged(1), kept);
    QCOMPARE(bench().orders().front().status, OrderStatus::Paid);
}

void LedgerRetention::openRecord_isNeverPurged()
{
    claimed(1, "cart-a");
    const KeyRecord unknown = markUnknown(ownershipOf(claimed(2, "cart-b")));
    raiseWatermark(kAllIsOld);
    QCOMPARE(purge(), 0);
    QCOMPARE(found(2), std::optional(unknown));
    QCOMPARE(settle(ownershipOf(unknown), approved()).state, RecordState::Succeeded);
}

void LedgerRetention::record_staysUntilBothItsTimesAreBelow()
{
    const KeyRecord ended = settle(ownershipOf(claimed(1)), approved()); // key of kNow, settled at kNow + 1 s
    raiseWatermark(kNow + 1s);
    QCOMPARE(purge(), 0);
    QCOMPARE(found(1), std::optional(ended));

    ClaimRequest ahead = request(2, "cart-b"); // a client whose clock is ahead
    ahead.id = values::ActionId::mint(kNow + 20h, {});
    claim(ahead, stamp(2));
    const KeyRecord second = valueOrFail(store().find(kAccount, ahead.id)).value();
    settle(ownershipOf(second), approved());
    raiseWatermark(kNow + 10h);
    QCOMPARE(purge(), 1);
    const auto kept = valueOrFail(store().find(kAccount, ahead.id));
    QCOMPARE(kept->state, RecordState::Succeeded);
    QVERIFY(!kept->answer); // its answer was not kept
    raiseWatermark(kNow + 20h + 1ms);
    QCOMPARE(purge(), 1);
}

void LedgerRetention::purge_isBounded()
{
    for (const std::uint8_t number : std::initializer_list<std::uint8_t>{1, 2, 3})
        abandon(number);
    raiseWatermark(kAllIsOld);
    QCOMPARE(purge(2), 2);
    QCOMPARE(purge(2), 1);
    QCOMPARE(purge(2), 0);
}

void LedgerRetention::keyOfAnotherForm_isKeptForEver_data()
{
    QTest::addColumn<QByteArray>("key");
    QTest::newRow("word") << QByteArray("order-1");
    QTest::newRow("sorts first") << QByteArray("!");
    QTest::newRow("digits") << QByteArray("0");
    QTest::newRow("version 4") << QByteArray("00000000-52d1-4320-9bac-f847db4148a8");
    QTest::newRow("other variant") << QByteArray("00000000-7a11-7c3e-cf00-6b1f0a2c4d5e");
    QTest::newRow("in the shape of a UUIDv7") << QByteArray("00000000-zzzz-7zzz-9zzz-zzzzzzzzzzzz");
    QTest::newRow("dashes for digits") << QByteArray("0-------------7-----9---------------");
    QTest::newRow("quotes") << QByteArray(R"(00000000-7a'1-7c"e-9f00-6b1f0a2c4d5e)");
}

// Such a key does not tell when it was made, so nothing but its record can say that it was used.
void LedgerRetention::keyOfAnotherForm_isKeptForEver()
{
    QFETCH(const QByteArray, key);
    ClaimRequest asked = request(1);
    asked.id = values::ActionId::parseAnyForm(key.toStdString()).value();
    const KeyRecord first = std::get<Execute>(claim(asked, stamp(1))).record;
    const KeyRecord ended = settle(ownershipOf(first), approved());
    claimed(2, "cart-b"); // one that goes, so that there is a purge
    settle(ownershipOf(*found(2)), declined());
    raiseWatermark(kNow + 365 * 24h);
    QCOMPARE(purge(), 1);
    bench().crash();

    QCOMPARE(valueOrFail(store().find(kAccount, asked.id)), std::optional(ended));
    QCOMPARE(std::get<AnswerFrom>(claim(asked, stamp(3))).record, ended);
    ClaimRequest unused = request(4, "cart-d"); // never seen, and not "below the watermark"
    unused.id = values::ActionId::parseAnyForm("u" + key.toStdString()).value();
    QVERIFY(std::holds_alternative<Execute>(claim(unused, stamp(4))));
    const auto orders = bench().orders();
    QVERIFY(std::any_of(orders.begin(), orders.end(), [&](const Order& order) { return order.actionId == asked.id; }));
}

} // namespace payonce::tests
