#include "fixtures/fixture.h"
#include "protocol/payment_request.h"

#include <QtTest/QTest>

using namespace payonce;
using namespace payonce::protocol;
using idempotency::ProblemCode;

namespace {

QByteArray bytes(const std::string& text)
{
    return QByteArray::fromStdString(text);
}

values::Currency euro()
{
    return values::Currency::fromCode("EUR").value();
}

values::WallTime tomorrow()
{
    return values::fromRfc3339("2026-12-01T10:00:00Z").value();
}

/// The fixture with one piece replaced.
std::string withPiece(const QByteArray& piece, const QByteArray& other)
{
    auto body = bytes(fixtures::read("payment_request.json"));
    CHECK(body.contains(piece));
    return body.replace(piece, other).toStdString();
}

retry::Purchase purchase()
{
    return {"cart_1", {4200, euro()}, "a@example.com"};
}

} // namespace

class PaymentRequestTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void clientsBody_isTheContracts();
    void contractsBody_isReadByTheServer();
    void memberThisVersionDoesNotRead_isPartOfTheContent();
    void amount_staysExact_data();
    void amount_staysExact();
    void badMember_isNamedWith422_data();
    void badMember_isNamedWith422();
    void bodyThatIsNotIJson_is400_data();
    void bodyThatIsNotIJson_is400();
    void damagedBytes_areSeen();
    void fingerprint_dependsOnEveryPart();
    void fingerprint_ignoresSpelling();
};

void PaymentRequestTest::clientsBody_isTheContracts()
{
    const auto request = buildPayment(purchase(), {"pm_9c41", "visa", "4242"}, tomorrow());
    QCOMPARE(bytes(request.body), bytes(fixtures::read("payment_request.json")));
    // sha256sum tests/fixtures/payment_request.json
    QCOMPARE(bytes(request.fingerprint), QByteArray("70ce5051e264c02fc3a04a874b7024b3b600fe8d72edc6a1d215a634ded7f952"));
    QVERIFY(isIntact(request));
}

void PaymentRequestTest::contractsBody_isReadByTheServer()
{
    const auto payment = parsePayment(fixtures::read("payment_request.json"));
    QVERIFY(payment.has_value());
    QVERIFY(payment->terms == (idempotency::PaymentTerms{"cart_1", {4200, euro()}, "pm_9c41", "a@example.com", tomorrow()}));
    QCOMPARE(bytes(payment->canonicalBody), bytes(fixtures::read("payment_request_canonical.json")));
}

void PaymentRequestTest::memberThisVersionDoesNotRead_isPartOfTheContent()
{
    const auto payment = parsePayment(withPiece("{\"cart_id\"", R"({"note":"blue","cart_id")"));
    QVERIFY(payment.has_value());
    QVERIFY(bytes(payment->canonicalBody).contains("\"note\":\"blue\""));
}

void PaymentRequestTest::amount_staysExact_data()
{
    QTest::addColumn<qint64>("minorUnits");
    QTest::addColumn<QByteArray>("code");
    QTest::newRow("8.20") << qint64(820) << QByteArray("EUR");
    QTest::newRow("19.99") << qint64(1999) << QByteArray("EUR");
    QTest::newRow("582.42") << qint64(58242) << QByteArray("EUR");
    QTest::newRow("80 yen") << qint64(80) << QByteArray("JPY");
    QTest::newRow("1.500 dinar") << qint64(1500) << QByteArray("KWD");
    QTest::newRow("smallest") << qint64(1) << QByteArray("EUR");
    QTest::newRow("largest") << qint64(99'999'999'999) << QByteArray("EUR");
}

void PaymentRequestTest::amount_staysExact()
{
    QFETCH(qint64, minorUnits);
    QFETCH(QByteArray, code);
    auto bought = purchase();
    bought.amount = {minorUnits, values::Currency::fromCode(code.toStdString()).value()};
    const auto payment = parsePayment(buildPayment(bought, {"pm_9c41", "visa", "4242"}, tomorrow()).body);
    QVERIFY(payment.has_value());
    QVERIFY(payment->terms.amount == bought.amount);
}

void PaymentRequestTest::badMember_isNamedWith422_data()
{
    QTest::addColumn<QByteArray>("piece");
    QTest::addColumn<QByteArray>("other");
    QTest::addColumn<QByteArray>("named");
    const auto add = [](const char* name, const QByteArray& piece, const QByteArray& other, const char* named) {
        QTest::newRow(name) << piece << other << QByteArray(named);
    };
    for (const char* value : {"4200.0", "42e2", "4.2e3", "0", "-1", "-4200", "100000000000", "18446744073709549568", "\"4200\"",
                              "null", "true", "[4200]", "{}"})
        QTest::addRow("value %s", value) << QByteArray("4200") << QByteArray(value) << QByteArray("`amount.value`");
    add("no value", "\"value\":4200,", "", "`amount.value` is missing");
    add("no currency", R"(,"currency":"EUR")", "", "`amount.currency` is missing");
    add("unknown currency", "EUR", "EUX", "`amount.currency`");
    add("lower-case currency", "EUR", "eur", "`amount.currency`");
    add("currency is a number", "\"EUR\"", "978", "`amount.currency`");
    add("amount is a number", R"({"value":4200,"currency":"EUR"})", "4200", "`amount` must be an object");
    add("no cart", R"("cart_id":"cart_1",)", "", "`cart_id` is missing");
    add("empty cart", "cart_1", "", "`cart_id`");
    add("long cart", "cart_1", QByteArray(129, 'c'), "`cart_id`");
    add("cart is a number", "\"cart_1\"", "1", "`cart_id` must be a string");
    add("control character", "cart_1", "cart\\n1", "`cart_id` has a control character");
    add("delete character", "cart_1", "cart\\u007f1", "`cart_id` has a control character");
    add("no method", R"("payment_method":"pm_9c41",)", "", "`payment_method` is missing");
    add("no e-mail", R"("email":"a@example.com",)", "", "`email` is missing");
    add("e-mail without @", "a@example.com", "example.com", "`email` must be an e-mail address");
    add("e-mail with two @", "a@example.com", "a@b@example.com", "`email`");
    add("e-mail without a name", "a@example.com", "@example.com", "`email`");
    add("e-mail without a host", "a@example.com", "a@", "`email`");
    add("e-mail with a space", "a@example.com", "a b@example.com", "`email`");
    add("long e-mail", "a@example.com", QByteArray(251, 'a') + "@b.c", "`email`");
    add("no valid_until", R"(,"valid_until":"2026-12-01T10:00:00.000Z")", "", "`valid_until` is missing");
    add("valid_until is a date", "2026-12-01T10:00:00.000Z", "2026-12-01", "`valid_until`");
    add("valid_until is a number", "\"2026-12-01T10:00:00.000Z\"", "1796119200", "`valid_until`");
}

void PaymentRequestTest::badMember_isNamedWith422()
{
    QFETCH(QByteArray, piece);
    QFETCH(QByteArray, other);
    QFETCH(QByteArray, named);
    const auto payment = parsePayment(withPiece(piece, other));
    QVERIFY(!payment);
    QCOMPARE(payment.error().code, ProblemCode::MemberInvalid);
    QVERIFY2(bytes(payment.error().detail).startsWith(named), payment.error().detail.c_str());
}

void PaymentRequestTest::bodyThatIsNotIJson_is400_data()
{
    QTest::addColumn<QByteArray>("body");
    QTest::addColumn<ProblemCode>("code");
    QTest::newRow("nothing") << QByteArray() << ProblemCode::BodyInvalid;
    QTest::newRow("a form") << QByteArray("cart_id=cart_1&amount=4200") << ProblemCode::BodyInvalid;
    QTest::newRow("cut off") << QByteArray(R"({"cart_id":"cart_1")") << ProblemCode::BodyInvalid;
    QTest::newRow("doubled amount") << QByteArray(R"({"amount":{"value":1,"value":2}})") << ProblemCode::BodyInvalid;
    QTest::newRow("lone surrogate") << QByteArray(R"({"email":"\ud800"})") << ProblemCode::BodyInvalid;
    QTest::newRow("inexact number") << QByteArray(R"({"amount":{"value":9007199254740993}})") << ProblemCode::BodyInvalid;
    QTest::newRow("an array is JSON, but no payment") << QByteArray("[]") << ProblemCode::MemberInvalid;
}

void PaymentRequestTest::bodyThatIsNotIJson_is400()
{
    QFETCH(QByteArray, body);
    QFETCH(ProblemCode, code);
    const auto payment = parsePayment(body.toStdString());
    QVERIFY(!payment);
    QCOMPARE(payment.error().code, code);
    QVERIFY(!payment.error().detail.empty());
}

void PaymentRequestTest::damagedBytes_areSeen()
{
    auto request = buildPayment(purchase(), {"pm_9c41", "visa", "4242"}, tomorrow());
    request.body.replace(request.body.find("4200"), 4, "4300");
    QVERIFY(!isIntact(request));
}

void PaymentRequestTest::fingerprint_dependsOnEveryPart()
{
    const auto base = fingerprintOf("p1", "payment", "POST /v1/payments", "{}");
    QVERIFY(base == fingerprintOf("p1", "payment", "POST /v1/payments", "{}"));
    QVERIFY(!(base == fingerprintOf("p2", "payment", "POST /v1/payments", "{}")));
    QVERIFY(!(base == fingerprintOf("p1", "account", "POST /v1/payments", "{}")));
    QVERIFY(!(base == fingerprintOf("p1", "payment", "POST /v1/accounts", "{}")));
    QVERIFY(!(base == fingerprintOf("p1", "payment", "POST /v1/payments", "[]")));
    // A part cannot move into its neighbour.
    QVERIFY(!(fingerprintOf("ab", "c", "d", "e") == fingerprintOf("a", "bc", "d", "e")));
    QVERIFY(!(fingerprintOf("a", "", "d", "e") == fingerprintOf("a", "d", "", "e")));
}

void PaymentRequestTest::fingerprint_ignoresSpelling()
{
    const auto plain = parsePayment(fixtures::read("payment_request.json")).value();
    const auto spelled = parsePayment(withPiece("\"cart_1\"", R"( "cart\u005f1" )")).value();
    QCOMPARE(bytes(plain.canonicalBody), bytes(spelled.canonicalBody));
}

QTEST_APPLESS_MAIN(PaymentRequestTest)
#include "tst_payment_request.moc"
