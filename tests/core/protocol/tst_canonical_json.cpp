#include "fixtures/fixture.h"
#include "protocol/canonical_json.h"

#include <QtTest/QTest>

#include <bit>

using namespace payonce;
using namespace payonce::protocol;

namespace {

QByteArray bytes(const std::string& text)
{
    return QByteArray::fromStdString(text);
}

} // namespace

class CanonicalJsonTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void rfc8785Example_hasTheRfcsBytes_data();
    void rfc8785Example_hasTheRfcsBytes();
    void rfc8785Numbers_haveTheRfcsText();
    void number_isWrittenAsEcmaScriptDoes_data();
    void number_isWrittenAsEcmaScriptDoes();
    void spelling_doesNotMatter();
    void content_doesMatter();
    void controlCharacters_areEscaped();
};

void CanonicalJsonTest::rfc8785Example_hasTheRfcsBytes_data()
{
    QTest::addColumn<QByteArray>("name");
    QTest::newRow("values (3.2.2)") << QByteArray("values");
    QTest::newRow("sorting (3.2.3)") << QByteArray("sorting");
}

// Parsed leniently: the RFC's example has 333333333.33333329, more digits than binary64 holds, which parseStrict refuses.
void CanonicalJsonTest::rfc8785Example_hasTheRfcsBytes()
{
    QFETCH(QByteArray, name);
    const auto input = Json::parse(fixtures::read("rfc8785/" + name + "_in.json"));
    QCOMPARE(bytes(canonicalJson(input)), bytes(fixtures::read("rfc8785/" + name + "_out.json")));
}

void CanonicalJsonTest::rfc8785Numbers_haveTheRfcsText()
{
    const auto rows = bytes(fixtures::read("rfc8785/numbers.txt")).split('\n');
    QCOMPARE(rows.size(), 24);
    for (const auto& row : rows) {
        const auto columns = row.split(' ');
        const auto number = std::bit_cast<double>(columns.at(0).toULongLong(nullptr, 16));
        QCOMPARE(bytes(canonicalNumber(number)), columns.at(1));
    }
}

void CanonicalJsonTest::number_isWrittenAsEcmaScriptDoes_data()
{
    QTest::addColumn<QByteArray>("token");
    QTest::addColumn<QByteArray>("text");
    const auto add = [](const char* token, const char* text) { QTest::newRow(token) << QByteArray(token) << QByteArray(text); };
    add("0", "0");
    add("-0", "0");
    add("-0.0", "0");
    add("4200", "4200");
    add("1.0", "1");
    add("1e2", "100");
    add("-12.50", "-12.5");
    add("123e20", "1.23e+22");
    add("1e20", "100000000000000000000");
    add("1e-6", "0.000001");
    add("1.5e-7", "1.5e-7");
    add("99999999999", "99999999999");
}

void CanonicalJsonTest::number_isWrittenAsEcmaScriptDoes()
{
    QFETCH(QByteArray, token);
    QFETCH(QByteArray, text);
    QCOMPARE(bytes(canonicalJson(parseStrict(token.toStdString()).value())), text);
}

void CanonicalJsonTest::spelling_doesNotMatter()
{
    const auto one = parseStrict(R"({"b":[1,2],"a":"é"})").value();
    const auto other = parseStrict("{ \"a\" : \"\\u00e9\",\n\"b\":[ 1.0 , 2e0 ] }").value();
    QCOMPARE(bytes(canonicalJson(one)), bytes(canonicalJson(other)));
}

void CanonicalJsonTest::content_doesMatter()
{
    const auto text = canonicalJson(parseStrict(R"({"a":[1,2]})").value());
    QVERIFY(text != canonicalJson(parseStrict(R"({"a":[2,1]})").value()));
    QVERIFY(text != canonicalJson(parseStrict(R"({"a":["1",2]})").value()));
    QVERIFY(text != canonicalJson(parseStrict(R"({"A":[1,2]})").value()));
}

void CanonicalJsonTest::controlCharacters_areEscaped()
{
    const auto json = parseStrict(R"("\u0000\u0008\u0009\u000a\u000b\u000c\u000d\u001f\u007f\/\"\\")").value();
    QCOMPARE(bytes(canonicalJson(json)), QByteArray(R"("\u0000\b\t\n\u000b\f\r\u001f)"
                                                    "\x7F"
                                                    R"(/\"\\")"));
}

QTEST_APPLESS_MAIN(CanonicalJsonTest)
#include "tst_canonical_json.moc"
