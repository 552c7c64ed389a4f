#include "protocol/strict_json.h"

#include <QtTest/QTest>

using namespace payonce::protocol;

namespace {

std::string nested(int depth)
{
    const auto count = static_cast<std::size_t>(depth);
    return std::string(count, '[') + std::string(count, ']');
}

} // namespace

class StrictJsonTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void goodText_isRead_data();
    void goodText_isRead();
    void badText_isRefusedWithItsKind_data();
    void badText_isRefusedWithItsKind();
    void error_namesLineColumnAndPath_data();
    void error_namesLineColumnAndPath();
    void everyKind_hasWords();
    void nestingUpToTheBound_isRead();
    void integerToken_staysAnInteger();
    void longNameAboveManyMembers_hasNoPlaces();
    void places_areThoseOfNamesAndElements();
};

void StrictJsonTest::goodText_isRead_data()
{
    QTest::addColumn<QByteArray>("text");
    for (const char* text : {"{}",
                             "[]",
                             "null",
                             "true",
                             "0",
                             "-0",
                             "\"\"",
                             " {\"a\" : [ 1 , 2.5 , -3e2 ] } \r\n\t",
                             R"({"a":{"a":{"a":1}}})",
                             "0.1",
                             "1e22",
                             "1E-7",
                             "4.50",
                             "9007199254740992",
                             "-9007199254740992",
                             "9007199254740994",
                             "1.7976931348623157e308",
                             "5e-324",
                             R"("\ud83d\ude00")",
                             R"("\\ud800")",
                             R"("\u0000")",
                             "\"\xF0\x9F\x98\x80\"",
                             "0e999999999999",
                             "123456789012.25",
                             R"({"a":1,"A":2,"\u0061b":3})"})
        QTest::addRow("%s", text) << QByteArray(text);
}

void StrictJsonTest::goodText_isRead()
{
    QFETCH(QByteArray, text);
    const auto json = parseStrict(text.toStdString());
    if (!json)
        QFAIL(wordsOf(json.error()).c_str());
    QVERIFY(*json == Json::parse(text.toStdString()));
}

void StrictJsonTest::badText_isRefusedWithItsKind_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<JsonErrorKind>("kind");
    const auto add = [](const char* name, const QByteArray& text, JsonErrorKind kind) { QTest::newRow(name) << text << kind; };
    add("nothing", "", JsonErrorKind::Syntax);
    add("white space only", " \n", JsonErrorKind::Syntax);
    add("cut off", "{\"a\":", JsonErrorKind::Syntax);
    add("cut in a string", "[\"ab", JsonErrorKind::Syntax);
    add("two values", "1 2", JsonErrorKind::Syntax);
    add("trailing comma", "[1,]", JsonErrorKind::Syntax);
    add("comment", "{}//", JsonErrorKind::Syntax);
    add("single quotes", "{'a':1}", JsonErrorKind::Syntax);
    add("leading zero", "01", JsonErrorKind::Syntax);
    add("plus", "+1", JsonErrorKind::Syntax);
    add("bare point", "1.", JsonErrorKind::Syntax);
    add("NaN", "NaN", JsonErrorKind::Syntax);
    add("control character in a string", "\"a\nb\"", JsonErrorKind::Syntax);
    add("unknown escape", R"("\x41")", JsonErrorKind::Syntax);
    add("half an escape", R"("\u12")", JsonErrorKind::Syntax);
    add("byte order mark", "\xEF\xBB\xBF{}", JsonErrorKind::Syntax);
    add("NUL behind the value", QByteArray("{}\0garbage", 10), JsonErrorKind::Syntax);
    add("NUL inside a string", QByteArray("\"a\0b\"", 5), JsonErrorKind::Syntax);
    add("latin-1", "\"\xE9\"", JsonErrorKind::InvalidUtf8);
    add("overlong slash", "\"\xC0\xAF\"", JsonErrorKind::InvalidUtf8);
    add("surrogate in UTF-8", "\"\xED\xA0\x80\"", JsonErrorKind::InvalidUtf8);
    add("beyond Unicode", "\"\xF4\x90\x80\x80\"", JsonErrorKind::InvalidUtf8);
    add("cut in a sequence", "\"\xE2\x82", JsonErrorKind::InvalidUtf8);
    add("high surrogate alone", R"("\ud83d")", JsonErrorKind::LoneSurrogate);
    add("high surrogate, then a letter", R"("\ud83dx")", JsonErrorKind::LoneSurrogate);
    add("high surrogate twice", R"("\uD83D\uD83D")", JsonErrorKind::LoneSurrogate);
    add("low surrogate alone", R"("a\ude00")", JsonErrorKind::LoneSurrogate);
    add("low surrogate after a pair", R"("\ud83d\ude00\ude00")", JsonErrorKind::LoneSurrogate);
    add("lone surrogate in a name", R"({"\udfff":1})", JsonErrorKind::LoneSurrogate);
    add("noncharacter", R"("\ufffe")", JsonErrorKind::Noncharacter);
    add("noncharacter as UTF-8", "\"\xEF\xB7\x90\"", JsonErrorKind::Noncharacter);
    add("noncharacter of a high plane", R"("\ud83f\udfff")", JsonErrorKind::Noncharacter);
    add("noncharacter in a name", R"({"\uffff":1})", JsonErrorKind::Noncharacter);
    add("doubled name", R"({"a":1,"a":1})", JsonErrorKind::DuplicateMember);
    add("doubled name, one escaped", R"({"a":1,"\u0061":2})", JsonErrorKind::DuplicateMember);
    add("doubled name deep inside", R"([{"x":{"b":1,"c":2,"b":3}}])", JsonErrorKind::DuplicateMember);
    add("name right behind a number", "[9.00name", JsonErrorKind::Syntax);
    add("2^53 + 1", "9007199254740993", JsonErrorKind::InexactNumber);
    add("-(2^53 + 1)", "-9007199254740993", JsonErrorKind::InexactNumber);
    add("2^64 - 1", "18446744073709551615", JsonErrorKind::InexactNumber);
    add("beyond 64 bits, inexact", "100000000000000000000000000001", JsonErrorKind::InexactNumber);
    add("too many digits", "3.141592653589793238462643383279", JsonErrorKind::InexactNumber);
    add("too large", "1e400", JsonErrorKind::InexactNumber);
    add("too large an exponent", "1e99999999999999999999", JsonErrorKind::InexactNumber);
    add("too small", "1e-400", JsonErrorKind::InexactNumber);
    add("nested too deeply", QByteArray::fromStdString(nested(kDeepestNesting + 1)), JsonErrorKind::TooDeep);
    add("objects too deep", QByteArray("{\"a\":").repeated(kDeepestNesting + 1), JsonErrorKind::TooDeep);
    add("very deep", QByteArray("[").repeated(1'000'000), JsonErrorKind::TooDeep);
}

void StrictJsonTest::badText_isRefusedWithItsKind()
{
    QFETCH(QByteArray, text);
    QFETCH(JsonErrorKind, kind);
    const auto json = parseStrict(std::string_view(text.constData(), static_cast<std::size_t>(text.size())));
    QVERIFY(!json);
    QCOMPARE(json.error().kind, kind);
}

void StrictJsonTest::error_namesLineColumnAndPath_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("words");
    const auto add = [](const char* name, const char* text, const char* words) {
        QTest::newRow(name) << QByteArray(text) << QByteArray(words);
    };
    add("doubled name", "{\n  \"a\": 1,\n  \"a\": 2\n}", "member name used twice at line 3, column 3 (/a)");
    add("inexact number in an array", "{\"n\": [1,\n 9007199254740993]}",
        "number that binary64 cannot hold exactly at line 2, column 2 (/n/1)");
    add("lone surrogate", R"({"x":{"y/~":"\ud800"}})", "half of a surrogate pair at line 1, column 13 (/x/y~1~0)");
    add("cut off", "{\"a\":\n", "not JSON at line 2, column 1 (/a)");
    add("bytes", "[\n\"\xFF\"]", "not UTF-8 at line 2, column 2");
    add("whole text", "nul", "not JSON at line 1, column 1");
}

void StrictJsonTest::error_namesLineColumnAndPath()
{
    QFETCH(QByteArray, text);
    QFETCH(QByteArray, words);
    const auto json = parseStrict(text.toStdString());
    QVERIFY(!json);
    QCOMPARE(QByteArray::fromStdString(wordsOf(json.error())), words);
}

void StrictJsonTest::everyKind_hasWords()
{
    for (const auto kind :
         {JsonErrorKind::Syntax, JsonErrorKind::InvalidUtf8, JsonErrorKind::LoneSurrogate, JsonErrorKind::Noncharacter,
          JsonErrorKind::DuplicateMember, JsonErrorKind::InexactNumber, JsonErrorKind::TooDeep, JsonErrorKind::TooManyPlaces})
        QVERIFY(!QByteArray::fromStdString(wordsOf(JsonError{kind, {}})).startsWith(" at"));
}

void StrictJsonTest::nestingUpToTheBound_isRead()
{
    QVERIFY(parseStrict(nested(kDeepestNesting)).has_value());
    // Wide is not deep.
    QVERIFY(parseStrict("[[[]],[[]],[[]]]").has_value());
}

void StrictJsonTest::integerToken_staysAnInteger()
{
    QVERIFY(parseStrict("100")->is_number_integer());
    QVERIFY(parseStrict("1.0")->is_number_float());
    QVERIFY(parseStrict("1e2")->is_number_float());
}

void StrictJsonTest::longNameAboveManyMembers_hasNoPlaces()
{
    // Its pointers would take 1.6 GB, out of a text of a quarter of a megabyte.
    const auto text = ("{\"" + QByteArray(130'000, 'n') + "\":[0" + QByteArray(",0").repeated(12'000) + "]}").toStdString();
    QVERIFY(parseStrict(text).has_value());
    QCOMPARE(parseStrictWithPlaces(text).error().kind, JsonErrorKind::TooManyPlaces);
}

void StrictJsonTest::places_areThoseOfNamesAndElements()
{
    const auto document = parseStrictWithPlaces("{\n \"a\": {\"b\": [10,\n  {\"\": 1}]}}");
    QVERIFY(document.has_value());
    const auto place = [&](const char* path) { return QByteArray::fromStdString(wordsOf(document->places.at(path))); };
    QCOMPARE(place(""), QByteArray("line 1, column 1"));
    QCOMPARE(place("/a"), QByteArray("line 2, column 2 (/a)"));
    QCOMPARE(place("/a/b"), QByteArray("line 2, column 8 (/a/b)"));
    QCOMPARE(place("/a/b/0"), QByteArray("line 2, column 14 (/a/b/0)"));
    QCOMPARE(place("/a/b/1"), QByteArray("line 3, column 3 (/a/b/1)"));
    QCOMPARE(place("/a/b/1/"), QByteArray("line 3, column 4 (/a/b/1/)"));
    QCOMPARE(document->places.size(), 6U);
}

QTEST_APPLESS_MAIN(StrictJsonTest)
#include "tst_strict_json.moc"
