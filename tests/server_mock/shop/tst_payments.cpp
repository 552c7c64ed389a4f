#include "shop_test.h"

#include <QtTest/QTest>

using namespace payonce;
using console::Point;
using shop::Payment;
using shop::ShopBench;
using support::HttpAnswer;
using support::HttpCall;

namespace {

QString idOf(const values::ActionId& id)
{
    return QString::fromStdString(id.toString());
}

} // namespace

class TestPayments : public shop::ShopTest
{
    Q_OBJECT

private Q_SLOTS:
    void payment_isChargedOnceAndTold()
    {
        const auto id = ShopBench::newAction();

        const HttpAnswer answer = ShopBench::answerOf(m_bench->pay(id, m_bench->newPayment()));

        QCOMPARE(answer.status, 201);
        QCOMPARE(text(answer, "action_id"), idOf(id));
        QCOMPARE(text(answer, "state"), QStringLiteral("succeeded"));
        QCOMPARE(answer.header("Action-Id"), '"' + idOf(id).toLatin1() + '"');
        QCOMPARE(answer.header("Idempotent-Replayed"), QByteArray());
        const auto charges = m_bench->charges();
        QCOMPARE(charges.size(), std::size_t{1});
        QCOMPARE(charges.front().actionId, id.toString());
        QCOMPARE(charges.front().amount.minorUnits, 4200);
        const auto payment = answer.json().value(QStringLiteral("payment")).toObject();
        QCOMPARE(payment.value(QStringLiteral("charge_id")).toString().toStdString(), charges.front().chargeId);
        for (const Point point : {Point::KeyClaimed, Point::BankBefore, Point::BankCommitted, Point::ResultSaved})
            QCOMPARE(m_bench->points().reached(point), 1);
    }

    void repeat_isReplayedByteForByte()
    {
        const auto id = ShopBench::newAction();
        const Payment payment = m_bench->newPayment();
        const HttpAnswer first = ShopBench::answerOf(m_bench->pay(id, payment));

        const HttpAnswer again = ShopBench::answerOf(m_bench->pay(id, payment));

        QCOMPARE(again.status, 201);
        QCOMPARE(again.body, first.body);
        QCOMPARE(again.header("Idempotent-Replayed"), QByteArray("true"));
        QCOMPARE(m_bench->charges().size(), std::size_t{1});
        const HttpAnswer status = ShopBench::answerOf(m_bench->look(id));
        QCOMPARE(status.status, 200);
        QCOMPARE(text(status, "state"), QStringLiteral("succeeded"));
        QVERIFY(status.body.contains(first.body));
    }

    void bareKeyAndOtherSpelling_areTheSameKey()
    {
        const auto id = ShopBench::newAction();
        const Payment payment = m_bench->newPayment();
        const QByteArray bare = idOf(id).toLatin1();
        QCOMPARE(ShopBench::answerOf(m_bench->pay(id, payment)).status, 201);

        const HttpAnswer again =
            ShopBench::answerOf(m_bench->send("POST", "/v1/payments", {{"Idempotency-Key", bare}}, ShopBench::bodyOf(payment)));
        // Members in another order and white space are the same content (RFC 8785).
        const HttpAnswer spelled = ShopBench::answerOf(
            m_bench->send("POST", "/v1/payments", ShopBench::keyOf(id), ShopBench::respelledBodyOf(payment)));

        QCOMPARE(again.header("Idempotent-Replayed"), QByteArray("true"));
        QCOMPARE(spelled.header("Idempotent-Replayed"), QByteArray("true"));
        QCOMPARE(m_bench->charges().size(), std::size_t{1});
    }

    void manyPostsOfOneKey_areOneCharge()
    {
        const auto id = ShopBench::newAction();
        const Payment payment = m_bench->newPayment();
        std::vector<std::unique_ptr<HttpCall>> calls;
        for (int i = 0; i < 200; ++i)
            calls.push_back(m_bench->pay(id, payment));

        int paid = 0;
        QByteArray body;
        for (const auto& call : calls) {
            const HttpAnswer answer = ShopBench::answerOf(call);
            QVERIFY2(answer.status == 201 || answer.status == 409, answer.body.constData());
            if (answer.status == 409)
                QCOMPARE(text(answer, "code"), QStringLiteral("in-progress"));
            else if (++paid > 1)
                QCOMPARE(answer.body, body);
            else
                body = answer.body;
        }
        QVERIFY(paid >= 1);
        QCOMPARE(m_bench->charges().size(), std::size_t{1});
    }

    void otherAmountUnderTheSameKey_isRefusedInEveryState()
    {
        const auto id = ShopBench::newAction();
        const Payment payment = m_bench->newPayment();
        Payment other = payment;
        other.cart = "another";
        other.value = 1;
        const auto refused = [&] {
            const HttpAnswer answer = ShopBench::answerOf(m_bench->pay(id, other));
            return answer.status == 422 && text(answer, "code") == QLatin1String("key-reused") && !answer.body.contains("4200");
        };

        m_bench->points().holdAt(Point::BankBefore);
        const auto first = m_bench->pay(id, payment);
        QTRY_COMPARE(m_bench->points().heldCount(), std::size_t{1});
        QVERIFY(refused()); // in progress
        m_bench->points().release();
        QCOMPARE(ShopBench::answerOf(first).status, 201);
        QVERIFY(refused()); // succeeded

        const auto charges = m_bench->charges();
        QCOMPARE(charges.size(), std::size_t{1});
        QCOMPARE(charges.front().amount.minorUnits, 4200);
    }

    void otherContentOfATombstoneOrADecline_isRefused()
    {
        const auto expired = ShopBench::newAction();
        Payment payment = m_bench->newPayment("4000000000000002");
        const auto declined = ShopBench::newAction();
        QCOMPARE(ShopBench::answerOf(m_bench->pay(declined, payment)).status, 402);
        Payment late = payment;
        late.validUntil = "2020-01-01T00:00:00Z";
        QCOMPARE(ShopBench::answerOf(m_bench->pay(expired, late)).status, 410);

        payment.currency = "USD";
        QCOMPARE(ShopBench::answerOf(m_bench->pay(declined, payment)).status, 422);
        QCOMPARE(ShopBench::answerOf(m_bench->pay(expired, payment)).status, 422);
        QVERIFY(m_bench->charges().size() == 1 && m_bench->charges().front().chargeId.empty());
    }

    void declinedCard_isRememberedAndFreesTheCart()
    {
        const auto id = ShopBench::newAction();
        const Payment payment = m_bench->newPayment("4000000000009995");

        const HttpAnswer declined = ShopBench::answerOf(m_bench->pay(id, payment));
        QCOMPARE(declined.status, 402);
        QCOMPARE(text(declined, "code"), QStringLiteral("card-declined"));
        QCOMPARE(text(declined, "decline_code"), QStringLiteral("insufficient_funds"));
        QCOMPARE(text(declined, "retry"), QStringLiteral("new-key"));
        QCOMPARE(text(declined, "state"), QStringLiteral("failed"));

        const HttpAnswer again = ShopBench::answerOf(m_bench->pay(id, payment));
        QCOMPARE(again.body, declined.body);
        QCOMPARE(again.header("Content-Type"), QByteArray("application/problem+json"));
        QCOMPARE(again.header("Idempotent-Replayed"), QByteArray("true"));

        QCOMPARE(ShopBench::answerOf(m_bench->pay(ShopBench::newAction(), m_bench->newPayment())).status, 201);
        int approved = 0;
        for (const auto& charge : m_bench->charges())
            approved += charge.state == idempotency::BankState::Approved ? 1 : 0;
        QCOMPARE(approved, 1);
    }

    void cartOfAnotherAction_isTakenForEver()
    {
        const auto holder = ShopBench::newAction();
        const auto late = ShopBench::newAction();
        const Payment payment = m_bench->newPayment();
        QCOMPARE(ShopBench::answerOf(m_bench->pay(holder, payment)).status, 201);

        const HttpAnswer taken = ShopBench::answerOf(m_bench->pay(late, payment));

        QCOMPARE(taken.status, 409);
        QCOMPARE(text(taken, "code"), QStringLiteral("cart-taken"));
        QCOMPARE(text(taken, "held_by"), idOf(holder));
        QCOMPARE(ShopBench::answerOf(m_bench->pay(late, payment)).body, taken.body);
        const HttpAnswer status = ShopBench::answerOf(m_bench->look(late));
        QCOMPARE(status.status, 200);
        QCOMPARE(text(status, "state"), QStringLiteral("abandoned"));
        QCOMPARE(text(status, "reason"), QStringLiteral("cart-taken"));
        QCOMPARE(text(status, "held_by"), idOf(holder));
        QCOMPARE(m_bench->charges().size(), std::size_t{1});
    }

    void lateFirstPost_writesATombstone()
    {
        const auto id = ShopBench::newAction();
        Payment payment = m_bench->newPayment();
        payment.validUntil = "2020-01-01T00:00:00Z";

        const HttpAnswer answer = ShopBench::answerOf(m_bench->pay(id, payment));

        QCOMPARE(answer.status, 410);
        QCOMPARE(text(answer, "code"), QStringLiteral("action-expired"));
        QCOMPARE(text(answer, "retry"), QStringLiteral("new-key"));
        QCOMPARE(text(ShopBench::answerOf(m_bench->look(id)), "reason"), QStringLiteral("expired"));
        QVERIFY(m_bench->charges().empty());
    }

    void wrongTotalOrUnknownCard_isRefusedAndNotRemembered()
    {
        const auto id = ShopBench::newAction();
        QCOMPARE(ShopBench::answerOf(m_bench->send("GET", "/v1/cart")).status, 200); // now the shop knows cart_1
        const Payment payment = m_bench->newPayment();
        Payment wrong = payment;
        wrong.value = 4100;
        QCOMPARE(text(ShopBench::answerOf(m_bench->pay(id, wrong)), "code"), QStringLiteral("amount-mismatch"));
        wrong = payment;
        wrong.paymentMethod = "pm_nobody_has";
        QCOMPARE(ShopBench::answerOf(m_bench->pay(id, wrong)).status, 422);
        wrong = payment;
        wrong.validUntil = "2999-01-01T00:00:00Z";
        QCOMPARE(ShopBench::answerOf(m_bench->pay(id, wrong)).status, 422);

        QCOMPARE(ShopBench::answerOf(m_bench->look(id)).status, 404);
        QCOMPARE(ShopBench::answerOf(m_bench->pay(id, payment)).status, 201);
    }

    void everyAmount_staysExactIntoTheBanksLedger()
    {
        struct Case
        {
            qint64 value;
            const char* currency;
        };
        for (const Case& it :
             {Case{820, "EUR"}, Case{1999, "USD"}, Case{58242, "EUR"}, Case{80, "JPY"}, Case{99'999'999'999, "KWD"}}) {
            Payment payment = m_bench->newPayment();
            payment.cart = QByteArray("mine_") + it.currency + QByteArray::number(it.value);
            payment.value = it.value;
            payment.currency = it.currency;
            QCOMPARE(ShopBench::answerOf(m_bench->pay(ShopBench::newAction(), payment)).status, 201);
            const auto charge = m_bench->charges().back();
            QCOMPARE(charge.amount.minorUnits, it.value);
            QCOMPARE(std::string(charge.amount.currency.code()), std::string(it.currency));
        }
    }

    void anotherAccount_doesNotSeeTheAction()
    {
        const auto id = ShopBench::newAction();
        QCOMPARE(ShopBench::answerOf(m_bench->pay(id, m_bench->newPayment())).status, 201);

        const HttpAnswer answer = ShopBench::answerOf(m_bench->look(id, {}, shop::kOtherToken));

        QCOMPARE(answer.status, 404);
        QCOMPARE(text(answer, "code"), QStringLiteral("action-unknown"));
    }

    void clientThatLeaves_changesNothing()
    {
        const auto id = ShopBench::newAction();
        const auto call = m_bench->payHeldAt(Point::BankBefore, id, m_bench->newPayment());

        call->leave();
        m_bench->points().release();

        QTRY_COMPARE(m_bench->points().reached(Point::ResultSaved), 1);
        QCOMPARE(text(ShopBench::answerOf(m_bench->look(id)), "state"), QStringLiteral("succeeded"));
    }

    void brokenStorage_says503AndChargesNothing()
    {
        const auto id = ShopBench::newAction();
        const Payment payment = m_bench->newPayment();
        m_bench->letWrites(ShopBench::Writes::Fail);

        const HttpAnswer answer = ShopBench::answerOf(m_bench->pay(id, payment));

        QCOMPARE(answer.status, 503);
        QCOMPARE(text(answer, "code"), QStringLiteral("store-unavailable"));
        QCOMPARE(text(answer, "retry"), QStringLiteral("same-key"));
        QCOMPARE(answer.header("Retry-After"), QByteArray("1"));
        QCOMPARE(answer.header("Action-Id"), '"' + idOf(id).toLatin1() + '"');
        QVERIFY(m_bench->charges().empty());
        QCOMPARE(ShopBench::answerOf(m_bench->send("GET", "/v1/cart")).status, 503);
        const QByteArray card = R"({"card":{"number":"4242424242424242","exp_month":1,"exp_year":2031,"cvc":"123"}})";
        QCOMPARE(ShopBench::answerOf(m_bench->send("POST", "/v1/payment-methods", {}, card)).status, 503);
    }

    void resultThatCannotBeSaved_isNeverCalledAFailure()
    {
        const auto id = ShopBench::newAction();
        const Payment payment = m_bench->newPayment();
        const auto call = m_bench->payHeldAt(Point::BankCommitted, id, payment);
        m_bench->letWrites(ShopBench::Writes::Fail);
        m_bench->points().release();

        const HttpAnswer answer = ShopBench::answerOf(call);

        QCOMPARE(answer.status, 409);
        QCOMPARE(text(answer, "code"), QStringLiteral("outcome-unknown"));
        QCOMPARE(m_bench->charges().size(), std::size_t{1});
        QVERIFY(!m_bench->warnings().empty());
    }
};

QTEST_GUILESS_MAIN(TestPayments)
#include "tst_payments.moc"
