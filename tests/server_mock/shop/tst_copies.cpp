// What went wrong elsewhere with copies of one request, with two requests for one cart, and with keys of two accounts.
// Each test is a row of docs/known-failures.md.
#include "shop_test.h"

#include <QtTest/QTest>

using namespace payonce;
using console::Point;
using shop::Payment;
using shop::ShopBench;
using support::HttpAnswer;
using support::HttpCall;

namespace {

const http::Headers kLongWait{{"Prefer", "wait=25"}};

} // namespace

class TestCopies : public shop::ShopTest
{
    Q_OBJECT

private Q_SLOTS:
    // The server stood still, the client gave up and sent the order again: both copies are worked on together.
    void pausedServerAndTheSameOrderAgain_isOneOrder()
    {
        const Payment payment = m_bench->newPayment();
        m_bench->points().holdAt(Point::Received);
        const auto first = m_bench->pay(m_id, payment);
        QTRY_COMPARE(m_bench->points().heldCount(), std::size_t{1});
        first->leave();
        const auto again = m_bench->pay(m_id, payment, kLongWait);
        QTRY_COMPARE(m_bench->points().heldCount(), std::size_t{2});

        m_bench->points().release();

        QCOMPARE(ShopBench::answerOf(again).status, 201);
        QCOMPARE(m_bench->charges().size(), std::size_t{1});
        QCOMPARE(m_bench->view().orders.size(), std::size_t{1});
    }

    // The peer closed without an answer, and the HTTP stack sent the POST a second time by itself.
    void copySentBelowTheApplication_isReplayedNotRun()
    {
        const Payment payment = m_bench->newPayment();
        m_bench->points().holdAt(Point::ResultSaved);
        const auto first = m_bench->pay(m_id, payment);
        QTRY_COMPARE(m_bench->points().heldCount(), std::size_t{1});
        first->leave();
        const int arrivals = m_bench->points().reached(Point::Received);

        const HttpAnswer copy = ShopBench::answerOf(m_bench->pay(m_id, payment));

        QCOMPARE(copy.status, 201);
        QCOMPARE(copy.header("Idempotent-Replayed"), QByteArray("true"));
        QCOMPARE(m_bench->points().reached(Point::Received), arrivals + 1);
        QCOMPARE(m_bench->points().reached(Point::KeyClaimed), 1);
        QCOMPARE(m_bench->charges().size(), std::size_t{1});
    }

    // Find-then-create lets several callers through the gap between the two steps.
    void sameCartUnderManyKeys_isOneOrder()
    {
        const Payment payment = m_bench->newPayment();
        std::vector<std::unique_ptr<HttpCall>> calls;
        for (int i = 0; i < 32; ++i)
            calls.push_back(m_bench->pay(ShopBench::newAction(), payment));

        QString winner;
        std::vector<QString> holders;
        for (const auto& call : calls) {
            const HttpAnswer answer = ShopBench::answerOf(call);
            if (answer.status == 201) {
                QVERIFY(winner.isEmpty());
                winner = text(answer, "action_id");
                continue;
            }
            QCOMPARE(answer.status, 409);
            QCOMPARE(text(answer, "code"), QStringLiteral("cart-taken"));
            holders.push_back(text(answer, "held_by"));
        }
        QCOMPARE(holders.size(), std::size_t{31});
        for (const QString& holder : holders)
            QCOMPARE(holder, winner);
        QCOMPARE(m_bench->charges().size(), std::size_t{1});
        QCOMPARE(m_bench->view().orders.size(), std::size_t{1});
    }

    // A copied profile: two accounts send the same key, and each has its own payment.
    void sameKeyOfTwoAccounts_isTwoPayments()
    {
        const HttpAnswer ours = ShopBench::answerOf(m_bench->pay(m_id, m_bench->newPayment()));
        QCOMPARE(ours.status, 201);

        const HttpAnswer theirs = ShopBench::answerOf(payAsOther(otherPayment(1500)));

        QCOMPARE(theirs.status, 201);
        QCOMPARE(theirs.header("Idempotent-Replayed"), QByteArray());
        const auto charges = m_bench->charges();
        QCOMPARE(charges.size(), std::size_t{2});
        QVERIFY(charges.at(0).chargeId != charges.at(1).chargeId);
        QCOMPARE(charges.at(0).amount.minorUnits + charges.at(1).amount.minorUnits, 4200 + 1500);
        QVERIFY(ShopBench::answerOf(m_bench->look(m_id)).body.contains(ours.body));
        QVERIFY(ShopBench::answerOf(m_bench->look(m_id, {}, shop::kOtherToken)).body.contains(theirs.body));
    }

    // Miss, conflict and expired must not tell whether somebody else has used a key.
    void keyOfAnotherAccount_answersAsIfNobodyHadUsedIt()
    {
        const auto unused = ShopBench::newAction();
        QCOMPARE(ShopBench::answerOf(m_bench->pay(m_id, m_bench->newPayment())).status, 201);
        for (const char* rest : {"", "?kind=payment"}) {
            const auto ask = [&](const values::ActionId& id) {
                const QByteArray name = QByteArray::fromStdString(id.toString());
                HttpAnswer answer =
                    ShopBench::answerOf(m_bench->send("GET", "/v1/actions/" + name + rest, {}, {}, shop::kOtherToken));
                return answer.body.replace(name, "ID");
            };
            QCOMPARE(ask(m_id), ask(unused));
        }
    }

    // The retry took the earlier payment object, amount and all.
    void declinedThenChangedCart_chargesTheNewAmountOnly()
    {
        Payment dear = m_bench->newPayment("4000000000000002");
        dear.cart = "mine";
        dear.value = 1800;
        QCOMPARE(ShopBench::answerOf(m_bench->pay(m_id, dear)).status, 402);

        Payment cheap = m_bench->newPayment();
        cheap.cart = "mine";
        cheap.value = 1000;
        QCOMPARE(text(ShopBench::answerOf(m_bench->pay(m_id, cheap)), "code"), QStringLiteral("key-reused"));
        QCOMPARE(ShopBench::answerOf(m_bench->pay(ShopBench::newAction(), cheap)).status, 201);

        QCOMPARE(approvedAmounts(), std::vector<std::int64_t>{1000});
        QCOMPARE(text(ShopBench::answerOf(m_bench->look(m_id)), "state"), QStringLiteral("failed"));
    }

    // The handler of an attempt that was left fired when the next one was paid.
    void leftAttemptThatComesLate_isNotChargedBesideTheNewOne()
    {
        Payment left = m_bench->newPayment();
        left.cart = "mine";
        left.value = 5000;
        Payment next = left;
        next.value = 500;
        const auto second = ShopBench::newAction();
        QCOMPARE(ShopBench::answerOf(m_bench->abandon(m_id)).status, 200);
        QCOMPARE(ShopBench::answerOf(m_bench->pay(second, next)).status, 201);

        QCOMPARE(ShopBench::answerOf(m_bench->pay(m_id, left)).status, 410);

        QCOMPARE(approvedAmounts(), std::vector<std::int64_t>{500});
    }

    // Another key with the same body is another purchase, never a conflict: two equal orders are legal.
    void equalPurchases_areTwoOrders()
    {
        QCOMPARE(text(ShopBench::answerOf(m_bench->send("GET", "/v1/cart")), "cart_id"), QStringLiteral("cart_1"));
        Payment payment = m_bench->newPayment();
        QCOMPARE(ShopBench::answerOf(m_bench->pay(m_id, payment)).status, 201);
        payment.cart = text(ShopBench::answerOf(m_bench->send("GET", "/v1/cart")), "cart_id").toLatin1();
        QCOMPARE(ShopBench::answerOf(m_bench->pay(ShopBench::newAction(), payment)).status, 201);
        QCOMPARE(approvedAmounts(), (std::vector<std::int64_t>{4200, 4200}));
    }

    // Nobody has to send a payment again to hear how it ended.
    void outcome_isToldWithoutSendingAgain()
    {
        m_bench->points().holdAt(Point::BankBefore);
        const auto lost = m_bench->pay(m_id, m_bench->newPayment());
        QTRY_COMPARE(m_bench->points().heldCount(), std::size_t{1});
        lost->leave();
        const auto look = m_bench->look(m_id, kLongWait);
        m_bench->points().release();

        const HttpAnswer told = ShopBench::answerOf(look);

        QCOMPARE(text(told, "state"), QStringLiteral("succeeded"));
        QVERIFY(told.body.contains(QByteArray::fromStdString(m_bench->charges().front().chargeId)));
        QCOMPARE(m_bench->points().reached(Point::KeyClaimed), 1);
    }

    // Charge first, order row afterwards: the row failed on every try, and every try charged.
    void orderThatCannotBeStored_isNotCharged()
    {
        const Payment payment = m_bench->newPayment();
        m_bench->letWrites(QStringLiteral("INSERT ON orders"), ShopBench::Writes::Fail);
        for (int tries = 0; tries < 3; ++tries)
            QCOMPARE(ShopBench::answerOf(m_bench->pay(m_id, payment)).status, 503);
        QVERIFY(m_bench->charges().empty());
        QCOMPARE(ShopBench::answerOf(m_bench->look(m_id)).status, 404);

        m_bench->letWrites(QStringLiteral("INSERT ON orders"), ShopBench::Writes::Work);
        QCOMPARE(ShopBench::answerOf(m_bench->pay(m_id, payment)).status, 201);
        QCOMPARE(m_bench->charges().size(), std::size_t{1});
    }

private:
    [[nodiscard]] Payment otherPayment(qint64 value)
    {
        Payment payment = m_bench->newPayment();
        const QByteArray card = support::cardBody();
        const auto exchanged = m_bench->send("POST", "/v1/payment-methods", {}, card, shop::kOtherToken);
        payment.paymentMethod = text(ShopBench::answerOf(exchanged), "id").toLatin1();
        payment.cart = "theirs";
        payment.value = value;
        return payment;
    }
    [[nodiscard]] std::unique_ptr<HttpCall> payAsOther(const Payment& payment)
    {
        return m_bench->send("POST", "/v1/payments", ShopBench::keyOf(m_id), ShopBench::bodyOf(payment), shop::kOtherToken);
    }
    [[nodiscard]] std::vector<std::int64_t> approvedAmounts()
    {
        std::vector<std::int64_t> amounts;
        for (const auto& charge : m_bench->charges())
            if (charge.state == idempotency::BankState::Approved)
                amounts.push_back(charge.amount.minorUnits);
        return amounts;
    }
};

QTEST_GUILESS_MAIN(TestCopies)
#include "tst_copies.moc"
