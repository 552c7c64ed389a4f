// GET /v1/orders and /v1/orders/{id}: an account's own orders, newest first, and nobody else's.
#include "shop_test.h"

#include <QtCore/QJsonArray>
#include <QtTest/QTest>

using namespace payonce;
using shop::Payment;
using shop::ShopBench;
using support::HttpAnswer;

class TestOrderBook : public shop::ShopTest
{
    Q_OBJECT

private Q_SLOTS:
    void orders_areListedNewestFirst()
    {
        QVERIFY(numbers(orders()).isEmpty());
        buy("cart-a");
        buy("cart-b", "4000000000000002");
        const HttpAnswer answer = orders();
        QCOMPARE(answer.status, 200);
        QCOMPARE(numbers(answer), (QStringList{QStringLiteral("1002"), QStringLiteral("1001")}));
        const auto newest = answer.json().value(QStringLiteral("orders")).toArray().first().toObject();
        QCOMPARE(newest.value(QStringLiteral("status")).toString(), QStringLiteral("closed"));
        QVERIFY(!answer.json().value(QStringLiteral("more")).toBool());
    }

    void oneOrder_isToldAsInTheList()
    {
        const auto id = buy("cart-a");
        const auto listed = orders().json().value(QStringLiteral("orders")).toArray().first().toObject();
        QCOMPARE(listed.value(QStringLiteral("action_id")).toString().toStdString(), id.toString());
        const HttpAnswer one = look(listed.value(QStringLiteral("id")).toString());
        QCOMPARE(one.status, 200);
        QCOMPARE(one.json(), listed);
    }

    // Nothing of another account is readable, and nothing tells that it exists.
    void otherAccountsOrders_doNotExist()
    {
        buy("cart-a");
        const auto id =
            orders().json().value(QStringLiteral("orders")).toArray().first().toObject().value(QStringLiteral("id"));
        QVERIFY(numbers(orders(shop::kOtherToken)).isEmpty());
        const HttpAnswer theirs = look(id.toString(), shop::kOtherToken);
        QCOMPARE(theirs.status, 404);
        const HttpAnswer nobodys = look(QStringLiteral("ord_nothing"), shop::kOtherToken);
        QCOMPARE(nobodys.json().value(QStringLiteral("code")), theirs.json().value(QStringLiteral("code")));
        QCOMPARE(nobodys.json().value(QStringLiteral("detail")), theirs.json().value(QStringLiteral("detail")));
        QCOMPARE(orders("nobody").status, 401);
        QCOMPARE(look(id.toString(), "nobody").status, 401);
    }

    void manyOrders_areBounded()
    {
        Payment payment = m_bench->newPayment("4000000000000002");
        for (int i = 0; i <= shop::kOrdersToldMost; ++i)
            QCOMPARE(ShopBench::answerOf(m_bench->pay(ShopBench::newAction(), payment)).status, 402);
        const HttpAnswer answer = orders();
        QCOMPARE(numbers(answer).size(), qsizetype{shop::kOrdersToldMost});
        QCOMPARE(numbers(answer).first(), QStringLiteral("1051"));
        QVERIFY(answer.json().value(QStringLiteral("more")).toBool());
    }

    void brokenDatabase_isA503()
    {
        m_bench->dropOrders();
        QCOMPARE(orders().status, 503);
        QCOMPARE(look(QStringLiteral("ord_1")).status, 503);
    }

private:
    values::ActionId buy(const QByteArray& cart, const QByteArray& card = "4242424242424242")
    {
        const auto id = ShopBench::newAction();
        Payment payment = m_bench->newPayment(card);
        payment.cart = cart;
        (void)ShopBench::answerOf(m_bench->pay(id, payment));
        return id;
    }
    [[nodiscard]] HttpAnswer orders(const QByteArray& token = shop::kToken)
    {
        return ShopBench::answerOf(m_bench->send("GET", "/v1/orders", {}, {}, token));
    }
    [[nodiscard]] HttpAnswer look(const QString& id, const QByteArray& token = shop::kToken)
    {
        return ShopBench::answerOf(m_bench->send("GET", "/v1/orders/" + id.toUtf8(), {}, {}, token));
    }
    [[nodiscard]] static QStringList numbers(const HttpAnswer& answer)
    {
        QStringList result;
        for (const auto& order : answer.json().value(QStringLiteral("orders")).toArray())
            result += order.toObject().value(QStringLiteral("number")).toString();
        return result;
    }
};

QTEST_GUILESS_MAIN(TestOrderBook)
#include "tst_order_book.moc"
