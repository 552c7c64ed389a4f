#include "core/protocol/record_samples.h"
#include "fixtures/fixture.h"
#include "protocol/order_json.h"

#include <QtTest/QTest>

using namespace payonce;
using namespace payonce::protocol;

class OrderJsonTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void orders_areTheContracts();
    void noOrders_areAnEmptyList();
};

namespace {

idempotency::Order paidOrder()
{
    const auto record = samples::succeeded();
    return {record.orderId,
            record.orderNumber,
            record.account,
            record.id,
            record.terms->cartId,
            record.terms->amount,
            idempotency::OrderStatus::Paid,
            record.firstSeen};
}

} // namespace

void OrderJsonTest::orders_areTheContracts()
{
    QCOMPARE(QByteArray::fromStdString(renderOrder(paidOrder())), QByteArray::fromStdString(fixtures::read("order.json")));
    QCOMPARE(QByteArray::fromStdString(renderOrders({{paidOrder()}, false})),
             QByteArray::fromStdString(fixtures::read("orders.json")));
}

void OrderJsonTest::noOrders_areAnEmptyList()
{
    QCOMPARE(QByteArray::fromStdString(renderOrders({{}, false})), QByteArray(R"({"orders":[],"more":false})"));
}

QTEST_APPLESS_MAIN(OrderJsonTest)
#include "tst_order_json.moc"
