// Receipts leave once, whatever fails on the way (docs/contract.md, Webhooks and mails).
#include "shop_test.h"

#include <QtTest/QTest>

using namespace payonce;
using namespace std::chrono_literals;
using console::Point;
using shop::ShopBench;

class TestOutboxSender : public shop::ShopTest
{
    Q_OBJECT

private Q_SLOTS:
    void paidPayment_sendsOneReceipt()
    {
        m_bench->shop().startOutbox();
        const auto payment = m_bench->newPayment();
        QCOMPARE(ShopBench::answerOf(m_bench->pay(m_id, payment)).status, 201);
        QTRY_COMPARE(mails().size(), std::size_t{1});
        for (int again = 0; again < 3; ++again)
            QCOMPARE(ShopBench::answerOf(m_bench->pay(m_id, payment)).status, 201); // a replay emits nothing
        letSendersRun();

        const auto arrived = mails();
        QCOMPARE(arrived.size(), std::size_t{1});
        QCOMPARE(arrived.front().kind, std::string("receipt"));
        QCOMPARE(arrived.front().to, std::string("a@example.com"));
        QCOMPARE(arrived.front().actionId, m_id.toString());
        QCOMPARE(arrived.front().orderId, m_bench->view().orders.front().id);
        QCOMPARE(m_bench->view().mailsWaiting, std::int64_t{0});
    }

    void declinedPayment_sendsNothing()
    {
        m_bench->shop().startOutbox();
        QCOMPARE(ShopBench::answerOf(m_bench->pay(m_id, m_bench->newPayment("4000000000000002"))).status, 402);
        letSendersRun();
        QVERIFY(mails().empty());
    }

    void reconciledPayment_sendsOneReceipt()
    {
        m_bench->shop().startOutbox();
        const auto payment = m_bench->newPayment();
        const auto call = m_bench->payHeldAt(Point::BankCommitted, m_id, payment);
        m_bench->points().drop();
        m_bench->letTimePass(16s); // the lease of a worker that is gone
        m_bench->shop().startReconciler();
        QTRY_COMPARE(mails().size(), std::size_t{1});
        letSendersRun();
        QCOMPARE(mails().size(), std::size_t{1});
    }

    void stoppedServer_sendsAtItsNextStart()
    {
        QCOMPARE(ShopBench::answerOf(m_bench->pay(m_id, m_bench->newPayment())).status, 201);
        QVERIFY(mails().empty());
        m_bench->stop();
        QVERIFY(m_bench->start());
        m_bench->shop().startOutbox();
        QTRY_COMPARE(mails().size(), std::size_t{1});
    }

    void failingMailSystem_isTriedAgainAndNeverGivenUp()
    {
        m_bench->points().hitAt(Point::OutboxBefore, 8);
        m_bench->shop().startOutbox();
        QCOMPARE(ShopBench::answerOf(m_bench->pay(m_id, m_bench->newPayment())).status, 201);
        int tries = 1;
        for (const auto pause : {1s, 5s, 30s, 120s, 600s, 3600s, 3600s, 3600s}) {
            QTRY_COMPARE(m_bench->points().reached(Point::OutboxBefore), tries);
            letSendersRun();
            QCOMPARE(m_bench->points().reached(Point::OutboxBefore), tries); // not before its time
            QVERIFY(mails().empty());
            m_bench->letTimePass(pause);
            ++tries;
        }
        QTRY_COMPARE(mails().size(), std::size_t{1});
        QCOMPARE(m_bench->points().reached(Point::OutboxBefore), 9);
    }

    // It arrived, nobody heard so, and it is tried again: the mail system knows the delivery id.
    void lostAnswerOfTheMailSystem_doesNotDouble()
    {
        m_bench->points().hitAt(Point::OutboxSent, 1);
        m_bench->shop().startOutbox();
        QCOMPARE(ShopBench::answerOf(m_bench->pay(m_id, m_bench->newPayment())).status, 201);
        QTRY_COMPARE(m_bench->points().reached(Point::OutboxSent), 1);
        letSendersRun();
        m_bench->letTimePass(1s);
        QTRY_COMPARE(m_bench->points().reached(Point::OutboxSent), 2);
        letSendersRun();
        QCOMPARE(mails().size(), std::size_t{1});
        m_bench->letTimePass(48h);
        letSendersRun();
        QCOMPARE(m_bench->points().reached(Point::OutboxBefore), 2);
    }

    void crashBetweenDeliveryAndMark_doesNotDouble()
    {
        m_bench->points().holdAt(Point::OutboxSent);
        m_bench->shop().startOutbox();
        QCOMPARE(ShopBench::answerOf(m_bench->pay(m_id, m_bench->newPayment())).status, 201);
        QTRY_COMPARE(m_bench->points().heldCount(), std::size_t{1});
        m_bench->points().drop();
        m_bench->stop();
        QVERIFY(m_bench->start());
        m_bench->shop().startOutbox();
        m_bench->letTimePass(10s); // the lease of the sender that is gone
        QTRY_COMPARE(m_bench->points().reached(Point::OutboxSent), 2);
        letSendersRun();
        QCOMPARE(mails().size(), std::size_t{1});
    }

    void resend_arrivesBesidesTheFirst()
    {
        m_bench->shop().startOutbox();
        QCOMPARE(ShopBench::answerOf(m_bench->pay(m_id, m_bench->newPayment())).status, 201);
        QTRY_COMPARE(mails().size(), std::size_t{1});
        m_bench->shop().records().work<bool>(
            [this](shop::ShopStore& store) {
                return store.outbox().resendReceipt("acct_1", m_id, "dlv_by_hand", values::WallTime{});
            },
            [](const auto&) {});
        QTRY_COMPARE(mails().size(), std::size_t{2});
        letSendersRun();
        QCOMPARE(mails().size(), std::size_t{2});
    }

    void mailUnderWayAtAReset_writesNothing()
    {
        m_bench->points().holdAt(Point::OutboxBefore);
        m_bench->shop().startOutbox();
        QCOMPARE(ShopBench::answerOf(m_bench->pay(m_id, m_bench->newPayment())).status, 201);
        QTRY_COMPARE(m_bench->points().heldCount(), std::size_t{1});
        bool isDone = false;
        m_bench->source().reset([&isDone](bool done) { isDone = done; });
        QTRY_VERIFY(isDone);
        m_bench->points().release();
        letSendersRun();
        QVERIFY(mails().empty());
    }

private:
    [[nodiscard]] std::vector<faults::MailRow> mails() { return m_bench->view().mails; }
    /// The sender has looked at the outbox a few times: each start is a round, and its job is in the queue before ours.
    void letSendersRun()
    {
        for (int round = 0; round < 3; ++round) {
            m_bench->shop().startOutbox();
            static_cast<void>(m_bench->view());
        }
    }
};

QTEST_GUILESS_MAIN(TestOutboxSender)
#include "tst_outbox_sender.moc"
