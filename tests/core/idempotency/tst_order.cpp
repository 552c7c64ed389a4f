#include "idempotency/order.h"

#include <QtTest/QTest>

using namespace payonce::idempotency;

class TestOrder : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void order_isPaidOnlyWhenTheRecordSucceeded_data();
    void order_isPaidOnlyWhenTheRecordSucceeded();
    void names_areReadBack();
};

Q_DECLARE_METATYPE(RecordState)
Q_DECLARE_METATYPE(OrderStatus)

void TestOrder::order_isPaidOnlyWhenTheRecordSucceeded_data()
{
    QTest::addColumn<RecordState>("state");
    QTest::addColumn<OrderStatus>("status");
    QTest::newRow("in progress") << RecordState::InProgress << OrderStatus::Open;
    QTest::newRow("unknown") << RecordState::Unknown << OrderStatus::Open;
    QTest::newRow("succeeded") << RecordState::Succeeded << OrderStatus::Paid;
    QTest::newRow("failed") << RecordState::Failed << OrderStatus::Closed;
    QTest::newRow("abandoned") << RecordState::Abandoned << OrderStatus::Closed;
}

void TestOrder::order_isPaidOnlyWhenTheRecordSucceeded()
{
    QFETCH(const RecordState, state);
    QFETCH(const OrderStatus, status);
    QCOMPARE(orderStatusFor(state), status);
}

void TestOrder::names_areReadBack()
{
    for (const auto status : {OrderStatus::Open, OrderStatus::Paid, OrderStatus::Closed})
        QCOMPARE(orderStatusOf(nameOf(status)), std::optional(status));
    for (const auto reason : {AbandonReason::Cancelled, AbandonReason::Expired, AbandonReason::CartTaken})
        QCOMPARE(abandonReasonOf(nameOf(reason)), std::optional(reason));
    QVERIFY(!orderStatusOf("Paid"));
    QVERIFY(!abandonReasonOf(""));
}

QTEST_GUILESS_MAIN(TestOrder)
#include "tst_order.moc"
