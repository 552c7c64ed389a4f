#include "shop_test.h"
#include "support/file_limit.h"

#include <QtCore/QDateTime>
#include <QtCore/QJsonArray>
#include <QtTest/QTest>

using namespace payonce;
using shop::Payment;
using shop::ShopBench;
using support::HttpAnswer;

namespace {

const QByteArray kKey = "\"0198c0de-7a11-7c3e-9f00-6b1f0a2c4d5e\"";

} // namespace

class TestShopRequests : public shop::ShopTest
{
    Q_OBJECT

private Q_SLOTS:
    void policy_namesServerAccountAndPromises()
    {
        const HttpAnswer answer = ShopBench::answerOf(m_bench->send("GET", "/v1/policy"));

        QCOMPARE(answer.status, 200);
        QCOMPARE(answer.header("Content-Type"), QByteArray("application/json"));
        QVERIFY(answer.header("Content-Digest").startsWith("sha-256=:"));
        QCOMPARE(text(answer, "server_id"), QStringLiteral("srv_test"));
        QCOMPARE(text(answer, "account"), QStringLiteral("acct_1"));
        QCOMPARE(text(answer, "in_progress_max"), QStringLiteral("PT15S"));
        QCOMPARE(text(answer, "keys"), QStringLiteral("uuidv7"));
        const auto serverTime = QDateTime::fromString(text(answer, "time"), Qt::ISODateWithMs);
        QVERIFY(std::abs(serverTime.msecsTo(QDateTime::currentDateTimeUtc())) < 60'000);
    }

    void cart_isTheSameUntilItIsPaid()
    {
        const HttpAnswer first = ShopBench::answerOf(m_bench->send("GET", "/v1/cart"));
        QCOMPARE(first.status, 200);
        QCOMPARE(text(first, "cart_id"), QStringLiteral("cart_1"));
        QCOMPARE(first.json().value(QStringLiteral("total")).toObject().value(QStringLiteral("value")).toInt(), 4200);
        QCOMPARE(first.json().value(QStringLiteral("lines")).toArray().size(), 2);
        QCOMPARE(ShopBench::answerOf(m_bench->send("GET", "/v1/cart")).body, first.body);

        QCOMPARE(ShopBench::answerOf(m_bench->pay(ShopBench::newAction(), m_bench->newPayment())).status, 201);

        QCOMPARE(text(ShopBench::answerOf(m_bench->send("GET", "/v1/cart")), "cart_id"), QStringLiteral("cart_2"));
    }

    void healthz_needsNoToken()
    {
        const HttpAnswer answer = ShopBench::answerOf(m_bench->send("GET", "/healthz", {}, {}, "nobody"));
        QCOMPARE(answer.status, 200);
        QCOMPARE(m_bench->points().reached(console::Point::Received), 0);
        QCOMPARE(answer.body, QByteArray(R"({"status":"ok"})"));
    }

    void healthz_saysThatPaymentsCannotBeSaved()
    {
        const Payment payment = m_bench->newPayment();
        {
            const support::FileLimit full(0);
            QCOMPARE(ShopBench::answerOf(m_bench->pay(ShopBench::newAction(), payment)).status, 503);
            // A look-up is answered all the same, and proves nothing
            QCOMPARE(ShopBench::answerOf(m_bench->look(ShopBench::newAction())).status, 404);
        }
        const HttpAnswer answer = ShopBench::answerOf(m_bench->send("GET", "/healthz"));
        QCOMPARE(answer.status, 200);
        QCOMPARE(text(answer, "status"), QStringLiteral("cannot-save"));
        QCOMPARE(text(answer, "detail"),
                 QStringLiteral("Payments cannot be saved. The database: it cannot be read or written."));

        QCOMPARE(ShopBench::answerOf(m_bench->pay(ShopBench::newAction(), payment)).status, 201);
        QCOMPARE(text(ShopBench::answerOf(m_bench->send("GET", "/healthz")), "status"), QStringLiteral("ok"));
    }

    void headRequest_isAnsweredLikeGetWithoutBody()
    {
        const HttpAnswer get = ShopBench::answerOf(m_bench->send("GET", "/v1/cart"));
        const auto head = m_bench->send("HEAD", "/v1/cart");
        QTRY_VERIFY(head->isFinished());

        QVERIFY(head->received().startsWith("HTTP/1.1 200 "));
        QVERIFY(head->received().contains("Content-Length: " + QByteArray::number(get.body.size()) + "\r\n"));
        QVERIFY(head->received().endsWith("\r\n\r\n"));
    }

    void card_becomesATokenAndNothingElse()
    {
        const QByteArray body = R"({"card":{"number":"5555555555554444","exp_month":1,"exp_year":2031,"cvc":"123"}})";
        const HttpAnswer answer = ShopBench::answerOf(m_bench->send("POST", "/v1/payment-methods", {}, body));

        QCOMPARE(answer.status, 201);
        QVERIFY(text(answer, "id").startsWith(QLatin1String("pm_")));
        QCOMPARE(text(answer, "brand"), QStringLiteral("mastercard"));
        QCOMPARE(text(answer, "last4"), QStringLiteral("4444"));
        QVERIFY(!answer.body.contains("5555555555554444"));
    }

    void refusedCard_says422AndWhichMember()
    {
        const QByteArray body = R"({"card":{"number":"4242424242424241","exp_month":1,"exp_year":2031,"cvc":"123"}})";
        const HttpAnswer answer = ShopBench::answerOf(m_bench->send("POST", "/v1/payment-methods", {}, body));

        QCOMPARE(answer.status, 422);
        QCOMPARE(text(answer, "code"), QStringLiteral("body-invalid"));
        QVERIFY(text(answer, "detail").contains(QLatin1String("number")));
        QVERIFY(!answer.body.contains("4242424242424241"));
    }

    void keyThatIsNotNeeded_isEchoedAndMakesNoAction()
    {
        const http::Headers key{{"Idempotency-Key", kKey}};
        for (const char* path : {"/v1/cart", "/v1/policy", "/v1/orders"}) {
            const HttpAnswer answer = ShopBench::answerOf(m_bench->send("GET", path, key));
            QCOMPARE(answer.status, 200);
            QCOMPARE(answer.header("Action-Id"), kKey);
        }
        const QByteArray card = R"({"card":{"number":"4242424242424242","exp_month":1,"exp_year":2031,"cvc":"123"}})";
        QCOMPARE(ShopBench::answerOf(m_bench->send("POST", "/v1/payment-methods", key, card)).header("Action-Id"), kKey);
        QVERIFY(m_bench->view().records.empty());
    }

    // Also where there is no action to name.
    void storeThatCannotAnswer_namesThePath_data()
    {
        QTest::addColumn<QByteArray>("path");
        for (const char* path : {"/v1/orders", "/v1/orders/ord_none"})
            QTest::newRow(path) << QByteArray(path);
    }
    void storeThatCannotAnswer_namesThePath()
    {
        QFETCH(QByteArray, path);
        m_bench->dropOrders();
        const HttpAnswer answer = ShopBench::answerOf(m_bench->send("GET", path));
        QCOMPARE(answer.status, 503);
        QCOMPARE(text(answer, "instance").toLatin1(), path);
    }

    void refusal_hasItsCodeInTheContractsOrder_data()
    {
        QTest::addColumn<QByteArray>("path");
        QTest::addColumn<QByteArray>("method");
        QTest::addColumn<http::Headers>("headers");
        QTest::addColumn<QByteArray>("token");
        QTest::addColumn<int>("status");
        QTest::addColumn<QString>("code");
        QTest::addColumn<QByteArray>("echo");

        const http::Headers key{{"Idempotency-Key", kKey}};
        const http::Headers json{{"Content-Type", "application/json"}};
        const QByteArray good = shop::kToken;
        const auto row = [](const char* name, const char* method, const char* path, const http::Headers& headers,
                            const QByteArray& token, int status, const char* code, const QByteArray& echo = {}) {
            QTest::newRow(name) << QByteArray(path) << QByteArray(method) << headers << token << status
                                << QString::fromLatin1(code) << echo;
        };
        row("no such path", "GET", "/v1/nothing", {}, good, 404, "not-found");
        row("no such path, key echoed", "POST", "/v1/nothing", key, good, 404, "not-found", kKey);
        row("wrong method", "PUT", "/v1/payments", key, good, 405, "method-not-allowed", kKey);
        row("nobody's token before a missing key", "POST", "/v1/payments", {}, "nobody", 401, "unauthorized");
        row("nobody's token still echoes the key", "POST", "/v1/payments", key, "nobody", 401, "unauthorized", kKey);
        row("no key", "POST", "/v1/payments", json, good, 400, "key-missing");
        row("two keys", "POST", "/v1/payments", key + key + json, good, 400, "key-invalid");
        row("key that is no UUID", "POST", "/v1/payments", http::Headers{{"Idempotency-Key", "\"abc\""}} + json, good, 400,
            "key-invalid");
        row("key that is a UUIDv4", "POST", "/v1/payments",
            http::Headers{{"Idempotency-Key", "\"3f2b1c7e-1d2f-4a6b-9c8d-0e1f2a3b4c5d\""}} + json, good, 400, "key-invalid");
        row("key from the far future is echoed", "POST", "/v1/payments",
            http::Headers{{"Idempotency-Key", "\"f198c0de-7a11-7c3e-9f00-6b1f0a2c4d5e\""}} + json, good, 400, "key-invalid",
            "\"f198c0de-7a11-7c3e-9f00-6b1f0a2c4d5e\"");
        row("key before attempt", "POST", "/v1/payments", http::Headers{{"Action-Attempt", "x"}} + json, good, 400,
            "key-missing");
        row("bad attempt", "POST", "/v1/payments", key + json + http::Headers{{"Action-Attempt", "0"}}, good, 400,
            "body-invalid", kKey);
        row("no content type", "POST", "/v1/payments", key, good, 415, "unsupported-media-type", kKey);
        row("other content type", "POST", "/v1/payment-methods", {{"Content-Type", "text/plain"}}, good, 415,
            "unsupported-media-type");
        row("empty body", "POST", "/v1/payments", key + json, good, 400, "body-invalid", kKey);
        row("content type with parameters", "POST", "/v1/payments",
            key + http::Headers{{"Content-Type", "Application/JSON ; charset=utf-8"}}, good, 400, "body-invalid", kKey);
        row("action that nobody knows", "GET", "/v1/actions/0198c0de-7a11-7c3e-9f00-6b1f0a2c4d5e", {}, good, 404,
            "action-unknown", kKey);
        row("action that is no ID", "GET", "/v1/actions/abc", {}, good, 400, "key-invalid");
        row("action with nobody's token", "GET", "/v1/actions/0198c0de-7a11-7c3e-9f00-6b1f0a2c4d5e", {}, "nobody", 401,
            "unauthorized", kKey);
        row("wrong method of an action", "POST", "/v1/actions/0198c0de-7a11-7c3e-9f00-6b1f0a2c4d5e", {}, good, 405,
            "method-not-allowed", kKey);
        row("key that is not needed, on a card", "POST", "/v1/payment-methods", key + json, good, 400, "body-invalid", kKey);
        row("key that is not needed, on an order", "GET", "/v1/orders/ord_none", key, good, 404, "not-found", kKey);
        row("key that is not needed, nobody's token", "GET", "/v1/cart", key, "nobody", 401, "unauthorized", kKey);
        row("policy with nobody's token", "GET", "/v1/policy", {}, "nobody", 401, "unauthorized");
    }
    void refusal_hasItsCodeInTheContractsOrder()
    {
        QFETCH(QByteArray, path);
        QFETCH(QByteArray, method);
        QFETCH(http::Headers, headers);
        QFETCH(QByteArray, token);
        QFETCH(int, status);
        QFETCH(QString, code);
        QFETCH(QByteArray, echo);

        const HttpAnswer answer = ShopBench::answerOf(m_bench->send(method, path, headers, {}, token));

        QCOMPARE(answer.status, status);
        QCOMPARE(answer.header("Content-Type"), QByteArray("application/problem+json"));
        QCOMPARE(text(answer, "code"), code);
        QCOMPARE(answer.header("Action-Id"), echo);
        QCOMPARE(text(answer, "action_id").toLatin1(), echo.mid(1, 36));
        QVERIFY(!text(answer, "detail").isEmpty());
        const QByteArray allowed(method == "POST" ? "GET, HEAD" : "POST");
        QCOMPARE(answer.header("Allow"), status == 405 ? allowed : QByteArray());
        QCOMPARE(answer.header("WWW-Authenticate"), status == 401 ? QByteArray("Bearer") : QByteArray());
    }

    void refusedMember_isNamedAndNotRemembered()
    {
        const auto id = ShopBench::newAction();
        Payment payment = m_bench->newPayment();
        payment.value = 0;

        const HttpAnswer refused = ShopBench::answerOf(m_bench->pay(id, payment));
        QCOMPARE(refused.status, 422);
        QCOMPARE(text(refused, "code"), QStringLiteral("body-invalid"));
        QVERIFY(text(refused, "detail").contains(QLatin1String("amount.value")));
        QCOMPARE(ShopBench::answerOf(m_bench->look(id)).status, 404);

        payment.value = 4200;
        QCOMPARE(ShopBench::answerOf(m_bench->pay(id, payment)).status, 201);
    }

    void arrival_tellsAccountActionAndAttempt()
    {
        const auto id = ShopBench::newAction();
        const auto answer =
            ShopBench::answerOf(m_bench->look(id, {{"Action-Attempt", "3;prev=timeout;presses=2;state=confirming"}}));
        QCOMPARE(answer.status, 404);

        const faults::Arrival& arrival = m_bench->points().lastArrival();
        QCOMPARE(arrival.operation, console::Operation::Status);
        QCOMPARE(arrival.account, std::string("acct_1"));
        QCOMPARE(arrival.actionId, id.toString());
        QCOMPARE(arrival.attempt, std::string("3"));
    }

    void requestHeldAtReceived_isNotLookedAt()
    {
        m_bench->points().holdAt(console::Point::Received);
        const auto call = m_bench->send("POST", "/v1/payments");
        QTRY_COMPARE(m_bench->points().heldCount(), std::size_t{1});
        QCOMPARE(m_bench->points().answered(), 0);

        m_bench->points().release();

        QCOMPARE(ShopBench::answerOf(call).status, 400);
    }
};

QTEST_GUILESS_MAIN(TestShopRequests)
#include "tst_shop_requests.moc"
