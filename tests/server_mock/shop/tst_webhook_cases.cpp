// Real faults of real shops around webhooks, one test each, named after what went wrong there.
#include "shop_test.h"

#include <QtTest/QTest>

using namespace payonce;
using namespace std::chrono_literals;
using console::Point;
using idempotency::BankEvent;
using idempotency::BankState;
using idempotency::RecordState;
using shop::ShopBench;

class TestWebhookCases : public shop::ShopTest
{
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        ShopTest::init();
        m_bench->shop().startOutbox();
    }

    // django-paypal #243: the duplicate test looked only at the most recent similar message.
    void onlyTheNewestMessageWasCompared_soTheThirdCopyWasFulfilledAgain()
    {
        openAction();
        const BankEvent paid = bankEvent("evt_paid", 2);
        QCOMPARE(tell(paid), QStringLiteral("applied"));
        QCOMPARE(tell(declined("evt_pending", 1)), QStringLiteral("late")); // another status of the same payment in between
        QCOMPARE(tell(paid), QStringLiteral("duplicate"));
        QCOMPARE(tell(paid), QStringLiteral("duplicate"));
        expectPaidOnce();
    }

    // sendgrid-nodejs #1435: the event id changes on every redelivery.
    void everyRedeliveryHadANewEventId_soNoneWasRecognised()
    {
        openAction();
        QCOMPARE(tell(bankEvent("evt_1", 2)), QStringLiteral("applied"));
        QCOMPARE(tell(bankEvent("evt_2", 2)), QStringLiteral("same_fact"));
        QCOMPARE(tell(bankEvent("evt_3", 2)), QStringLiteral("same_fact"));
        expectPaidOnce();
    }

    // mollie/magento2 #1047: webhook and checkout page each recorded the payment, and the order was mailed again and again.
    void webhookAndCheckoutBothRecordedThePayment_soTwoMailsLeft()
    {
        const auto call = openAction();
        QCOMPARE(tell(bankEvent("evt_1", 2)), QStringLiteral("applied"));
        m_bench->points().release(); // within the same second
        QCOMPARE(ShopBench::answerOf(call).status, 201);
        expectPaidOnce();
        m_bench->letTimePass(21 * 24h); // another event, weeks later
        QCOMPARE(tell(bankEvent("evt_2", 2)), QStringLiteral("same_fact"));
        expectPaidOnce();
    }

    // mirakl-hyperwallet-connector #35: the last event received won.
    void olderEventCameLast_andUndidTheNewerOne()
    {
        openAction();
        BankEvent newer = bankEvent("evt_newer", 2);
        BankEvent older = declined("evt_older", 1);
        newer.at = older.at - 2min; // not by time: the clocks of a bank's machines differ
        QCOMPARE(tell(newer), QStringLiteral("applied"));
        QCOMPARE(tell(older), QStringLiteral("late"));
        QCOMPARE(m_bench->recordOf(m_id).state, RecordState::Succeeded);
        expectPaidOnce();
    }

    // statamic-cargo #190: the handler answered 200 when it found no order.
    void eventBeforeItsOrder_wasAnsweredAsDone_soTheOrderStayedPending()
    {
        m_bench->shop().startWebhooks();
        const auto request = ownRequest();
        const auto key = values::BankKey::mint(m_id.madeAt().value(), {9, 9, 9});
        const BankEvent early{"evt_early",    key, {BankState::Approved, "ch_early", {}}, 2, request.terms.amount,
                              m_bench->time()};
        QCOMPARE(tell(early), QStringLiteral("parked"));
        bool isClaimed = false;
        m_bench->shop().records().work<idempotency::ClaimDecision>(
            [request, key, now = m_bench->time()](shop::ShopStore& store) {
                return store.ledger().claim(request, {"run_1", now, key, "pay_early", "ord_early"});
            },
            [&isClaimed](const auto& decision) {
                isClaimed = decision && std::holds_alternative<idempotency::Execute>(*decision);
            });
        QTRY_VERIFY(isClaimed);

        QTRY_COMPARE(m_bench->recordOf(m_id).state, RecordState::Succeeded);
        QCOMPARE(m_bench->recordOf(m_id).chargeId, std::string("ch_early"));
        QTRY_COMPARE(m_bench->view().mails.size(), std::size_t{1});
        QCOMPARE(tell(early), QStringLiteral("duplicate"));
    }

private:
    /// A payment that the bank has charged and whose worker stands still.
    std::unique_ptr<support::HttpCall> openAction()
    {
        auto call = m_bench->payHeldAt(Point::BankCommitted, m_id, m_bench->newPayment());
        m_charge = m_bench->charges().front().chargeId;
        return call;
    }
    BankEvent bankEvent(const std::string& id, std::int64_t sequence)
    {
        const auto record = m_bench->recordOf(m_id);
        return {id, *record.bankKey, {BankState::Approved, m_charge, {}}, sequence, record.terms->amount, m_bench->time()};
    }
    BankEvent declined(const std::string& id, std::int64_t sequence)
    {
        BankEvent result = bankEvent(id, sequence);
        result.row = {BankState::Declined, {}, "insufficient_funds"};
        return result;
    }
    QString tell(const BankEvent& what)
    {
        return ShopBench::answerOf(m_bench->tell(what)).json().value(QStringLiteral("outcome")).toString();
    }
    void expectPaidOnce()
    {
        QTRY_COMPARE(m_bench->view().mails.size(), std::size_t{1});
        QTRY_COMPARE(m_bench->view().mailsWaiting, std::int64_t{0});
        const auto view = m_bench->view();
        QCOMPARE(view.mails.size(), std::size_t{1});
        QCOMPARE(view.orders.size(), std::size_t{1});
        QCOMPARE(view.orders.front().status, std::string("paid"));
        QCOMPARE(m_bench->charges().size(), std::size_t{1});
        QVERIFY(!m_bench->recordOf(m_id).hasDiscrepancy);
    }
    idempotency::ClaimRequest ownRequest()
    {
        const auto method = m_bench->exchangeCard().toStdString();
        return {
            "acct_1",
            m_id,
            "payonce-1",
            {},
            {"cart-of-its-own", {4200, *values::Currency::fromCode("EUR")}, method, "a@example.com", m_bench->time() + 10min}};
    }

    std::string m_charge;
};

QTEST_GUILESS_MAIN(TestWebhookCases)
#include "tst_webhook_cases.moc"
