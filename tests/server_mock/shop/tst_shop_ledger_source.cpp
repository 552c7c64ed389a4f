#include "shop_test.h"

#include "faults/verdict_maker.h"
#include "support/sqlite_file.h"

#include <QtTest/QTest>

using namespace payonce;
using console::Point;
using shop::ShopBench;

class TestShopLedgerSource : public shop::ShopTest
{
    Q_OBJECT

private Q_SLOTS:
    void view_showsChargesOrdersAndRecords()
    {
        const auto declined = ShopBench::newAction();
        const auto paid = ShopBench::newAction();
        QCOMPARE(ShopBench::answerOf(m_bench->pay(declined, m_bench->newPayment("4000000000000002"))).status, 402);
        QCOMPARE(ShopBench::answerOf(m_bench->pay(paid, m_bench->newPayment())).status, 201);

        const faults::LedgerView view = m_bench->view();

        QCOMPARE(view.charges.size(), std::size_t{2});
        QCOMPARE(view.charges[0].status, std::string("declined"));
        QCOMPARE(view.charges[0].actionId, declined.toString());
        QCOMPARE(view.charges[1].status, std::string("approved"));
        QVERIFY(view.charges[1].id.starts_with("ch_"));
        QCOMPARE(view.charges[1].amount.minorUnits, 4200);
        QCOMPARE(view.orders.size(), std::size_t{2});
        QCOMPARE(view.orders[0].status, std::string("paid")); // newest first
        QCOMPARE(view.orders[0].cartId, std::string("cart_1"));
        QCOMPARE(view.orders[1].status, std::string("closed"));
        QCOMPARE(view.records.size(), std::size_t{2});
        QCOMPARE(view.records[0].state, std::string("succeeded"));
        QCOMPARE(view.records[1].state, std::string("failed"));
    }

    void view_isReadInPagesAndWhole()
    {
        for (int i = 0; i < 5; ++i)
            payOwn(i);
        const faults::LedgerView view = viewWithin({.actionsMost = 5, .rowsAPage = 2});
        QVERIFY(!view.isCut);
        QCOMPARE(view.charges.size(), std::size_t{5});
        QCOMPARE(view.orders.size(), std::size_t{5});
        QCOMPARE(view.records.size(), std::size_t{5});
        QCOMPARE(view.orders.front().cartId, std::string("own-4")); // newest first
        for (std::size_t i = 0; i < 5; ++i) {
            QCOMPARE(view.charges[i].bankKey, view.records[4 - i].bankKey);
            QCOMPARE(view.charges[i].id, view.orders[4 - i].chargeId);
        }
    }

    void moreActionsThanOneViewHolds_areCutWholeAndSaidSo_data()
    {
        QTest::addColumn<int>("tombstones"); // records without a charge between them: the lists end at other places
        QTest::newRow("paid ones") << 0;
        QTest::newRow("with tombstones") << 3;
    }
    void moreActionsThanOneViewHolds_areCutWholeAndSaidSo()
    {
        QFETCH(int, tombstones);
        for (int i = 0; i < 6; ++i)
            payOwn(i);
        for (int i = 0; i < tombstones; ++i)
            QCOMPARE(ShopBench::answerOf(m_bench->abandon(ShopBench::newAction())).status, 200);
        const faults::LedgerView view = viewWithin({.actionsMost = 4, .rowsAPage = 3});
        QVERIFY(view.isCut);
        QVERIFY(view.records.size() <= 4 && !view.records.empty());
        QCOMPARE(view.charges.size(), view.orders.size()); // of each action everything or nothing
        QCOMPARE(view.records.size(), view.orders.size() + static_cast<std::size_t>(tombstones));
        const auto report = faults::makeVerdict(view, {}, {});
        QVERIFY(!report.isComplete && !report.holds());
        for (const auto& action : report.actions)
            QVERIFY(action.code == console::VerdictCode::ChargedOnce || action.code == console::VerdictCode::NotCharged);
    }

    void purgedAction_isViewedByItsOrder()
    {
        payOwn(0);
        m_bench->changeShop({QStringLiteral("DELETE FROM key_records")});
        const faults::LedgerView view = m_bench->view();
        QVERIFY(view.records.empty());
        QCOMPARE(view.orders.size(), std::size_t{1});
        QCOMPARE(view.orders.front().chargeId, view.charges.front().id);
        QVERIFY(faults::makeVerdict(view, {}, {}).code == console::VerdictCode::ChargedOnce);
    }

    void reset_emptiesBothLedgers()
    {
        QCOMPARE(ShopBench::answerOf(m_bench->pay(ShopBench::newAction(), m_bench->newPayment())).status, 201);

        QVERIFY(reset());

        const faults::LedgerView view = m_bench->view();
        QVERIFY(view.charges.empty() && view.orders.empty() && view.records.empty());
        QCOMPARE(ShopBench::answerOf(m_bench->pay(ShopBench::newAction(), m_bench->newPayment())).status, 201);
    }

    void workUnderWayAtAReset_writesNothing_data()
    {
        QTest::addColumn<int>("point");
        for (const Point point :
             {Point::Received, Point::KeyClaimed, Point::BankBefore, Point::BankCommitted, Point::ResultSaved})
            QTest::newRow(std::string(console::nameOf(point)).c_str()) << static_cast<int>(point);
    }
    void workUnderWayAtAReset_writesNothing()
    {
        QFETCH(int, point);
        const auto payment = m_bench->newPayment();
        const auto call = m_bench->payHeldAt(static_cast<Point>(point), ShopBench::newAction(), payment);
        const int answered = m_bench->points().answered();

        QVERIFY(reset());
        m_bench->points().release();

        QTRY_VERIFY(call->isFinished()); // nobody holds the request any more
        QVERIFY(!call->answer());
        const faults::LedgerView view = m_bench->view();
        QVERIFY(view.charges.empty() && view.orders.empty() && view.records.empty());
        QCOMPARE(m_bench->points().answered(), answered);
    }

    void whoAsksBehindAReset_findsNothing()
    {
        const auto id = ShopBench::newAction();
        QCOMPARE(ShopBench::answerOf(m_bench->pay(id, m_bench->newPayment())).status, 201);
        std::optional<bool> isEmptied;
        std::optional<bool> isThere;

        // In the same turn, as a timer may come right behind it
        m_bench->source().reset([&isEmptied](bool well) { isEmptied = well; });
        m_bench->shop().records().find("acct_1", id, [&isThere](const auto& found) { isThere = found && found->has_value(); });

        QTRY_VERIFY(isThere && isEmptied);
        QVERIFY(!*isThere && *isEmptied);
    }

    void cardUnderWayAtAReset_isNotKept()
    {
        const auto call =
            m_bench->send("POST", "/v1/payment-methods", {{"Content-Type", "application/json"}}, support::cardBody());
        QTRY_VERIFY(m_bench->points().reached(Point::Received) > 0);

        QVERIFY(reset());

        QTRY_VERIFY(call->isFinished());
        QCOMPARE(support::valueIn(m_bench->shopFile(), QStringLiteral("SELECT count(*) FROM payment_methods")).toInt(), 0);
    }

    void brokenDatabase_hasNoView()
    {
        std::optional<std::optional<faults::LedgerView>> view;
        std::optional<bool> cleared;
        m_bench->dropOrders();

        m_bench->source().read([&view](const auto& came) { view = came; });
        m_bench->source().reset([&cleared](bool well) { cleared = well; });

        QTRY_VERIFY(view && cleared);
        QVERIFY(!*view);
        QVERIFY(!*cleared);
    }

private:
    void payOwn(int number)
    {
        auto payment = m_bench->newPayment();
        payment.cart = "own-" + QByteArray::number(number);
        QCOMPARE(ShopBench::answerOf(m_bench->pay(ShopBench::newAction(), payment)).status, 201);
    }
    [[nodiscard]] faults::LedgerView viewWithin(const shop::ReadingBounds& bounds)
    {
        return m_bench->viewOf(*m_bench->sourceWithin(bounds));
    }
    [[nodiscard]] bool reset()
    {
        std::optional<bool> well;
        m_bench->source().reset([&well](bool came) { well = came; });
        return QTest::qWaitFor([&well] { return well.has_value(); }) && *well;
    }
};

QTEST_GUILESS_MAIN(TestShopLedgerSource)
#include "tst_shop_ledger_source.moc"
