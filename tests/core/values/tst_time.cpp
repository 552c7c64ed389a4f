#include "values/time.h"

#include <QtTest/QTest>

using namespace payonce::values;

class TimeTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void rfc3339_isReadExactly_data();
    void rfc3339_isReadExactly();
    void textThatIsNoDateTime_isRefused_data();
    void textThatIsNoDateTime_isRefused();
    void time_isWrittenInUtcWithMilliseconds_data();
    void time_isWrittenInUtcWithMilliseconds();
};

void TimeTest::rfc3339_isReadExactly_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<qint64>("millis");
    QTest::newRow("epoch") << QByteArray("1970-01-01T00:00:00Z") << qint64(0);
    QTest::newRow("contract's example") << QByteArray("2026-11-30T10:00:00.000Z") << qint64(1796032800000);
    QTest::newRow("milliseconds") << QByteArray("2026-11-30T10:00:00.123Z") << qint64(1796032800123);
    QTest::newRow("short fraction") << QByteArray("2026-11-30T10:00:00.5Z") << qint64(1796032800500);
    QTest::newRow("long fraction is cut") << QByteArray("2026-11-30T10:00:00.123999Z") << qint64(1796032800123);
    QTest::newRow("east") << QByteArray("2026-11-30T12:30:00+02:30") << qint64(1796032800000);
    QTest::newRow("west") << QByteArray("2026-11-30T05:00:00-05:00") << qint64(1796032800000);
    QTest::newRow("lower case") << QByteArray("2026-11-30t10:00:00z") << qint64(1796032800000);
    QTest::newRow("leap day") << QByteArray("2024-02-29T00:00:00Z") << qint64(1709164800000);
    QTest::newRow("leap second") << QByteArray("2016-12-31T23:59:60Z") << qint64(1483228800000);
    QTest::newRow("before the epoch") << QByteArray("1969-12-31T23:59:59.999Z") << qint64(-1);
    QTest::newRow("RFC 3339, 5.8") << QByteArray("1985-04-12T23:20:50.52Z") << qint64(482196050520);
    QTest::newRow("RFC 3339, 5.8, west") << QByteArray("1996-12-19T16:39:57-08:00") << qint64(851042397000);
}

void TimeTest::rfc3339_isReadExactly()
{
    QFETCH(QByteArray, text);
    QFETCH(qint64, millis);
    const auto time = fromRfc3339(text.toStdString());
    QVERIFY(time.has_value());
    QCOMPARE(qint64(time->time_since_epoch().count()), millis);
}

void TimeTest::textThatIsNoDateTime_isRefused_data()
{
    QTest::addColumn<QByteArray>("text");
    for (const char* text : {"",
                             "2026-11-30",
                             "2026-11-30T10:00:00",
                             "2026-11-30 10:00:00Z",
                             "2026-11-30T10:00Z",
                             "2026-11-30T10:00:00.Z",
                             "2026-13-01T00:00:00Z",
                             "2026-02-29T00:00:00Z",
                             "2026-04-31T00:00:00Z",
                             "2026-00-10T00:00:00Z",
                             "2026-01-00T00:00:00Z",
                             "2026-11-30T24:00:00Z",
                             "2026-11-30T10:60:00Z",
                             "2026-11-30T10:00:61Z",
                             "2026-11-30T10:00:00+24:00",
                             "2026-11-30T10:00:00+02:60",
                             "2026-11-30T10:00:00+0200",
                             "2026-11-30T10:00:00ZZ",
                             "2026-11-30T10:00:00Z ",
                             " 2026-11-30T10:00:00Z",
                             "26-11-30T10:00:00Z",
                             "+2026-11-30T10:00:00Z",
                             "2026-11-30T1a:00:00Z",
                             "1796032800"})
        QTest::addRow("'%s'", text) << QByteArray(text);
}

void TimeTest::textThatIsNoDateTime_isRefused()
{
    QFETCH(QByteArray, text);
    QVERIFY(!fromRfc3339(text.toStdString()));
}

void TimeTest::time_isWrittenInUtcWithMilliseconds_data()
{
    QTest::addColumn<qint64>("millis");
    QTest::addColumn<QByteArray>("text");
    QTest::newRow("epoch") << qint64(0) << QByteArray("1970-01-01T00:00:00.000Z");
    QTest::newRow("contract's example") << qint64(1796032800000) << QByteArray("2026-11-30T10:00:00.000Z");
    QTest::newRow("leap day") << qint64(1709251199999) << QByteArray("2024-02-29T23:59:59.999Z");
    QTest::newRow("before the epoch") << qint64(-1) << QByteArray("1969-12-31T23:59:59.999Z");
}

void TimeTest::time_isWrittenInUtcWithMilliseconds()
{
    QFETCH(qint64, millis);
    QFETCH(QByteArray, text);
    const WallTime time{std::chrono::milliseconds(millis)};
    QCOMPARE(QByteArray::fromStdString(toRfc3339(time)), text);
    QVERIFY(fromRfc3339(toRfc3339(time)) == time);
}

QTEST_APPLESS_MAIN(TimeTest)
#include "tst_time.moc"
