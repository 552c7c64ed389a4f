#include "core/idempotency/ledger_conformance.h"

#include "core/idempotency/ledger_samples.h"

#include <QtTest/QTest>

using namespace payonce::idempotency;
using namespace payonce::samples;
using namespace std::chrono_literals;
using payonce::values::RecordState;

Q_DECLARE_METATYPE(payonce::values::RecordState)
Q_DECLARE_METATYPE(payonce::idempotency::BankState)

namespace payonce::tests {

namespace {

std::vector<std::uint8_t> numbersOf(const std::vector<KeyRecord>& records)
{
    std::vector<std::uint8_t> numbers;
    for (const KeyRecord& record : records)
        numbers.push_back(static_cast<std::uint8_t>(std::stoi(record.id.toString().substr(34), nullptr, 16)));
    return numbers;
}

} // namespace

void LedgerConformance::bankRow_settlesRecordOrderAndAnswerTogether_data()
{
    QTest::addColumn<bool>("wasUnknown");
    QTest::addColumn<BankState>("bank");
    QTest::addColumn<RecordState>("state");
    QTest::addColumn<QByteArray>("order");
    for (const bool wasUnknown : {false, true}) {
        const char* before = wasUnknown ? "unknown" : "in progress";
        QTest::addRow("%s, approved", before)
            << wasUnknown << BankState::Approved << RecordState::Succeeded << QByteArray("paid");
        QTest::addRow("%s, declined", before)
            << wasUnknown << BankState::Declined << RecordState::Failed << QByteArray("closed");
        QTest::addRow("%s, fenced", before)
            << wasUnknown << BankState::Fenced << RecordState::Abandoned << QByteArray("closed");
    }
}

void LedgerConformance::bankRow_settlesRecordOrderAndAnswerTogether()
{
    QFETCH(const bool, wasUnknown);
    QFETCH(const BankState, bank);
    QFETCH(const RecordState, state);
    QFETCH(const QByteArray, order);
    KeyRecord record = claimed(1);
    if (wasUnknown)
        record = markUnknown(ownershipOf(record));

    const BankRow row{bank, bank == BankState::Approved ? "ch_1" : "", bank == BankState::Declined ? "expired_card" : ""};
    auto expected = idempotency::settled(record, row, kNow + 1s);
    if (state != RecordState::Abandoned)
        expected->answer = renderAnswer(*expected);
    QCOMPARE(settle(ownershipOf(record), row), *expected);
    QCOMPARE(found(1), expected);
    QCOMPARE(found(1)->state, state);
    QCOMPARE(QByteArray(nameOf(bench().orders().front().status)), order);
}

void LedgerConformance::silentBankRow_settlesNothing()
{
    const KeyRecord record = claimed(1);
    QCOMPARE(settle(ownershipOf(record), {BankState::Running, {}, {}}), record);
    QCOMPARE(settle(ownershipOf(record), {BankState::NeverSeen, {}, {}}), record);
    QCOMPARE(found(1), std::optional(record));
}

void LedgerConformance::storedAnswer_isReplayedByteForByte()
{
    settle(ownershipOf(claimed(1)), approved());
    const auto replay = claim(request(1), stamp(2));
    const StoredAnswer answer = std::get<AnswerFrom>(replay).record.answer.value();
    QCOMPARE(answer.status, 201);
    QVERIFY(answer.body.find('\0') != std::string::npos);
    QCOMPARE(answer, renderAnswer(*found(1)));
}

void LedgerConformance::zombieWriter_changesNothing()
{
    const KeyRecord zombie = claimed(1);
    const auto taken = takeOver(kNextRun, kNow);
    QCOMPARE(taken.size(), std::size_t{1});
    QCOMPARE(found(1), std::optional(taken.front()));

    QCOMPARE(settle(ownershipOf(zombie), declined()), taken.front());
    QCOMPARE(markUnknown(ownershipOf(zombie)), taken.front());
    const KeyRecord ended = settle(ownershipOf(taken.front()), approved());
    QCOMPARE(ended.state, RecordState::Succeeded);
    QCOMPARE(settle(ownershipOf(zombie), declined()), ended);
    QCOMPARE(found(1), std::optional(ended));
    QCOMPARE(bench().orders().front().status, OrderStatus::Paid);
}

void LedgerConformance::secondSettle_answersTheFirst()
{
    const KeyRecord record = claimed(1);
    const KeyRecord ended = settle(ownershipOf(record), approved());
    QCOMPARE(settle(ownershipOf(record), declined()), ended);
    QCOMPARE(settle(ownershipOf(record), fenced()), ended);
    QCOMPARE(markUnknown(ownershipOf(record)), ended);
}

void LedgerConformance::bankKey_staysTheSameForEver()
{
    claimed(1);
    const auto key = std::optional(bankKey(1));
    QCOMPARE(std::get<AnswerFrom>(claim(request(1), stamp(2))).record.bankKey, key);
    const KeyRecord taken = takeOver(kNextRun, kNow).front();
    QCOMPARE(taken.bankKey, key);
    QCOMPARE(takeOver("home-1/run-3", kNow).front().bankKey, key);
    QCOMPARE(settle(ownershipOf(*found(1)), approved()).bankKey, key);
}

void LedgerConformance::fenceNumbers_onlyGrow()
{
    FenceNumber newest = claimed(1, "cart-a").fence;
    const auto isNext = [&newest](FenceNumber fence) { return fence > std::exchange(newest, fence); };
    QVERIFY(isNext(claimed(2, "cart-b").fence));
    for (const char* owner : {kNextRun, "home-1/run-3"})
        for (const KeyRecord& record : takeOver(owner, kNow))
            QVERIFY(isNext(record.fence));
    bench().crash();
    QVERIFY(isNext(claimed(3, "cart-c").fence));
}

void LedgerConformance::crashInsideTheBatch_keepsNothingOfIt()
{
    const KeyRecord before = claimed(1, "cart-a");
    orFail(store().beginBatch());
    valueOrFail(store().settle(ownershipOf(before), approved(), kNow + 1s));
    valueOrFail(store().claim(request(2, "cart-b"), stamp(2)));
    valueOrFail(store().claim(request(3, "cart-a"), stamp(3)));
    bench().crash();

    QCOMPARE(found(1), std::optional(before));
    QVERIFY(!found(2));
    QVERIFY(!found(3));
    QCOMPARE(bench().orders().size(), std::size_t{1});
    QCOMPARE(claimed(2, "cart-b").orderNumber, std::string("1002"));
}

void LedgerConformance::committedBatch_survivesACrash()
{
    orFail(store().beginBatch());
    for (const std::uint8_t number : std::initializer_list<std::uint8_t>{1, 2, 3})
        valueOrFail(store().claim(request(number, "cart-" + std::to_string(number)), stamp(number)));
    const KeyRecord first = found(1).value();
    const KeyRecord ended = valueOrFail(store().settle(ownershipOf(first), approved(), kNow + 1s));
    orFail(store().commitBatch());
    bench().crash();

    QCOMPARE(found(1), std::optional(ended));
    QCOMPARE(found(2)->state, RecordState::InProgress);
    QCOMPARE(bench().orders().size(), std::size_t{3});
}

void LedgerConformance::ownRecordAtWork_isNotTakenOverBeforeItsLeaseEnds()
{
    claimed(1);
    QVERIFY(takeOver(kServer, kNow + 15s - 1ms).empty());
    const auto taken = takeOver(kServer, kNow + 15s);
    QCOMPARE(numbersOf(taken), (std::vector<std::uint8_t>{1}));
    QCOMPARE(taken.front().state, RecordState::Unknown);
    QCOMPARE(taken.front().leaseUntil, kNow + 30s);
}

void LedgerConformance::silentRecord_isTakenOverLessAndLessOften()
{
    markUnknown(ownershipOf(claimed(1)));
    values::WallTime now = kNow;
    QCOMPARE(takeOver(kServer, now).size(), std::size_t{1});
    for (const auto wait : {1s, 2s, 4s, 8s, 16s, 32s, 60s, 60s}) {
        QVERIFY(takeOver(kServer, now + wait - 1ms).empty());
        now += wait;
        QCOMPARE(takeOver(kServer, now).size(), std::size_t{1});
    }
    // A clock set back does not hold it up, and a new instance asks at once and starts counting anew.
    QCOMPARE(takeOver(kServer, now - 1h).size(), std::size_t{1});
    QCOMPARE(takeOver(kNextRun, now).size(), std::size_t{1});
    QVERIFY(takeOver(kNextRun, now + 1s - 1ms).empty());
    QCOMPARE(takeOver(kNextRun, now + 1s).size(), std::size_t{1});
}

void LedgerConformance::takeOver_isBoundedOldestFirstAndLeavesOutTheBusy()
{
    for (const std::uint8_t number : std::initializer_list<std::uint8_t>{1, 2, 3, 4, 5})
        claim(request(number, "cart-" + std::to_string(number)), stamp(number, kNow - std::chrono::seconds(number)));
    settle(ownershipOf(*found(4)), approved());

    QVERIFY(takeOver(kNextRun, kNow, 0).empty());
    QCOMPARE(numbersOf(takeOver(kNextRun, kNow, 2, {actionId(5)})), (std::vector<std::uint8_t>{3, 2}));
    QCOMPARE(numbersOf(takeOver(kNextRun, kNow, 100)), (std::vector<std::uint8_t>{5, 1}));
    QVERIFY(takeOver(kNextRun, kNow, 100).empty());
}

void LedgerConformance::amounts_stayExact_data()
{
    QTest::addColumn<QByteArray>("decimal");
    QTest::addColumn<QByteArray>("currency");
    QTest::addColumn<qint64>("minorUnits");
    QTest::newRow("8.20 EUR") << QByteArray("8.20") << QByteArray("EUR") << 820LL;
    QTest::newRow("19.99 EUR") << QByteArray("19.99") << QByteArray("EUR") << 1999LL;
    QTest::newRow("582.42 EUR") << QByteArray("582.42") << QByteArray("EUR") << 58242LL;
    QTest::newRow("80 JPY") << QByteArray("80") << QByteArray("JPY") << 80LL;
    QTest::newRow("1.234 KWD") << QByteArray("1.234") << QByteArray("KWD") << 1234LL;
    QTest::newRow("largest") << QByteArray("999999999.99") << QByteArray("EUR") << 99'999'999'999LL;
}

void LedgerConformance::amounts_stayExact()
{
    QFETCH(const QByteArray, decimal);
    QFETCH(const QByteArray, currency);
    QFETCH(const qint64, minorUnits);
    ClaimRequest asked = request(1);
    asked.terms.amount =
        values::parseDecimal(decimal.toStdString(), *values::Currency::fromCode(currency.toStdString())).value();
    claim(asked, stamp(1));
    settle(ownershipOf(*found(1)), approved());
    bench().crash();
    QCOMPARE(static_cast<qint64>(found(1)->terms->amount.minorUnits), minorUnits);
    QCOMPARE(found(1)->terms->amount, asked.terms.amount);
    QCOMPARE(values::toDecimal(bench().orders().front().amount), decimal.toStdString());
}

void LedgerConformance::unknownRecord_cannotBeSettled()
{
    orFail(store().beginBatch());
    QVERIFY(!store().settle({kAccount, actionId(1), kServer, 1}, approved(), kNow));
    QVERIFY(!store().markUnknown({kAccount, actionId(1), kServer, 1}));
    orFail(store().commitBatch());
    QVERIFY(!found(1));
}

} // namespace payonce::tests
