#include "fixtures/fixture.h"
#include "protocol/card_request.h"

#include <QtTest/QTest>

using namespace payonce;
using namespace payonce::protocol;
using idempotency::ProblemCode;

namespace {

QByteArray bytes(const std::string& text)
{
    return QByteArray::fromStdString(text);
}

} // namespace

class CardRequestTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void clientsBody_isTheContracts();
    void contractsBody_isReadByTheServer();
    void badMember_isNamedAndNothingElseIsTold_data();
    void badMember_isNamedAndNothingElseIsTold();
    void bodyThatIsNotIJson_is400();
    void bodyWithoutCard_is422();
    void luhn_knowsGoodNumbers_data();
    void luhn_knowsGoodNumbers();
    void token_isTheContracts();
    void badToken_isRefused_data();
    void badToken_isRefused();
};

void CardRequestTest::clientsBody_isTheContracts()
{
    QCOMPARE(bytes(buildCardRequest({"4242424242424242", 12, 2031, "123"})), bytes(fixtures::read("card_request.json")));
}

void CardRequestTest::contractsBody_isReadByTheServer()
{
    const auto card = parseCardRequest(fixtures::read("card_request.json"));
    QVERIFY(card.has_value());
    QCOMPARE(bytes(card->number), QByteArray("4242424242424242"));
    QCOMPARE(card->expiryMonth, 12);
    QCOMPARE(card->expiryYear, 2031);
    QCOMPARE(bytes(card->securityCode), QByteArray("123"));
}

void CardRequestTest::badMember_isNamedAndNothingElseIsTold_data()
{
    QTest::addColumn<QByteArray>("piece");
    QTest::addColumn<QByteArray>("other");
    QTest::addColumn<QByteArray>("named");
    const auto add = [](const char* name, const char* piece, const char* other, const char* named) {
        QTest::newRow(name) << QByteArray(piece) << QByteArray(other) << QByteArray(named);
    };
    add("wrong check digit", "4242424242424242", "4242424242424241", "`card.number` is not a card number");
    add("eleven digits", "4242424242424242", "42424242424", "`card.number`");
    add("twenty digits", "4242424242424242", "42424242424242424242", "`card.number`");
    add("spaces in the number", "4242424242424242", "4242 4242 4242 4242", "`card.number`");
    add("letters in the number", "4242424242424242", "4242424242424abc", "`card.number`");
    add("number as a number", "\"4242424242424242\"", "4242424242424242", "`card.number`");
    add("no number", R"("number":"4242424242424242",)", "", "`card.number` is missing");
    add("month 0", "\"exp_month\":12", "\"exp_month\":0", "`card.exp_month`");
    add("month 13", "\"exp_month\":12", "\"exp_month\":13", "`card.exp_month`");
    add("month as text", "\"exp_month\":12", R"("exp_month":"12")", "`card.exp_month`");
    add("month with a fraction", "\"exp_month\":12", "\"exp_month\":12.0", "`card.exp_month`");
    add("two-digit year", "2031", "31", "`card.exp_year`");
    add("far year", "2031", "2100", "`card.exp_year`");
    add("no year", "\"exp_year\":2031,", "", "`card.exp_year` is missing");
    add("short code", "\"123\"", "\"12\"", "`card.cvc`");
    add("long code", "\"123\"", "\"12345\"", "`card.cvc`");
    add("letters in the code", "\"123\"", "\"1a3\"", "`card.cvc`");
    add("empty code", "\"123\"", "\"\"", "`card.cvc`");
    add("no code", R"(,"cvc":"123")", "", "`card.cvc` is missing");
}

void CardRequestTest::badMember_isNamedAndNothingElseIsTold()
{
    QFETCH(QByteArray, piece);
    QFETCH(QByteArray, other);
    QFETCH(QByteArray, named);
    auto body = bytes(fixtures::read("card_request.json"));
    QVERIFY(body.contains(piece));
    const auto card = parseCardRequest(body.replace(piece, other).toStdString());
    QVERIFY(!card);
    QCOMPARE(card.error().code, ProblemCode::MemberInvalid);
    const auto detail = bytes(card.error().detail);
    QVERIFY2(detail.startsWith(named), detail.constData());
    QVERIFY(!detail.contains("4242"));
}

void CardRequestTest::bodyThatIsNotIJson_is400()
{
    const auto card = parseCardRequest(R"({"card":{"number":"4242424242424242")");
    QVERIFY(!card);
    QCOMPARE(card.error().code, ProblemCode::BodyInvalid);
    QVERIFY(!bytes(card.error().detail).contains("4242"));
}

void CardRequestTest::bodyWithoutCard_is422()
{
    for (const char* body : {"{}", "{\"card\":null}", R"({"card":"4242424242424242"})", "{\"card\":[]}"}) {
        const auto card = parseCardRequest(body);
        QVERIFY(!card);
        QCOMPARE(card.error().code, ProblemCode::MemberInvalid);
        QVERIFY(bytes(card.error().detail).startsWith("`card`"));
    }
}

void CardRequestTest::luhn_knowsGoodNumbers_data()
{
    QTest::addColumn<QByteArray>("digits");
    QTest::addColumn<bool>("valid");
    for (const char* good : {"4242424242424242", "4000000000000002", "4000000000009995", "4000000000000069", "4000000000000127",
                             "4000000000000119", "79927398713", "378282246310005", "0"})
        QTest::newRow(good) << QByteArray(good) << true;
    for (const char* bad : {"", "4242424242424243", "79927398710", "424242424242424a", "4242 4242 4242 4242", "1"})
        QTest::addRow("bad '%s'", bad) << QByteArray(bad) << false;
}

void CardRequestTest::luhn_knowsGoodNumbers()
{
    QFETCH(QByteArray, digits);
    QFETCH(bool, valid);
    QCOMPARE(isLuhnValid(digits.toStdString()), valid);
}

void CardRequestTest::token_isTheContracts()
{
    const retry::CardToken token{"pm_9c41", "visa", "4242"};
    QCOMPARE(bytes(renderCardToken(token)), bytes(fixtures::read("card_token.json")));
    QVERIFY(parseCardToken(fixtures::read("card_token.json")) == token);
}

void CardRequestTest::badToken_isRefused_data()
{
    QTest::addColumn<QByteArray>("body");
    for (const char* body :
         {"", "[]", "null", "{}", R"({"id":"","brand":"visa","last4":"4242"})", R"({"id":1,"brand":"visa","last4":"4242"})",
          R"({"id":"pm_1","last4":"4242"})", R"({"id":"pm_1","brand":"visa"})", R"({"id":"pm_1","brand":"visa","last4":4242})"})
        QTest::addRow("'%s'", body) << QByteArray(body);
}

void CardRequestTest::badToken_isRefused()
{
    QFETCH(QByteArray, body);
    QVERIFY(!parseCardToken(body.toStdString()));
}

QTEST_APPLESS_MAIN(CardRequestTest)
#include "tst_card_request.moc"
