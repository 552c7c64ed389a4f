#include "bank/card.h"
#include "bank/random_name.h"

#include <QtTest/QTest>

#include <set>

using namespace payonce;

class TestCard : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void outcomeAndBrand_areReadFromTheNumber_data()
    {
        QTest::addColumn<QByteArray>("number");
        QTest::addColumn<QByteArray>("declineCode");
        QTest::addColumn<QByteArray>("brand");
        QTest::addColumn<QByteArray>("lastFour");

        const auto row = [](const char* number, const char* code, const char* brand, const char* last) {
            QTest::newRow(number) << QByteArray(number) << QByteArray(code) << QByteArray(brand) << QByteArray(last);
        };
        row("4242424242424242", "", "visa", "4242");
        row("4000000000000002", "generic_decline", "visa", "0002");
        row("4000000000009995", "insufficient_funds", "visa", "9995");
        row("4000000000000069", "expired_card", "visa", "0069");
        row("4000000000000127", "incorrect_cvc", "visa", "0127");
        row("4000000000000119", "processing_error", "visa", "0119");
        row("5555555555554444", "", "mastercard", "4444");
        row("2221000000000009", "", "mastercard", "0009");
        row("2720990000000007", "", "mastercard", "0007");
        row("2721000000000004", "", "card", "0004");
        row("378282246310005", "", "amex", "0005");
        row("341111111111111", "", "amex", "1111");
        row("6011111111111117", "", "discover", "1117");
        row("6500000000000002", "", "discover", "0002");
        row("3566002020360505", "", "card", "0505");
    }
    void outcomeAndBrand_areReadFromTheNumber()
    {
        QFETCH(QByteArray, number);
        QFETCH(QByteArray, declineCode);
        QFETCH(QByteArray, brand);
        QFETCH(QByteArray, lastFour);

        const bank::Card card = bank::cardOf(number.toStdString());

        QCOMPARE(QByteArray::fromStdString(card.declineCode), declineCode);
        QCOMPARE(QByteArray::fromStdString(card.brand), brand);
        QCOMPARE(QByteArray::fromStdString(card.lastFour), lastFour);
    }

    void randomNames_keepThePrefixAndDiffer()
    {
        std::set<std::string> names;
        for (int i = 0; i < 1000; ++i) {
            const std::string name = bank::randomName("ch_");
            QVERIFY(name.starts_with("ch_"));
            QCOMPARE(name.size(), std::size_t{29});
            names.insert(name);
        }
        QCOMPARE(names.size(), std::size_t{1000});
    }
};

QTEST_GUILESS_MAIN(TestCard)
#include "tst_card.moc"
