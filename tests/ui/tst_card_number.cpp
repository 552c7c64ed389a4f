#include "viewmodels/card_number.h"

#include <QtTest/QTest>

using namespace payonce::viewmodels;

class TestCardNumber : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    void luhn_data()
    {
        QTest::addColumn<QString>("digits");
        QTest::addColumn<bool>("holds");
        QTest::newRow("visa") << QStringLiteral("4242424242424242") << true;
        QTest::newRow("visa, last digit off by one") << QStringLiteral("4242424242424241") << false;
        QTest::newRow("visa, two digits swapped") << QStringLiteral("2442424242424242") << false;
        QTest::newRow("mastercard") << QStringLiteral("5555555555554444") << true;
        QTest::newRow("amex") << QStringLiteral("378282246310005") << true;
        QTest::newRow("declined card") << QStringLiteral("4000000000000002") << true;
        QTest::newRow("example of the standard") << QStringLiteral("79927398713") << true;
        QTest::newRow("example of the standard, wrong") << QStringLiteral("79927398710") << false;
        QTest::newRow("one digit") << QStringLiteral("0") << false;
        QTest::newRow("empty") << QString() << false;
        QTest::newRow("no digits") << QStringLiteral("42x4") << false;
        QTest::newRow("digits of another script") << QStringLiteral("٠٠") << false;
    }
    void luhn()
    {
        QFETCH(QString, digits);
        QTEST(luhnHolds(digits), "holds");
    }

    void grouping_data()
    {
        QTest::addColumn<QString>("typed");
        QTest::addColumn<QString>("grouped");
        QTest::newRow("nothing") << QString() << QString();
        QTest::newRow("one block") << QStringLiteral("4242") << QStringLiteral("4242");
        QTest::newRow("one more digit") << QStringLiteral("42424") << QStringLiteral("4242 4");
        QTest::newRow("whole number") << QStringLiteral("4242424242424242") << QStringLiteral("4242 4242 4242 4242");
        QTest::newRow("pasted with dashes") << QStringLiteral(" 5555-5555-5555-4444 ") << QStringLiteral("5555 5555 5555 4444");
        QTest::newRow("mastercard is cut at 16")
            << QStringLiteral("55555555555544449") << QStringLiteral("5555 5555 5555 4444");
        QTest::newRow("amex in its own blocks") << QStringLiteral("378282246310005") << QStringLiteral("3782 822463 10005");
        QTest::newRow("cut at 19") << QStringLiteral("62000000000000000009") << QStringLiteral("6200 0000 0000 0000 000");
        QTest::newRow("letters are dropped") << QStringLiteral("4a2b") << QStringLiteral("42");
    }
    void grouping()
    {
        QFETCH(QString, typed);
        QTEST(groupedNumber(typed), "grouped");
    }

    void brand_data()
    {
        QTest::addColumn<QString>("digits");
        QTest::addColumn<QString>("brand");
        QTest::newRow("visa") << QStringLiteral("4") << QStringLiteral("visa");
        QTest::newRow("mastercard 51") << QStringLiteral("51") << QStringLiteral("mastercard");
        QTest::newRow("mastercard 55") << QStringLiteral("55") << QStringLiteral("mastercard");
        QTest::newRow("mastercard 2221") << QStringLiteral("2221") << QStringLiteral("mastercard");
        QTest::newRow("mastercard 2720") << QStringLiteral("2720") << QStringLiteral("mastercard");
        QTest::newRow("just below") << QStringLiteral("2220") << QStringLiteral("other");
        QTest::newRow("just above") << QStringLiteral("2721") << QStringLiteral("other");
        QTest::newRow("56") << QStringLiteral("56") << QStringLiteral("other");
        QTest::newRow("amex 34") << QStringLiteral("34") << QStringLiteral("amex");
        QTest::newRow("amex 37") << QStringLiteral("37") << QStringLiteral("amex");
        QTest::newRow("not known yet") << QStringLiteral("5") << QStringLiteral("other");
        QTest::newRow("empty") << QString() << QStringLiteral("other");
    }
    void brand()
    {
        QFETCH(QString, digits);
        QTEST(nameOf(brandOf(digits)), "brand");
    }

    void expiryGrouping_data()
    {
        QTest::addColumn<QString>("typed");
        QTest::addColumn<QString>("grouped");
        QTest::newRow("four digits") << QStringLiteral("1231") << QStringLiteral("12 / 31");
        QTest::newRow("slash") << QStringLiteral("12/31") << QStringLiteral("12 / 31");
        QTest::newRow("long year") << QStringLiteral("12 / 2031") << QStringLiteral("12 / 31");
        QTest::newRow("month of one digit") << QStringLiteral("3") << QStringLiteral("03");
        QTest::newRow("one may become ten") << QStringLiteral("1") << QStringLiteral("1");
        QTest::newRow("one and a slash") << QStringLiteral("1/31") << QStringLiteral("01 / 31");
        QTest::newRow("three digits") << QStringLiteral("123") << QStringLiteral("12 / 3");
        QTest::newRow("too many") << QStringLiteral("123456") << QStringLiteral("12 / 34");
        QTest::newRow("back over the slash") << QStringLiteral("12 / ") << QStringLiteral("12");
        QTest::newRow("letters") << QStringLiteral("ab") << QString();
    }
    void expiryGrouping()
    {
        QFETCH(QString, typed);
        QTEST(groupedExpiry(typed), "grouped");
    }

    void expiry_onlyWithARealMonth()
    {
        QCOMPARE(expiryOf(QStringLiteral("12 / 31"))->month, 12);
        QCOMPARE(expiryOf(QStringLiteral("12 / 31"))->year, 2031);
        QVERIFY(!expiryOf(QStringLiteral("13 / 31")));
        QVERIFY(!expiryOf(QStringLiteral("00 / 31")));
        QVERIFY(!expiryOf(QStringLiteral("12 / 3")));
    }

    void cursor_staysAfterTheSameDigit_data()
    {
        QTest::addColumn<QString>("typed");
        QTest::addColumn<int>("cursor");
        QTest::addColumn<int>("expected");
        QTest::newRow("typed at the end, a gap came") << QStringLiteral("4242 42424") << 10 << 11;
        QTest::newRow("typed in the middle") << QStringLiteral("42942 4242") << 3 << 3;
        QTest::newRow("typed across a gap") << QStringLiteral("42429 4242") << 5 << 6;
        QTest::newRow("backspace over the gap") << QStringLiteral("42424242") << 4 << 4;
        QTest::newRow("at the start") << QStringLiteral("4242 4242") << 0 << 0;
    }
    void cursor_staysAfterTheSameDigit()
    {
        QFETCH(QString, typed);
        QFETCH(int, cursor);
        QTEST(static_cast<int>(cursorAfterGrouping(typed, cursor, groupedNumber(typed))), "expected");
    }
};

QTEST_APPLESS_MAIN(TestCardNumber)
#include "tst_card_number.moc"
