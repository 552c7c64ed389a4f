// JsonLine writes what OrderedJson would.
#include "faults/json_line.h"

#include "faults/json_text.h"

#include <QtTest/QTest>

#include <limits>

using namespace payonce::faults;

class TestJsonLine : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void text_isQuotedAsTheJsonWriterDoes_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::newRow("empty") << QByteArray("");
        QTest::newRow("a key") << QByteArray("01936f2e-7c00-7000-8000-00000a2c4d5e");
        QTest::newRow("quote") << QByteArray("a\"b");
        QTest::newRow("backslash") << QByteArray("a\\b");
        QTest::newRow("line feed") << QByteArray("a\nb");
        QTest::newRow("NUL") << QByteArray("a\0b", 3);
        QTest::newRow("DEL") << QByteArray("a\x7f");
        QTest::newRow("two bytes") << QByteArray("\xc3\xa9");
        QTest::newRow("line separator") << QByteArray("\xe2\x80\xa8");
        QTest::newRow("noncharacter") << QByteArray("\xef\xbf\xbf");
        QTest::newRow("no UTF-8") << QByteArray("\xff a");
        QTest::newRow("cut in the middle") << QByteArray("\xe2\x80");
    }
    void text_isQuotedAsTheJsonWriterDoes()
    {
        QFETCH(QByteArray, text);
        const auto plain = text.toStdString();
        std::string line;
        appendQuoted(line, plain);
        QCOMPARE(line, textOf(OrderedJson(plain)));
        std::string object;
        JsonLine(object).text("t", plain).end();
        QCOMPARE(object, textOf({{"t", plain}}));
    }

    void members_areThoseOfTheJsonWriter()
    {
        using Limits = std::numeric_limits<std::int64_t>;
        std::string text;
        JsonLine line(text);
        line.number("low", Limits::min()).number("high", Limits::max());
        line.number("unsigned", std::numeric_limits<std::uint64_t>::max()).number("none", 0);
        line.textOrNull("empty", "").textOrNull("full", "x").begin("inner");
        JsonLine(text).end();
        line.end();
        const OrderedJson value{{"low", Limits::min()},
                                {"high", Limits::max()},
                                {"unsigned", std::numeric_limits<std::uint64_t>::max()},
                                {"none", 0},
                                {"empty", nullptr},
                                {"full", "x"},
                                {"inner", OrderedJson::object()}};
        QCOMPARE(text, textOf(value));
    }
};

QTEST_GUILESS_MAIN(TestJsonLine)
#include "tst_json_line.moc"
