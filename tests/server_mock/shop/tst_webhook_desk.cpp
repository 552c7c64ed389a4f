// POST /v1/webhooks/bank over HTTP: who is let in, what an event does, and what a failure leaves behind.
#include "faults/verdict_maker.h"
#include "protocol/bank_event_json.h"
#include "protocol/webhook_signature.h"
#include "shop_test.h"

#include <QtTest/QTest>

using namespace payonce;
using namespace std::chrono_literals;
using console::Point;
using idempotency::BankEvent;
using idempotency::BankState;
using idempotency::KeyRecord;
using idempotency::RecordState;
using shop::ShopBench;
using support::HttpAnswer;

namespace {

values::BankKey someKey()
{
    return values::BankKey::mint(ShopBench::newAction().madeAt().value(), {1, 2, 3});
}

} // namespace

class TestWebhookDesk : public shop::ShopTest
{
    Q_OBJECT

private Q_SLOTS:
    void eventOfAPaidAction_agrees()
    {
        pay();
        const HttpAnswer answer = ShopBench::answerOf(m_bench->tell(eventOf(m_bench->recordOf(m_id))));
        QCOMPARE(answer.status, 200);
        QCOMPARE(text(answer, "outcome"), QStringLiteral("agrees"));
        QVERIFY(!m_bench->recordOf(m_id).hasDiscrepancy);
    }

    // The worker never heard the bank; the event settles for it, and who waits is told at once.
    void eventOfAnOpenAction_settlesItAndWakesWhoWaits()
    {
        const auto call = payHeldAt(Point::BankCommitted);
        const auto waiting = m_bench->look(m_id, {{"Prefer", "wait=25"}});
        QTRY_COMPARE(m_bench->points().reached(Point::Received), 3); // card, payment, look-up

        QCOMPARE(text(ShopBench::answerOf(m_bench->tell(eventOfBank())), "outcome"), QStringLiteral("applied"));

        QCOMPARE(text(ShopBench::answerOf(waiting), "state"), QStringLiteral("succeeded"));
        m_bench->points().release();
        const HttpAnswer answer = ShopBench::answerOf(call);
        QCOMPARE(answer.status, 201); // from the record as it now stands
        QCOMPARE(m_bench->recordOf(m_id).answer->body, answer.body.toStdString());
        QCOMPARE(m_bench->view().mailsWaiting, std::int64_t{1});
        QCOMPARE(m_bench->charges().size(), std::size_t{1});
    }

    void refusedWebhook_changesNothing_data()
    {
        QTest::addColumn<int>("change");
        QTest::addColumn<int>("status");
        QTest::addColumn<QString>("code");
        QTest::addColumn<QString>("says");
        QTest::newRow("other secret") << 0 << 401 << QStringLiteral("unauthorized") << QStringLiteral("webhook-signature");
        QTest::newRow("no headers, an account's token")
            << 1 << 401 << QStringLiteral("unauthorized") << QStringLiteral("headers");
        QTest::newRow("the bank's clock is behind")
            << 2 << 401 << QStringLiteral("unauthorized") << QStringLiteral("behind the shop's");
        QTest::newRow("the bank's clock is ahead")
            << 3 << 401 << QStringLiteral("unauthorized") << QStringLiteral("ahead of the shop's");
        QTest::newRow("no JSON") << 4 << 400 << QStringLiteral("body-invalid") << QString();
        QTest::newRow("no event") << 5 << 422 << QStringLiteral("body-invalid") << QStringLiteral("type");
    }
    void refusedWebhook_changesNothing()
    {
        QFETCH(int, change);
        QFETCH(int, status);
        QFETCH(QString, code);
        QFETCH(QString, says);
        const auto call = payHeldAt(Point::BankCommitted);

        const HttpAnswer answer = ShopBench::answerOf(sendChanged(change));

        QCOMPARE(answer.status, status);
        QCOMPARE(text(answer, "code"), code);
        QVERIFY2(text(answer, "detail").contains(says), answer.body.constData());
        QVERIFY(!answer.body.contains("whsec"));
        QCOMPARE(m_bench->recordOf(m_id).state, RecordState::InProgress);
        QCOMPARE(text(ShopBench::answerOf(m_bench->tell(eventOfBank())), "outcome"), QStringLiteral("applied")); // a first one
        m_bench->points().release();
        QCOMPARE(ShopBench::answerOf(call).status, 201);
    }

    void clocksFourMinutesApart_areNear()
    {
        pay();
        QCOMPARE(ShopBench::answerOf(m_bench->tell(eventOf(m_bench->recordOf(m_id), "evt_a"), 4min)).status, 200);
        QCOMPARE(ShopBench::answerOf(m_bench->tell(eventOf(m_bench->recordOf(m_id), "evt_b"), -4min)).status, 200);
    }

    void getOfTheWebhook_isNotAllowed()
    {
        const HttpAnswer answer = ShopBench::answerOf(m_bench->send("GET", "/v1/webhooks/bank"));
        QCOMPARE(answer.status, 405);
        QCOMPARE(answer.header("Allow"), QByteArray("POST"));
    }

    void failingDatabase_answers503AndStoresNothing()
    {
        const auto call = payHeldAt(Point::BankCommitted);
        const BankEvent event = eventOfBank();
        m_bench->letWrites(ShopBench::Writes::Fail);

        const HttpAnswer failed = ShopBench::answerOf(m_bench->tell(event));

        QCOMPARE(failed.status, 503);
        QCOMPARE(text(failed, "code"), QStringLiteral("store-unavailable"));
        m_bench->letWrites(ShopBench::Writes::Work);
        QCOMPARE(text(ShopBench::answerOf(m_bench->tell(event)), "outcome"), QStringLiteral("applied")); // not "duplicate"
        m_bench->points().release();
        QCOMPARE(ShopBench::answerOf(call).status, 201);
    }

    void handledEventWhoseAnswerIsLost_isADuplicateNextTime()
    {
        const auto call = payHeldAt(Point::BankCommitted);
        const BankEvent event = eventOfBank();
        m_bench->points().hitAt(Point::WebhookApplied, 1);
        const auto lost = m_bench->tell(event);
        QTRY_VERIFY(lost->isFinished());
        QVERIFY(!lost->answer());
        QCOMPARE(text(ShopBench::answerOf(m_bench->tell(event)), "outcome"), QStringLiteral("duplicate"));
        m_bench->points().release();
        QCOMPARE(ShopBench::answerOf(call).status, 201);
        QCOMPARE(m_bench->view().mailsWaiting, std::int64_t{1});
    }

    // A fence was answered, and yet the bank says that it charged: nobody may smooth that over.
    void contradiction_isShownToWhoAsksAndInTheVerdict()
    {
        const auto call = payHeldAt(Point::BankBefore);
        QCOMPARE(text(ShopBench::answerOf(m_bench->abandon(m_id)), "state"), QStringLiteral("abandoned"));
        m_bench->points().release();
        QCOMPARE(ShopBench::answerOf(call).status, 410);
        const KeyRecord before = m_bench->recordOf(m_id);

        const HttpAnswer answer = ShopBench::answerOf(m_bench->tell(eventOf(before)));

        QCOMPARE(answer.status, 200); // it is stored; sending it again would not help
        QCOMPARE(text(answer, "outcome"), QStringLiteral("contradiction"));
        const HttpAnswer told = ShopBench::answerOf(m_bench->look(m_id));
        QCOMPARE(text(told, "state"), QStringLiteral("abandoned"));
        QVERIFY(told.json().value(QStringLiteral("discrepancy")).toBool());
        const auto verdict = faults::makeVerdict(m_bench->view(), {}, {});
        QCOMPARE(verdict.code, console::VerdictCode::ChargedOrderCancelled);
        QVERIFY(!verdict.holds());
        QCOMPARE(m_bench->warnings().size(), std::size_t{1});
        QCOMPARE(m_bench->view().mailsWaiting, std::int64_t{0});
    }

    void contradictionOfAPaidAction_keepsItsAnswer()
    {
        pay();
        const KeyRecord before = m_bench->recordOf(m_id);
        BankEvent event = eventOf(before);
        event.row = {BankState::Approved, "ch_of_a_second_charge", {}};
        QCOMPARE(text(ShopBench::answerOf(m_bench->tell(event)), "outcome"), QStringLiteral("contradiction"));
        const HttpAnswer told = ShopBench::answerOf(m_bench->look(m_id));
        QVERIFY(told.json().value(QStringLiteral("discrepancy")).toBool());
        QVERIFY(told.body.contains(QByteArray::fromStdString(before.answer->body))); // byte for byte
        const HttpAnswer seen = ShopBench::answerOf(m_bench->supportLook(m_id));     // support says what the verdict says
        QCOMPARE(text(seen, "code"), QStringLiteral("charged_order_cancelled"));
        QVERIFY(text(seen, "customer_sentence").contains(QLatin1String("the bank has told us something else besides")));
    }

    void actionWithoutDiscrepancy_doesNotMentionOne()
    {
        pay();
        QVERIFY(!ShopBench::answerOf(m_bench->look(m_id)).body.contains("discrepancy"));
    }

    void eventUnderWayAtAReset_writesNothing()
    {
        pay();
        const BankEvent event = eventOf(m_bench->recordOf(m_id));
        m_bench->points().holdAt(Point::WebhookReceived);
        const auto call = m_bench->tell(event);
        QTRY_COMPARE(m_bench->points().heldCount(), std::size_t{1});
        bool isDone = false;
        m_bench->source().reset([&isDone](bool done) { isDone = done; });
        QTRY_VERIFY(isDone);
        m_bench->points().release();
        QTRY_VERIFY(call->isFinished());
        QVERIFY(!call->answer());
        QCOMPARE(text(ShopBench::answerOf(m_bench->tell(event)), "outcome"), QStringLiteral("parked"));
    }

    void unknownPayment_isAcceptedAndParked()
    {
        const BankEvent event{"evt_1", someKey(), {BankState::Approved, "ch_1", {}}, 2, amount(), m_bench->time()};
        const HttpAnswer answer = ShopBench::answerOf(m_bench->tell(event));
        QCOMPARE(answer.status, 202);
        QCOMPARE(text(answer, "outcome"), QStringLiteral("parked"));
    }

private:
    static values::Money amount() { return {4200, *values::Currency::fromCode("EUR")}; }
    BankEvent eventOf(const KeyRecord& record, const std::string& id = "evt_1")
    {
        const std::string charge = record.chargeId.empty() ? "ch_unheard_of" : record.chargeId;
        return {id, *record.bankKey, {BankState::Approved, charge, {}}, 2, record.terms->amount, m_bench->time()};
    }
    /// What the bank would say of the one charge it has.
    BankEvent eventOfBank()
    {
        BankEvent event = eventOf(m_bench->recordOf(m_id));
        event.row.chargeId = m_bench->charges().front().chargeId;
        return event;
    }
    void pay() { QCOMPARE(ShopBench::answerOf(m_bench->pay(m_id, m_bench->newPayment())).status, 201); }
    std::unique_ptr<support::HttpCall> payHeldAt(Point point) { return m_bench->payHeldAt(point, m_id, m_bench->newPayment()); }
    std::unique_ptr<support::HttpCall> sendChanged(int change)
    {
        const BankEvent event = eventOfBank();
        switch (change) {
        case 0: return sendSigned("whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", protocol::renderBankEvent(event));
        case 1:
            return m_bench->send("POST", "/v1/webhooks/bank", {}, QByteArray::fromStdString(protocol::renderBankEvent(event)));
        case 2: return m_bench->tell(event, -6min);
        case 3: return m_bench->tell(event, 6min);
        case 4: return sendSigned(shop::kWebhookSecret, "{");
        default: return sendSigned(shop::kWebhookSecret, "{}");
        }
    }
    std::unique_ptr<support::HttpCall> sendSigned(const char* secret, const std::string& body)
    {
        const auto head = protocol::signWebhook(secret, "evt_1", m_bench->time(), body);
        return m_bench->send("POST", "/v1/webhooks/bank",
                             {{"webhook-id", "evt_1"},
                              {"webhook-timestamp", QByteArray::fromStdString(head.timestamp)},
                              {"webhook-signature", QByteArray::fromStdString(head.signature)}},
                             QByteArray::fromStdString(body));
    }
};

QTEST_GUILESS_MAIN(TestWebhookDesk)
#include "tst_webhook_desk.moc"
