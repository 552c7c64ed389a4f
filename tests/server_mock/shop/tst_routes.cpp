#include "shop/routes.h"

#include <QtTest/QTest>

using namespace payonce;
using idempotency::ProblemCode;
using shop::Endpoint;

class TestRoutes : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void knownPath_hasItsEndpoint_data()
    {
        QTest::addColumn<QByteArray>("method");
        QTest::addColumn<QByteArray>("path");
        QTest::addColumn<int>("endpoint");
        QTest::addColumn<QByteArray>("actionId");

        const auto row = [](const char* method, const char* path, Endpoint endpoint, const char* id = "") {
            QTest::newRow(path) << QByteArray(method) << QByteArray(path) << static_cast<int>(endpoint) << QByteArray(id);
        };
        row("GET", "/v1/policy", Endpoint::Policy);
        row("GET", "/v1/cart", Endpoint::Cart);
        row("POST", "/v1/payment-methods", Endpoint::ExchangeCard);
        row("POST", "/v1/payments", Endpoint::Pay);
        row("POST", "/v1/accounts", Endpoint::SignUp);
        row("GET", "/v1/actions/abc", Endpoint::Status, "abc");
        row("POST", "/v1/actions/abc/abandon", Endpoint::Abandon, "abc");
        row("POST", "/v1/actions/abc/report", Endpoint::Report, "abc");
        row("GET", "/v1/orders", Endpoint::Orders);
        row("GET", "/v1/orders/ord_1", Endpoint::Order);
        row("GET", "/healthz", Endpoint::Health);
        row("GET", "/openapi.yaml", Endpoint::OpenApi);
        row("GET", "/problems/in-progress", Endpoint::Problem);
        row("GET", "/v1/support/actions", Endpoint::SupportSearch);
        row("GET", "/v1/support/actions/abc", Endpoint::SupportLook, "abc");
        row("POST", "/v1/support/actions/abc/ask-bank", Endpoint::SupportAct, "abc");
        row("POST", "/v1/support/actions/abc/finish-order", Endpoint::SupportAct, "abc");
        row("POST", "/v1/support/actions/abc/close", Endpoint::SupportAct, "abc");
        row("POST", "/v1/support/actions/abc/resend-receipt", Endpoint::SupportAct, "abc");
        row("POST", "/v1/support/actions/abc/note", Endpoint::SupportAct, "abc");
        row("POST", "/v1/support/actions/abc/unmask", Endpoint::SupportAct, "abc");
    }
    void knownPath_hasItsEndpoint()
    {
        QFETCH(QByteArray, method);
        QFETCH(QByteArray, path);
        QFETCH(int, endpoint);
        QFETCH(QByteArray, actionId);

        const auto route = shop::routeOf(method, path);

        const auto* known = std::get_if<shop::Route>(&route);
        QVERIFY(known);
        QCOMPARE(static_cast<int>(known->endpoint), endpoint);
        QCOMPARE(known->actionId, actionId);
        QCOMPARE(shop::operationFor(known->endpoint).has_value(),
                 !path.startsWith("/healthz") && !path.startsWith("/openapi") && !path.startsWith("/problems/"));
    }

    void everythingElse_goesNowhere_data()
    {
        QTest::addColumn<QByteArray>("method");
        QTest::addColumn<QByteArray>("path");
        QTest::addColumn<int>("code");
        QTest::addColumn<QByteArray>("allow");

        const auto row = [](const char* method, const char* path, ProblemCode code, const char* allow) {
            QTest::addRow("%s %s", method, path)
                << QByteArray(method) << QByteArray(path) << static_cast<int>(code) << QByteArray(allow);
        };
        row("GET", "/", ProblemCode::NotFound, "");
        row("GET", "/v1", ProblemCode::NotFound, "");
        row("GET", "/v1/policy/", ProblemCode::NotFound, "");
        row("POST", "/v1/Payments", ProblemCode::NotFound, "");
        row("GET", "/v1/actions/", ProblemCode::NotFound, "");
        row("GET", "/v1/actions", ProblemCode::NotFound, "");
        row("POST", "/v1/actions/abc/def", ProblemCode::NotFound, "");
        row("POST", "/v1/actions//abandon", ProblemCode::NotFound, "");
        row("POST", "/v1/actions/abandon/abandon/", ProblemCode::NotFound, "");
        row("GET", "/v1/actions/abc/abandon", ProblemCode::MethodNotAllowed, "POST");
        row("POST", "/v1/actions/abc/report/abandon", ProblemCode::NotFound, "");
        row("GET", "/v1/actions/abc/report", ProblemCode::MethodNotAllowed, "POST");
        row("GET", "/v1/orders/", ProblemCode::NotFound, "");
        row("GET", "/v1/orders/ord_1/lines", ProblemCode::NotFound, "");
        row("POST", "/v1/orders/ord_1", ProblemCode::MethodNotAllowed, "GET, HEAD");
        row("GET", "/v1/payments", ProblemCode::MethodNotAllowed, "POST");
        row("GET", "/v1/accounts", ProblemCode::MethodNotAllowed, "POST");
        row("GET", "/v1/accounts/acc_1", ProblemCode::NotFound, "");
        row("PUT", "/v1/payment-methods", ProblemCode::MethodNotAllowed, "POST");
        row("POST", "/v1/policy", ProblemCode::MethodNotAllowed, "GET, HEAD");
        row("DELETE", "/v1/actions/abc", ProblemCode::MethodNotAllowed, "GET, HEAD");
        row("POST", "/healthz", ProblemCode::MethodNotAllowed, "GET, HEAD");
        row("POST", "/v1/support/actions", ProblemCode::MethodNotAllowed, "GET, HEAD");
        row("POST", "/v1/support/actions/abc", ProblemCode::MethodNotAllowed, "GET, HEAD");
        row("GET", "/v1/support/actions/abc/close", ProblemCode::MethodNotAllowed, "POST");
        row("GET", "/v1/support/actions/", ProblemCode::NotFound, "");
        row("POST", "/v1/support/actions//close", ProblemCode::NotFound, "");
        row("POST", "/v1/support/actions/abc/charge", ProblemCode::NotFound, ""); // there is no "charge again"
        row("POST", "/v1/support/actions/abc/close/", ProblemCode::NotFound, "");
    }
    void everythingElse_goesNowhere()
    {
        QFETCH(QByteArray, method);
        QFETCH(QByteArray, path);
        QFETCH(int, code);
        QFETCH(QByteArray, allow);

        const auto route = shop::routeOf(method, path);

        const auto* nowhere = std::get_if<shop::NoRoute>(&route);
        QVERIFY(nowhere);
        QCOMPARE(static_cast<int>(nowhere->code), code);
        QCOMPARE(nowhere->allow, allow);
    }
};

QTEST_GUILESS_MAIN(TestRoutes)
#include "tst_routes.moc"
