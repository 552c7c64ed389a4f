#include "idempotency/retention_rules.h"

#include "core/idempotency/ledger_samples.h"

#include <QtTest/QTest>

using namespace payonce;
using namespace payonce::idempotency;
using namespace payonce::samples;
using namespace std::chrono_literals;

class TestRetentionRules : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void record_goesOnlyWhenBothItsTimesAreBelow_data();
    void record_goesOnlyWhenBothItsTimesAreBelow();
    void keyAtTheWatermark_mayBeClaimed();
    void keyOfAnotherForm_isNeverBelowTheWatermark();
    void clocksThatWentApart_wereMoved_data();
    void clocksThatWentApart_wereMoved();
    void watermarkThatThisClockCouldNotRaise_isAhead_data();
    void watermarkThatThisClockCouldNotRaise_isAhead();
};

void TestRetentionRules::record_goesOnlyWhenBothItsTimesAreBelow_data()
{
    QTest::addColumn<bool>("isTerminal");
    QTest::addColumn<qint64>("settledMs"); // after the key's time
    QTest::addColumn<qint64>("watermarkMs");
    QTest::addColumn<bool>("goes");
    QTest::addColumn<bool>("answerGoes");
    QTest::newRow("both below") << true << 1LL << 2LL << true << false;
    QTest::newRow("settled at the watermark") << true << 2LL << 2LL << false << false;
    QTest::newRow("key ahead of its time") << true << -5LL << 0LL << false << true;
    QTest::newRow("key at the watermark") << true << -1LL << 0LL << false << true;
    QTest::newRow("all is young") << true << 1LL << -10LL << false << false;
    QTest::newRow("open") << false << 1LL << 1'000'000LL << false << false;
}

void TestRetentionRules::record_goesOnlyWhenBothItsTimesAreBelow()
{
    QFETCH(const bool, isTerminal);
    QFETCH(const qint64, settledMs);
    QFETCH(const qint64, watermarkMs);
    QFETCH(const bool, goes);
    QFETCH(const bool, answerGoes);
    KeyRecord known = record(1);
    if (isTerminal)
        known = settled(known, approved(), kNow + std::chrono::milliseconds(settledMs)).value();
    if (isTerminal)
        known.answer = renderAnswer(known);
    const auto watermark = kNow + std::chrono::milliseconds(watermarkMs);
    QCOMPARE(mayPurge(known, watermark), goes);
    QCOMPARE(mayDropAnswer(known, watermark, {}), answerGoes);
}

void TestRetentionRules::keyAtTheWatermark_mayBeClaimed()
{
    const RecordKey key{kAccount, actionId(1)};
    QVERIFY(!wordOfPurged(key, kNow, {}));
    QCOMPARE(wordOfPurged(key, kNow + 1ms, {})->reason, std::optional(AbandonReason::Expired));
    const KeyRecord kept = keptByOrder(settled(record(1), declined(), kNow).value());
    QCOMPARE(wordOfPurged(key, kNow + 1ms, kept), std::optional(kept));
    QVERIFY(!kept.bankKey && kept.owner.empty() && kept.terms->paymentMethod.empty());
}

void TestRetentionRules::keyOfAnotherForm_isNeverBelowTheWatermark()
{
    KeyRecord old = settled(record(1), approved(), kNow).value();
    old.id = values::ActionId::parseAnyForm("order-1").value();
    old.answer = renderAnswer(old);
    const auto far = kNow + std::chrono::hours(24 * 365);
    QVERIFY(!mayPurge(old, far));
    QVERIFY(!mayDropAnswer(old, far, {}));
    QVERIFY(!wordOfPurged({kAccount, old.id}, far, {}));
}

void TestRetentionRules::clocksThatWentApart_wereMoved_data()
{
    QTest::addColumn<qint64>("wallMinutes");
    QTest::addColumn<qint64>("uptimeMinutes");
    QTest::addColumn<bool>("moved");
    QTest::newRow("together") << 600LL << 600LL << false;
    QTest::newRow("an hour apart") << 660LL << 600LL << false;
    QTest::newRow("more than an hour ahead") << 661LL << 600LL << true;
    QTest::newRow("more than an hour back") << 539LL << 600LL << true;
    QTest::newRow("before the last look") << -120LL << 1LL << true;
}

void TestRetentionRules::clocksThatWentApart_wereMoved()
{
    QFETCH(const qint64, wallMinutes);
    QFETCH(const qint64, uptimeMinutes);
    QFETCH(const bool, moved);
    const ClockReading last{kNow, 5h};
    const ClockReading now{kNow + std::chrono::minutes(wallMinutes), 5h + std::chrono::minutes(uptimeMinutes)};
    QCOMPARE(wasMoved(last, now, {}), moved);
}

void TestRetentionRules::watermarkThatThisClockCouldNotRaise_isAhead_data()
{
    QTest::addColumn<qint64>("minutes");
    QTest::addColumn<bool>("isAhead");
    QTest::newRow("raised by this clock") << qint64(0) << false;
    QTest::newRow("long ago") << qint64(-60 * 24 * 300) << false;
    QTest::newRow("a little ahead") << qint64(60) << false;
    QTest::newRow("more than clocks drift") << qint64(61) << true;
    QTest::newRow("by a clock 32 days ahead") << qint64(60 * 24 * 32) << true;
}
void TestRetentionRules::watermarkThatThisClockCouldNotRaise_isAhead()
{
    QFETCH(qint64, minutes);
    QFETCH(bool, isAhead);
    const LedgerNumbers numbers;
    QCOMPARE(isAheadOfClock(kNow - numbers.recordRetention + std::chrono::minutes(minutes), kNow, numbers), isAhead);
}

QTEST_GUILESS_MAIN(TestRetentionRules)
#include "tst_retention_rules.moc"
