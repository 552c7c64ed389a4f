#include "ui/samples.h"
#include "viewmodels/money_text.h"

#include <QtCore/QLocale>
#include <QtTest/QTest>

using namespace payonce;
using tests::money;

class TestMoneyText : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    void everyDigitIsExact_data()
    {
        QTest::addColumn<qint64>("minorUnits");
        QTest::addColumn<QByteArray>("currency");
        QTest::addColumn<QString>("text");
        QTest::newRow("42.00") << qint64(4200) << QByteArray("EUR") << QStringLiteral("42.00 €");
        QTest::newRow("8.20") << qint64(820) << QByteArray("EUR") << QStringLiteral("8.20 €");
        QTest::newRow("19.99") << qint64(1999) << QByteArray("EUR") << QStringLiteral("19.99 €");
        QTest::newRow("582.42") << qint64(58242) << QByteArray("EUR") << QStringLiteral("582.42 €");
        QTest::newRow("one cent") << qint64(1) << QByteArray("EUR") << QStringLiteral("0.01 €");
        QTest::newRow("yen have no minor digits") << qint64(80) << QByteArray("JPY") << QStringLiteral("80 JPY");
        QTest::newRow("dinars have three") << qint64(1500) << QByteArray("KWD") << QStringLiteral("1.500 KWD");
        QTest::newRow("largest") << qint64(99'999'999'999) << QByteArray("EUR") << QStringLiteral("999999999.99 €");
        QTest::newRow("a discount") << qint64(-250) << QByteArray("EUR") << QStringLiteral("−2.50 €");
    }
    void everyDigitIsExact()
    {
        QFETCH(qint64, minorUnits);
        QFETCH(QByteArray, currency);
        QTEST(viewmodels::moneyText(money(minorUnits, currency.toStdString())), "text");
    }

    void theLocale_changesNothing()
    {
        const QLocale before;
        QLocale::setDefault(QLocale(QLocale::German, QLocale::Germany));
        const QString text = viewmodels::moneyText(money(58242, "EUR"));
        QLocale::setDefault(before);
        QCOMPARE(text, QStringLiteral("582.42 €"));
    }

    void cart_thatDoesNotAddUp_isNotPayable()
    {
        QVERIFY(isPayable(tests::sampleCart()));
        QVERIFY(isPayable(tests::cartOf(money(80, "JPY"))));

        auto cart = tests::sampleCart();
        cart.total.minorUnits += 1;
        QVERIFY(!isPayable(cart));
        cart = tests::sampleCart();
        cart.tax.currency = money(0, "JPY").currency;
        QVERIFY(!isPayable(cart));
        cart = tests::sampleCart();
        cart.lines[0].amount.currency = money(0, "JPY").currency;
        QVERIFY(!isPayable(cart));
        cart = tests::sampleCart();
        cart.lines[0].quantity = 0;
        QVERIFY(!isPayable(cart));
        cart = tests::sampleCart();
        cart.lines.clear();
        QVERIFY(!isPayable(cart));
        cart = tests::sampleCart();
        cart.id.clear();
        QVERIFY(!isPayable(cart));
        QVERIFY(!isPayable(tests::cartOf(money(0, "EUR"))));
        QVERIFY(!isPayable(tests::cartOf(money(100'000'000'000, "EUR"))));
    }
};

QTEST_APPLESS_MAIN(TestMoneyText)
#include "tst_money_text.moc"
