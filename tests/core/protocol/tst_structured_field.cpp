#include "protocol/structured_field.h"

#include <QtTest/QTest>

using namespace payonce::protocol;

class StructuredFieldTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void string_isReadAsRfc9651Says_data();
    void string_isReadAsRfc9651Says();
    void textThatIsNoString_isRefused_data();
    void textThatIsNoString_isRefused();
    void integer_isReadAsRfc9651Says();
    void item_isSplitFromItsParameters();
    void separatorInQuotes_doesNotSplit();
};

void StructuredFieldTest::string_isReadAsRfc9651Says_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("value");
    // From the test suite of the structured fields: string.json.
    QTest::newRow("basic") << QByteArray(R"("foo bar")") << QByteArray("foo bar");
    QTest::newRow("empty") << QByteArray(R"("")") << QByteArray("");
    QTest::newRow("white space") << QByteArray(R"("   ")") << QByteArray("   ");
    QTest::newRow("quoting") << QByteArray(R"("foo \"bar\" \\ baz")") << QByteArray(R"(foo "bar" \ baz)");
}

void StructuredFieldTest::string_isReadAsRfc9651Says()
{
    QFETCH(QByteArray, text);
    QFETCH(QByteArray, value);
    const auto read = wholeString(text.toStdString());
    QVERIFY(read.has_value());
    QCOMPARE(QByteArray::fromStdString(*read), value);
}

void StructuredFieldTest::textThatIsNoString_isRefused_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::newRow("nothing") << QByteArray("");
    QTest::newRow("one quote") << QByteArray("\"");
    QTest::newRow("bad quoting") << QByteArray(R"("foo \,")");
    QTest::newRow("ending quote") << QByteArray(R"("foo \")");
    QTest::newRow("abruptly ending") << QByteArray(R"("foo \)");
    QTest::newRow("unbalanced") << QByteArray(R"("foo)");
    QTest::newRow("two strings") << QByteArray(R"("foo" "bar")");
    QTest::newRow("single quotes") << QByteArray("'foo'");
    QTest::newRow("tab") << QByteArray("\"\t\"");
    QTest::newRow("new line") << QByteArray("\"a\nb\"");
    QTest::newRow("non-ascii") << QByteArray("\"f\xC3\xBC\"");
}

void StructuredFieldTest::textThatIsNoString_isRefused()
{
    QFETCH(QByteArray, text);
    QVERIFY(!wholeString(text.toStdString()));
}

void StructuredFieldTest::integer_isReadAsRfc9651Says()
{
    QVERIFY(wholeInteger("0") == 0);
    QVERIFY(wholeInteger("-0") == 0);
    QVERIFY(wholeInteger("042") == 42);
    QVERIFY(wholeInteger("999999999999999") == 999'999'999'999'999);
    QVERIFY(wholeInteger("-999999999999999") == -999'999'999'999'999);
    for (const char* text : {"", "-", "--1", "+1", "1.0", "1e1", "4 2", "a", "1000000000000000"})
        QVERIFY2(!wholeInteger(text), text);
}

void StructuredFieldTest::item_isSplitFromItsParameters()
{
    const auto item = itemOf("2;a=\"x;y\"; b=1;flag");
    QVERIFY(item.has_value());
    QCOMPARE(QByteArray::fromStdString(item->value), QByteArray("2"));
    QCOMPARE(item->parameters.size(), 3U);
    QCOMPARE(QByteArray::fromStdString(item->parameters.at(0).value), QByteArray("\"x;y\""));
    QCOMPARE(QByteArray::fromStdString(item->parameters.at(1).name), QByteArray("b"));
    QCOMPARE(QByteArray::fromStdString(item->parameters.at(2).value), QByteArray("?1"));
    for (const char* text : {"2;", "2;;", "2;=1", "2;A=1", "2;1a=1", "2;a b=1"})
        QVERIFY2(!itemOf(text), text);
}

void StructuredFieldTest::separatorInQuotes_doesNotSplit()
{
    QCOMPARE(splitOutsideQuotes("a,\"b,\\\",c\",d", ',').size(), 3U);
    QCOMPARE(splitOutsideQuotes("", ',').size(), 1U);
    QCOMPARE(splitOutsideQuotes("a,", ',').size(), 2U);
}

QTEST_APPLESS_MAIN(StructuredFieldTest)
#include "tst_structured_field.moc"
