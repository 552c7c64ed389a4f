#include "protocol/http_date.h"

#include <QtTest/QTest>

using namespace payonce;
using namespace payonce::protocol;

namespace {

constexpr qint64 kNow = 1796032800000; // Mon, 30 Nov 2026 10:00:00 GMT

values::WallTime at(qint64 millis)
{
    return values::WallTime{std::chrono::milliseconds(millis)};
}

} // namespace

class HttpDateTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void everyForm_isRead_data();
    void everyForm_isRead();
    void otherText_isNoDate_data();
    void otherText_isNoDate();
    void date_isWrittenAsImfFixdate_data();
    void date_isWrittenAsImfFixdate();
    void retryAfter_becomesADelay_data();
    void retryAfter_becomesADelay();
    void retryAfterThatIsNeither_isNoDelay_data();
    void retryAfterThatIsNeither_isNoDelay();
};

void HttpDateTest::everyForm_isRead_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<qint64>("millis");
    // RFC 9110, 5.6.7: three spellings of one time.
    QTest::newRow("IMF-fixdate") << QByteArray("Sun, 06 Nov 1994 08:49:37 GMT") << qint64(784111777000);
    QTest::newRow("RFC 850") << QByteArray("Sunday, 06-Nov-94 08:49:37 GMT") << qint64(784111777000);
    QTest::newRow("asctime") << QByteArray("Sun Nov  6 08:49:37 1994") << qint64(784111777000);
    QTest::newRow("now") << QByteArray("Mon, 30 Nov 2026 10:00:00 GMT") << kNow;
    QTest::newRow("leap day") << QByteArray("Thu, 29 Feb 2024 00:00:00 GMT") << qint64(1709164800000);
    QTest::newRow("leap second") << QByteArray("Sat, 31 Dec 2016 23:59:60 GMT") << qint64(1483228800000);
    QTest::newRow("two digits, 49 years ahead") << QByteArray("Friday, 01-Jan-75 00:00:00 GMT") << qint64(3313526400000);
    QTest::newRow("two digits, 51 years ahead is past")
        << QByteArray("Saturday, 01-Jan-77 00:00:00 GMT") << qint64(220924800000);
    QTest::newRow("asctime, two-digit day") << QByteArray("Mon Nov 30 10:00:00 2026") << kNow;
}

void HttpDateTest::everyForm_isRead()
{
    QFETCH(QByteArray, text);
    QFETCH(qint64, millis);
    const auto time = fromHttpDate(text.toStdString(), at(kNow));
    QVERIFY(time.has_value());
    QCOMPARE(qint64(time->time_since_epoch().count()), millis);
}

void HttpDateTest::otherText_isNoDate_data()
{
    QTest::addColumn<QByteArray>("text");
    for (const char* text : {"",
                             " ",
                             "now",
                             "Mon, 30 Nov 2026 10:00:00",
                             "Mon, 30 Nov 2026 10:00:00 CET",
                             "Mon, 30 Nov 26 10:00:00 GMT",
                             "Mon, 31 Nov 2026 10:00:00 GMT",
                             "Mon, 30 Foo 2026 10:00:00 GMT",
                             "Xyz, 30 Nov 2026 10:00:00 GMT",
                             "Mon, 30 Nov 2026 24:00:00 GMT",
                             "Mon, 30 Nov 2026 10:60:00 GMT",
                             "Mon, 30 Nov 2026 10:00:61 GMT",
                             "Mon, 30 Nov 2026 10:00 GMT",
                             "Mon, 3 Nov 2026 10:00:00 GMT",
                             "Mon, 30 Nov 2026 1:00:00 GMT",
                             "Mon 30 Nov 2026 10:00:00 GMT",
                             "Monday, 30-Nov-2026 10:00:00 GMT",
                             "Mon, 30-Nov-26 10:00:00 GMT",
                             "Monday, 30-Nov 10:00:00 GMT",
                             "Mon Nov 30 10:00:00 26",
                             "Xyz Nov 30 10:00:00 2026",
                             "2026-11-30T10:00:00Z",
                             "a b c d",
                             "a b c d e",
                             "a b c d e f"})
        QTest::addRow("'%s'", text) << QByteArray(text);
}

void HttpDateTest::otherText_isNoDate()
{
    QFETCH(QByteArray, text);
    QVERIFY(!fromHttpDate(text.toStdString(), at(kNow)));
}

void HttpDateTest::date_isWrittenAsImfFixdate_data()
{
    QTest::addColumn<qint64>("millis");
    QTest::addColumn<QByteArray>("text");
    QTest::newRow("now, its milliseconds dropped") << kNow + 999 << QByteArray("Mon, 30 Nov 2026 10:00:00 GMT");
    QTest::newRow("RFC 9110's") << qint64(784111777000) << QByteArray("Sun, 06 Nov 1994 08:49:37 GMT");
    QTest::newRow("epoch") << qint64(0) << QByteArray("Thu, 01 Jan 1970 00:00:00 GMT");
}

void HttpDateTest::date_isWrittenAsImfFixdate()
{
    QFETCH(qint64, millis);
    QFETCH(QByteArray, text);
    QCOMPARE(QByteArray::fromStdString(toHttpDate(at(millis))), text);
}

void HttpDateTest::retryAfter_becomesADelay_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<qint64>("millis");
    QTest::newRow("seconds") << QByteArray("120") << qint64(120'000);
    QTest::newRow("none") << QByteArray("0") << qint64(0);
    QTest::newRow("date ahead") << QByteArray("Mon, 30 Nov 2026 10:00:07 GMT") << qint64(7000);
    QTest::newRow("date past") << QByteArray("Mon, 30 Nov 2026 09:00:00 GMT") << qint64(0);
    QTest::newRow("too many seconds to count") << QByteArray("99999999999999999999") << qint64(365) * 24 * 3600 * 1000;
    QTest::newRow("more than a year") << QByteArray("999999999") << qint64(365) * 24 * 3600 * 1000;
    QTest::newRow("date far ahead") << QByteArray("Mon, 30 Nov 2099 10:00:00 GMT") << qint64(365) * 24 * 3600 * 1000;
}

void HttpDateTest::retryAfter_becomesADelay()
{
    QFETCH(QByteArray, text);
    QFETCH(qint64, millis);
    const auto delay = parseRetryAfter(text.toStdString(), at(kNow));
    QVERIFY(delay.has_value());
    QCOMPARE(qint64(delay->count()), millis);
}

void HttpDateTest::retryAfterThatIsNeither_isNoDelay_data()
{
    QTest::addColumn<QByteArray>("text");
    for (const char* text : {"", "-1", "1.5", "soon", "1s", "+1", "Mon, 30 Nov"})
        QTest::addRow("'%s'", text) << QByteArray(text);
}

void HttpDateTest::retryAfterThatIsNeither_isNoDelay()
{
    QFETCH(QByteArray, text);
    QVERIFY(!parseRetryAfter(text.toStdString(), at(kNow)));
}

QTEST_APPLESS_MAIN(HttpDateTest)
#include "tst_http_date.moc"
