#include "server_mock/hell/hell_request.h"

#include "support/fresh_id.h"
#include "support/shop_requests.h"

namespace payonce::tests {

namespace {

using support::freshKey;

constexpr int kHeaders = 10'000;
constexpr qsizetype kMegabyte = 1'000'000;

QByteArray authorization(const Sender& sender)
{
    return "Authorization: Bearer " + sender.token + "\r\n";
}

/// A request that needs no body, up to its last header line.
QByteArray asking(const Sender& sender, const QByteArray& requestLine, const QByteArray& lines = {})
{
    return requestLine + "\r\nHost: shop\r\n" + authorization(sender) + lines + "\r\n";
}

/// A payment whose own lines say how long its body is.
QByteArray unmeasured(const Sender& sender, const QByteArray& lines, const QByteArray& body)
{
    return asking(sender, "POST /v1/payments HTTP/1.1", "Content-Type: application/json\r\n" + keyLine() + lines) + body;
}

QByteArray lengthLine(const QByteArray& length)
{
    return "Content-Length: " + length + "\r\n";
}

} // namespace

QByteArray keyLine()
{
    return "Idempotency-Key: \"" + freshKey() + "\"\r\n";
}

QByteArray goodBody(const Sender& sender)
{
    return support::paymentBody({.cart = "hell-" + freshKey(), .paymentMethod = sender.paymentMethod});
}

QByteArray payment(const Sender& sender, const QByteArray& lines, const QByteArray& body)
{
    return asking(sender, "POST /v1/payments HTTP/1.1",
                  "Content-Type: application/json\r\n" + lengthLine(QByteArray::number(body.size())) + lines) +
           body;
}

QList<HellRequest> badFraming(const Sender& sender)
{
    const auto body = goodBody(sender);
    const auto length = QByteArray::number(body.size());
    const auto chunked = QByteArray::number(body.size(), 16) + "\r\n" + body + "\r\n0\r\n\r\n";
    const auto hidden = payment(sender, keyLine(), goodBody(sender));
    QByteArray nulInHead = payment(sender, keyLine() + "A: x@y\r\n", body);
    nulInHead.replace('@', '\0');
    QByteArray bareLineFeeds = payment(sender, keyLine(), body);
    bareLineFeeds.replace("\r\n", "\n");
    QByteArray headers;
    for (int i = 0; i < kHeaders; ++i)
        headers += "H" + QByteArray::number(i) + ": v\r\n";
    const QByteArray close = "Connection: close\r\n";
    return {
        {"the same length twice", unmeasured(sender, lengthLine(length) + lengthLine(length), body)},
        {"two lengths, the rest is a hidden payment", unmeasured(sender, lengthLine("2") + lengthLine(length), "{}" + hidden)},
        {"length with a plus sign", unmeasured(sender, lengthLine("+5"), "{}   ")},
        {"negative length", unmeasured(sender, lengthLine("-1"), body)},
        {"length in hex", unmeasured(sender, lengthLine("0x10"), body)},
        {"length beyond 64 bits", unmeasured(sender, lengthLine("18446744073709551617"), body)},
        {"length of a terabyte", unmeasured(sender, lengthLine("1099511627776"), body), 413, "body-too-large"},
        {"length and chunked", unmeasured(sender, lengthLine("5") + "Transfer-Encoding: chunked\r\n", "0\r\n\r\n" + hidden)},
        {"chunked and length", unmeasured(sender, "Transfer-Encoding: chunked\r\n" + lengthLine(length), chunked + hidden)},
        {"chunked", unmeasured(sender, "Transfer-Encoding: chunked\r\n", chunked), 501, "not-implemented"},
        {"identity coding", unmeasured(sender, "Transfer-Encoding: identity\r\n", body), 501, "not-implemented"},
        {"coding in tricky letters", unmeasured(sender, "Transfer-Encoding: x, cHuNkEd\r\n", chunked), 501, "not-implemented"},
        {"neither length nor chunks", unmeasured(sender, {}, hidden), 411, "length-required"},
        {"expects something else", payment(sender, keyLine() + "Expect: 200-ok\r\n", body)},
        {"10,000 headers", payment(sender, keyLine() + headers, body), 431, "header-too-large"},
        {"a header of a megabyte", payment(sender, keyLine() + "A: " + QByteArray(kMegabyte, 'a') + "\r\n", body), 431,
         "header-too-large"},
        {"folded key", payment(sender, "Idempotency-Key:\r\n \"" + freshKey() + "\"\r\n", body)},
        {"bare line feeds", bareLineFeeds},
        {"NUL in the head", nulInHead},
        {"no Host", "GET /v1/policy HTTP/1.1\r\n" + authorization(sender) + "\r\n"},
        {"two Hosts", asking(sender, "GET /v1/policy HTTP/1.1", "Host: other\r\n")},
        {"a client that speaks TLS", QByteArray::fromHex("16030100f8010000f40303")},
        {"two tokens", asking(sender, "GET /v1/policy HTTP/1.1", authorization(sender) + close), 401, "unauthorized"},
        {"a length that swallows the start of the next request",
         unmeasured(sender, lengthLine(QByteArray::number(body.size() + 10)), body + hidden), 400, "body-invalid", Fate::Closed,
         0, 2},
    };
}

QList<HellRequest> badTargets(const Sender& sender)
{
    const auto row = [&sender](const char* name, const QByteArray& line, int status, const char* code, Fate fate = Fate::Kept) {
        return HellRequest{name, asking(sender, line), status, code, fate};
    };
    const auto nothing = [&row](const char* name, const QByteArray& target) {
        return row(name, "GET " + target + " HTTP/1.1", 404, "not-found");
    };
    return {
        nothing("NUL, percent-encoded", "/v1/cart%00"),
        nothing("a path, percent-encoded", "/v1%2fcart"),
        nothing("dots", "/v1/../v1/cart"),
        nothing("two slashes", "//v1/cart"),
        nothing("upper case", "/V1/CART"),
        nothing("bytes that are no UTF-8", "/v1/\xff\xfe"),
        nothing("quotes", "/v1/cart\";drop"),
        nothing("order with a NUL", "/v1/orders/ord_%00"),
        nothing("order that is SQL", "/v1/orders/'or'1'='1"),
        nothing("long path", '/' + QByteArray(15'000, 'a')),
        nothing("absolute form of another place", "http://shop/nothing"),
        row("action with a NUL", "GET /v1/actions/%00 HTTP/1.1", 400, "key-invalid"),
        row("action with quotes", "GET /v1/actions/\"" + freshKey() + "\" HTTP/1.1", 400, "key-invalid"),
        row("GET of payments", "GET /v1/payments HTTP/1.1", 405, "method-not-allowed"),
        row("unknown method", "BREW /v1/cart HTTP/1.1", 405, "method-not-allowed"),
        row("lower-case method", "get /v1/cart HTTP/1.1", 405, "method-not-allowed"),
        row("TRACE", "TRACE /v1/cart HTTP/1.1", 405, "method-not-allowed"),
        row("very long path", "GET /" + QByteArray(100'000, 'a') + " HTTP/1.1", 431, "header-too-large", Fate::Closed),
        row("CONNECT", "CONNECT bank:443 HTTP/1.1", 400, "body-invalid", Fate::Closed),
        row("OPTIONS *", "OPTIONS * HTTP/1.1", 400, "body-invalid", Fate::Closed),
        row("no method", " /v1/cart HTTP/1.1", 400, "body-invalid", Fate::Closed),
        row("HTTP/2.0", "GET /v1/cart HTTP/2.0", 400, "body-invalid", Fate::Closed),
        row("HTTP/0.9", "GET /v1/cart", 400, "body-invalid", Fate::Closed),
        row("space in the target", "GET /v1/ cart HTTP/1.1", 400, "body-invalid", Fate::Closed),
    };
}

QList<HellRequest> oddButGood(const Sender& sender)
{
    const QByteArray oldPayment = payment(sender, keyLine(), goodBody(sender)).replace(" HTTP/1.1\r\n", " HTTP/1.0\r\n");
    const auto good = [&sender] { return payment(sender, keyLine(), goodBody(sender)); };
    const auto look = asking(sender, "GET /v1/cart HTTP/1.1");
    return {
        {"HTTP/1.0", oldPayment, 201, {}, Fate::Closed, 1},
        {"Connection: close", payment(sender, keyLine() + "Connection: close\r\n", goodBody(sender)), 201, {}, Fate::Closed, 1},
        {"absolute form", asking(sender, "GET http://shop:80/v1/cart HTTP/1.1"), 200, {}, Fate::Kept},
        {"empty lines before it", "\r\n\r\n" + good(), 201, {}, Fate::Kept, 1},
        {"three payments in one write", good() + good() + good(), 201, {}, Fate::Kept, 3, 3},
        {"forty looks in one write", look.repeated(40), 200, {}, Fate::Kept, 0, 40},
        {"a GET with a body",
         asking(sender, "GET /v1/cart HTTP/1.1", lengthLine("2")) + "{}" + look,
         200,
         {},
         Fate::Kept,
         0,
         2},
        {"something after the last request",
         payment(sender, keyLine() + "Connection: close\r\n", goodBody(sender)) + good(),
         201,
         {},
         Fate::Closed,
         1},
        {"bare key", payment(sender, "Idempotency-Key: " + freshKey() + "\r\n", goodBody(sender)), 201, {}, Fate::Kept, 1},
        {"names in strange case",
         payment(sender, "iDEMPOTENCY-kEY: " + freshKey() + "\r\n", goodBody(sender)),
         201,
         {},
         Fate::Kept,
         1},
    };
}

QList<HellRequest> badKeys(const Sender& sender)
{
    const auto row = [&sender](const char* name, const QByteArray& lines, const char* code = "key-invalid") {
        return HellRequest{name, payment(sender, lines, goodBody(sender)), 400, code, Fate::Kept};
    };
    const auto with = [](const QByteArray& value) { return "Idempotency-Key: " + value + "\r\n"; };
    const auto key = freshKey();
    const QByteArray quoted = '"' + key + '"';
    return {
        row("no key", {}, "key-missing"),
        row("empty key", with({})),
        row("empty string", with("\"\"")),
        row("the same key twice", with(quoted) + with(quoted)),
        row("two keys", keyLine() + keyLine()),
        row("two in one line", with(quoted + ", " + quoted)),
        row("two bare in one line", with(key + "," + key)),
        row("escaped letter", with(QByteArray(quoted).insert(3, '\\'))),
        row("escaped quote inside", with("\"\\\"" + key + "\\\"\"")),
        row("quote that never ends", with('"' + key)),
        row("with a parameter", with(quoted + ";a=1")),
        row("a byte sequence", with(":" + key.toBase64() + ":")),
        row("braces", with("{" + key + "}")),
        row("no dashes", with(QByteArray(key).replace("-", ""))),
        row("NUL, percent-encoded", with("\"" + key.chopped(3) + "%00\"")),
        row("not ASCII", with("\"\xc3\xa9" + key + '"')),
        row("10,000 bytes", with('"' + QByteArray(10'000, 'a') + '"')),
        row("attempt without end", keyLine() + "Action-Attempt: " + QByteArray(5'000, '9') + "\r\n", "body-invalid"),
        row("attempt that is no number", keyLine() + "Action-Attempt: \"1\"\r\n", "body-invalid"),
    };
}

} // namespace payonce::tests
