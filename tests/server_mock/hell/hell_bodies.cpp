#include "server_mock/hell/hell_request.h"

#include "values/check.h"

namespace payonce::tests {

namespace {

constexpr int kDeep = 10'000;

/// The good body with one piece replaced.
QByteArray altered(const Sender& sender, const QByteArray& piece, const QByteArray& other)
{
    auto body = goodBody(sender);
    CHECK(body.contains(piece));
    return body.replace(piece, other);
}

HellRequest refused(const Sender& sender, const char* name, const QByteArray& body, int status)
{
    return {name, payment(sender, keyLine(), body), status, "body-invalid", Fate::Kept};
}

/// Not I-JSON: 400.
QList<HellRequest> badText(const Sender& sender)
{
    const auto row = [&sender](const char* name, const QByteArray& body) { return refused(sender, name, body, 400); };
    const auto mail = [&](const char* name, const QByteArray& text) {
        return row(name, altered(sender, "a@example.com", text));
    };
    const auto number = [&](const char* name, const QByteArray& text) { return row(name, altered(sender, "4200", text)); };
    const auto extra = [&](const char* name, const QByteArray& value) {
        return row(name, altered(sender, R"({"cart_id")", R"({"more":)" + value + R"(,"cart_id")"));
    };
    return {
        row("empty body", {}),
        row("white space", "   \r\n "),
        row("a form", "cart_id=cart_1&amount=4200"),
        row("NUL behind the body", goodBody(sender) + '\0'),
        row("NUL in the body", altered(sender, "a@example.com", QByteArray("a\0b", 3))),
        row("byte order mark", "\xef\xbb\xbf" + goodBody(sender)),
        row("UTF-16", QByteArray::fromHex("fffe7b007d00")),
        row("two values", goodBody(sender) + goodBody(sender)),
        row("cut off", goodBody(sender).chopped(1)),
        row("comment", "/* */" + goodBody(sender)),
        row("comma at the end", goodBody(sender).chopped(1) + ",}"),
        row("single quotes", goodBody(sender).replace('"', '\'')),
        row("amount twice", altered(sender, R"("value":4200)", R"("value":1,"value":4200)")),
        row("amount twice, once escaped", altered(sender, R"("value":4200)", R"("v\u0061lue":1,"value":4200)")),
        row("currency twice", altered(sender, R"("currency":"EUR")", R"("currency":"EUR","currency":"JPY")")),
        mail("half of a surrogate pair", "a\\ud83d@example.com"),
        mail("the other half first", "a\\ude00\\ud83d@example.com"),
        mail("surrogate in UTF-8", "a\xed\xa0\x80@example.com"),
        mail("overlong UTF-8", "a\xc0\xaf@example.com"),
        mail("UTF-8 cut off", "a\xe2\x82"),
        mail("beyond Unicode", "a\xf4\x90\x80\x80@example.com"),
        mail("noncharacter", "a\\uffff@example.com"),
        mail("raw line feed", "a\n@example.com"),
        number("1e400", "1e400"),
        number("2^53 + 1", "9007199254740993"),
        number("2^64 + 1", "18446744073709551617"),
        number("thousand digits", QByteArray(1'000, '9')),
        number("more digits than a double", "4200.00000000000000000001"),
        number("plus sign", "+4200"),
        number("leading zero", "04200"),
        number("hex", "0x1068"),
        number("NaN", "NaN"),
        number("infinity", "-Infinity"),
        number("nothing", ""),
        extra("10,000 arrays", QByteArray(kDeep, '[') + QByteArray(kDeep, ']')),
        extra("10,000 objects", QByteArray("{\"a\":").repeated(kDeep) + "1" + QByteArray(kDeep, '}')),
        extra("200,000 brackets that never close", QByteArray(200'000, '[')),
        extra("33 levels", QByteArray(32, '[') + QByteArray(32, ']')),
    };
}

/// I-JSON, but no payment: 422.
QList<HellRequest> badMembers(const Sender& sender)
{
    const auto row = [&sender](const char* name, const QByteArray& body) { return refused(sender, name, body, 422); };
    const auto number = [&](const char* name, const QByteArray& text) { return row(name, altered(sender, "4200", text)); };
    const auto mail = [&](const char* name, const QByteArray& text) {
        return row(name, altered(sender, "a@example.com", text));
    };
    return {
        row("null", "null"),
        row("an array", "[]"),
        row("an empty object", "{}"),
        number("1.0", "1.0"),
        number("4200.0", "4200.0"),
        number("1e2", "1e2"),
        number("text", "\"1\""),
        number("zero", "0"),
        number("minus zero", "-0"),
        number("minus zero as a fraction", "-0.0"),
        number("negative", "-1"),
        number("one cent too much", "100000000000"),
        number("2^53", "9007199254740992"),
        number("too large for 64 bits, but exact", "1e30"),
        number("an amount in an amount", R"({"value":4200})"),
        row("name in another case", altered(sender, R"("amount")", R"("Amount")")),
        row("currency as its symbol", altered(sender, "EUR", "\\u20ac")),
        row("currency with a NUL", altered(sender, "EUR", "EUR\\u0000")),
        row("cart with a NUL", altered(sender, R"({"cart_id":")", R"({"cart_id":"\u0000)")),
        mail("e-mail with a new header line", "a@example.com\\r\\nBcc: b@example.com"),
        mail("e-mail of 100,000 bytes", QByteArray(100'000, 'a') + "@example.com"),
    };
}

} // namespace

QList<HellRequest> badBodies(const Sender& sender)
{
    return badText(sender) + badMembers(sender);
}

} // namespace payonce::tests
