#include "retry/backoff.h"

#include <QtCore/QRegularExpression>
#include <QtTest/QTest>

using namespace payonce::retry;
using ms = Numbers::ms;

class TestRetryBackoff : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }
    void postDelays_stayBetweenTheFloorAndTheirEntry_data();
    void postDelays_stayBetweenTheFloorAndTheirEntry();
    void postDelays_areSpreadAboveTheFloor();
    void probeDelays_areHalfToWhole_data();
    void probeDelays_areHalfToWhole();
    void offlineUnresolvedAndSaveDelays_repeatTheirLast();
    void advice_isNeverCutShort_data();
    void advice_isNeverCutShort();
};

void TestRetryBackoff::postDelays_stayBetweenTheFloorAndTheirEntry_data()
{
    QTest::addColumn<int>("posts");
    QTest::addColumn<qint64>("most");
    QTest::newRow("before the second") << 1 << qint64(300);
    QTest::newRow("before the third") << 2 << qint64(1000);
    QTest::newRow("before the fourth") << 3 << qint64(2000);
    QTest::newRow("later ones repeat it") << 9 << qint64(2000);
}

void TestRetryBackoff::postDelays_stayBetweenTheFloorAndTheirEntry()
{
    QFETCH(int, posts);
    QFETCH(qint64, most);
    const Numbers numbers;
    qint64 largest = 0;
    for (std::uint64_t draw = 0; draw < 5000; ++draw) {
        const auto delay = postDelay(numbers, posts, draw).count();
        QVERIFY(delay >= 100 && delay <= most);
        largest = std::max<qint64>(largest, delay);
    }
    QCOMPARE(largest, most);
}

void TestRetryBackoff::postDelays_areSpreadAboveTheFloor()
{
    // Drawn above the floor, not cut off at it: two clients out of a hundred, not a third of them, meet at the floor.
    int atFloor = 0;
    for (std::uint64_t draw = 0; draw < 2010; ++draw)
        atFloor += postDelay(Numbers{}, 1, draw) == ms(100) ? 1 : 0;
    QCOMPARE(atFloor, 10);
}

void TestRetryBackoff::probeDelays_areHalfToWhole_data()
{
    QTest::addColumn<int>("index");
    QTest::addColumn<qint64>("whole");
    const std::array<qint64, 9> wholes = {0, 500, 1000, 2000, 4000, 8000, 15000, 15000, 15000};
    for (std::size_t index = 0; index < wholes.size(); ++index)
        QTest::addRow("probe %zu", index) << static_cast<int>(index) << wholes.at(index);
}

void TestRetryBackoff::probeDelays_areHalfToWhole()
{
    QFETCH(int, index);
    QFETCH(qint64, whole);
    for (std::uint64_t draw = 0; draw < 5000; ++draw) {
        const auto delay = probeDelay(Numbers{}, index, draw).count();
        QVERIFY(delay >= whole / 2);
        QVERIFY(delay < whole || whole == 0);
    }
}

void TestRetryBackoff::offlineUnresolvedAndSaveDelays_repeatTheirLast()
{
    const Numbers numbers;
    QCOMPARE(offlineDelay(numbers, 1), ms(2000));
    QCOMPARE(offlineDelay(numbers, 4), ms(30000));
    QCOMPARE(offlineDelay(numbers, 400), ms(30000));
    QCOMPARE(unresolvedProbeDelay(numbers, 0), ms(5000));
    QCOMPARE(unresolvedProbeDelay(numbers, 4), ms(300000));
    QCOMPARE(unresolvedProbeDelay(numbers, 400), ms(300000));
    QCOMPARE(saveAgainDelay(numbers, 1), ms(1000));
    QCOMPARE(saveAgainDelay(numbers, 400), ms(30000));
}

void TestRetryBackoff::advice_isNeverCutShort_data()
{
    QTest::addColumn<qint64>("advice");
    QTest::addColumn<qint64>("most");
    QTest::newRow("none") << qint64(0) << qint64(0);
    QTest::newRow("2 s") << qint64(2000) << qint64(2200);
    QTest::newRow("300 s") << qint64(300000) << qint64(330000);
    QTest::newRow("an hour: the jitter stays at 30 s") << qint64(3600000) << qint64(3630000);
}

void TestRetryBackoff::advice_isNeverCutShort()
{
    QFETCH(qint64, advice);
    QFETCH(qint64, most);
    for (std::uint64_t draw = 0; draw < 5000; ++draw) {
        const auto delay = adviceDelay(Numbers{}, ms(advice), draw).count();
        QVERIFY(delay >= advice && delay <= most);
    }
}

QTEST_APPLESS_MAIN(TestRetryBackoff)
#include "tst_retry_backoff.moc"
