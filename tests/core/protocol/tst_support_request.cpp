#include "protocol/support_request.h"

#include <QtTest/QTest>

using namespace payonce;
using namespace payonce::protocol;

namespace {

std::string body(const std::string& reason)
{
    return R"({"reason":")" + reason + R"("})";
}

std::string repeated(const std::string& text, int times)
{
    std::string result;
    for (int i = 0; i < times; ++i)
        result += text;
    return result;
}

} // namespace

class SupportRequestTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void reason_isTakenOrRefused_data();
    void reason_isTakenOrRefused();
    void brokenBody_isRefused();
    void canonicalBody_isTheSameForOtherSpellings();
    void report_tellsItsAttempts();
    void strangeReport_tellsNothing_data();
    void strangeReport_tellsNothing();
};

void SupportRequestTest::reason_isTakenOrRefused_data()
{
    QTest::addColumn<QByteArray>("reason");
    QTest::addColumn<bool>("isTaken");
    const auto row = [](const char* name, const std::string& reason, bool isTaken) {
        QTest::newRow(name) << QByteArray::fromStdString(reason) << isTaken;
    };
    row("one letter", "x", true);
    row("500 letters", std::string(500, 'x'), true);
    row("501 letters", std::string(501, 'x'), false);
    row("500 Cyrillic letters", repeated("\xD0\xB9", 500), true);
    row("501 Cyrillic letters", repeated("\xD0\xB9", 501), false);
    row("empty", "", false);
    row("a new line", "a\\nb", false);
    row("order number and time", "order 1001, called 2026-11-30 10:15", true);
    row("card number", "4242424242424242", false);
    row("card number in words", "his card 4242 4242 4242 4242 was", false);
    row("card number with dashes", "4242-4242-4242-4242.", false);
    row("American card number", "378282246310005", false);
    row("card number with dots", "4242.4242.4242.4242", false);
    row("card number with no-break spaces", "4242\u00A04242\u00A04242\u00A04242", false);
    row("card number with narrow no-break spaces", "4242\u202F4242\u202F4242\u202F4242", false);
    row("card number with typographic dashes", "4242\u20134242\u20114242\u22124242", false);
    row("card number with invisible characters", "42424242\u200B42424242", false);
    row("card number with dashes between spaces", "4242 - 4242 - 4242 - 4242", false);
    row("card number with slashes", "4242/4242/4242/4242", false);
    row("card number in wide digits", "\uFF14\uFF12\uFF14\uFF1242424242\uFF14\uFF12\uFF14\uFF12", false);
    row("card number and its date", "4242 4242 4242 4242 12 31", false);
    row("card number behind an order's", "1001 4242424242424242", false);
    row("card number in a longer row", "00000042424242424242420000", false);
    row("digits that are no card", "4242424242424241", true);
    row("a longer row without a card number", "11111111111111111111", true);
    row("a UUID", "0198c0de-7a11-7c3e-9f00-6b1f0a2c4d5e", true);
}

void SupportRequestTest::reason_isTakenOrRefused()
{
    QFETCH(const QByteArray, reason);
    QFETCH(const bool, isTaken);
    const auto parsed = parseReason(body(reason.toStdString()));
    QCOMPARE(parsed.has_value(), isTaken);
    if (isTaken)
        QCOMPARE(QByteArray::fromStdString(parsed->reason), reason);
    else
        QVERIFY(parsed.error().code == idempotency::ProblemCode::MemberInvalid);
    if (!isTaken && reason.size() > 10)
        QVERIFY(parsed.error().detail.find("4242") == std::string::npos);
}

void SupportRequestTest::brokenBody_isRefused()
{
    using Code = idempotency::ProblemCode;
    const std::vector<std::pair<std::string, Code>> bodies{{"{", Code::BodyInvalid},
                                                           {R"({"reason":"a","reason":"b"})", Code::BodyInvalid},
                                                           {"[]", Code::MemberInvalid},
                                                           {"{}", Code::MemberInvalid},
                                                           {R"({"reason":7})", Code::MemberInvalid}};
    for (const auto& [text, code] : bodies) {
        const auto parsed = parseReason(text);
        QVERIFY2(!parsed && parsed.error().code == code, text.c_str());
    }
}

void SupportRequestTest::canonicalBody_isTheSameForOtherSpellings()
{
    const auto plain = parseReason(R"({"reason":"called"})");
    const auto spaced = parseReason(R"( { "reason" : "c\u0061lled" } )");
    QVERIFY(plain && spaced);
    QCOMPARE(spaced->canonicalBody, plain->canonicalBody);
}

void SupportRequestTest::report_tellsItsAttempts()
{
    const auto attempts = reportedAttempts(
        R"({"clock_offset_ms":-120,"attempts":[{"n":1,"at":"2026-11-30T10:00:00Z","bytes_taken":312,"status":null,)"
        R"("outcome":"unknown","reason":"soft_deadline"},{"n":2,"at":"2026-11-30T10:00:01Z","status":201,"outcome":"final"}]})");
    QCOMPARE(attempts.size(), std::size_t{2});
    QCOMPARE(attempts.front().number, 1);
    QVERIFY(attempts.front().at == values::fromRfc3339("2026-11-30T10:00:00Z"));
    QCOMPARE(attempts.front().outcome, std::string("unknown"));
    QCOMPARE(attempts.front().reason, std::string("soft_deadline"));
    QVERIFY(!attempts.front().status);
    QCOMPARE(attempts.back().status, std::optional(201));
}

void SupportRequestTest::strangeReport_tellsNothing_data()
{
    QTest::addColumn<QByteArray>("body");
    QTest::newRow("no JSON") << QByteArray("{");
    QTest::newRow("no attempts") << QByteArray("{}");
    QTest::newRow("attempts that are no list") << QByteArray(R"({"attempts":3})");
    QTest::newRow("no number") << QByteArray(R"({"attempts":[{"at":"2026-11-30T10:00:00Z"},7,null]})");
    QTest::newRow("number 0") << QByteArray(R"({"attempts":[{"n":0}]})");
}

void SupportRequestTest::strangeReport_tellsNothing()
{
    QFETCH(const QByteArray, body);
    QVERIFY(reportedAttempts(body.toStdString()).empty());
}

QTEST_APPLESS_MAIN(SupportRequestTest)
#include "tst_support_request.moc"
