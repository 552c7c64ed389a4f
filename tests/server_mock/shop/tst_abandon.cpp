// Abandoning over HTTP: what the person is told, what the bank decides, and that nothing late takes effect.
#include "shop_test.h"

#include <QtTest/QTest>

using namespace payonce;
using console::Point;
using idempotency::LedgerNumbers;
using shop::Payment;
using shop::ShopBench;
using support::HttpAnswer;

namespace {

/// Nothing is given up for its time: whether the bank answers is a test's to say.
LedgerNumbers patient()
{
    LedgerNumbers numbers;
    numbers.bankLimit = std::chrono::minutes(10);
    numbers.abandonLimit = std::chrono::minutes(10);
    numbers.reconcileEvery = std::chrono::milliseconds(20);
    numbers.askAgainFirst = std::chrono::milliseconds(20);
    return numbers;
}

/// For a bank that does not answer: an abandon soon tells how the record stands.
LedgerNumbers impatient()
{
    LedgerNumbers numbers = patient();
    numbers.abandonLimit = std::chrono::milliseconds(20);
    return numbers;
}

} // namespace

class TestAbandon : public shop::ShopTest
{
    Q_OBJECT

public:
    TestAbandon() : ShopTest(patient()) {}

private Q_SLOTS:
    // A client that gives up cannot forbid a packet that is still in the network.
    void abandonedBeforeItCame_latePostIsRefusedWhateverItsBody()
    {
        const HttpAnswer told = ShopBench::answerOf(m_bench->abandon(m_id));
        QCOMPARE(told.status, 200);
        QCOMPARE(told.header("Action-Id"), '"' + QByteArray::fromStdString(m_id.toString()) + '"');
        QCOMPARE(told.body, QByteArray::fromStdString(R"({"action_id":")" + m_id.toString() +
                                                      R"(","state":"abandoned","reason":"cancelled"})"));

        Payment late = m_bench->newPayment();
        for (const qint64 value : {4200LL, 1LL}) {
            late.value = value;
            const HttpAnswer refused = ShopBench::answerOf(m_bench->pay(m_id, late));
            QCOMPARE(refused.status, 410);
            QCOMPARE(text(refused, "code"), QStringLiteral("action-abandoned"));
            QCOMPARE(text(refused, "retry"), QStringLiteral("new-key"));
            QCOMPARE(text(refused, "reason"), QStringLiteral("cancelled"));
        }
        QCOMPARE(ShopBench::answerOf(m_bench->abandon(m_id)).body, told.body);
        QCOMPARE(ShopBench::answerOf(m_bench->look(m_id)).body, told.body);
        QVERIFY(m_bench->charges().empty());
        QVERIFY(m_bench->view().orders.empty());
        QCOMPARE(m_bench->bank().fenceCount(), 0);
    }

    // A charge that is still on its way to the bank comes too late: the bank's fence stands.
    void chargeOnItsWay_isRefusedByTheBanksFence()
    {
        m_bench->bank().shutCharges();
        const auto call = m_bench->pay(m_id, m_bench->newPayment());
        QTRY_COMPARE_WITH_TIMEOUT(m_bench->bank().waitingCount(), std::size_t{1}, shop::kPatienceMs);

        const HttpAnswer told = ShopBench::answerOf(m_bench->abandon(m_id));
        QCOMPARE(told.status, 200);
        QCOMPARE(text(told, "state"), QStringLiteral("abandoned"));
        QCOMPARE(text(told, "reason"), QStringLiteral("cancelled"));

        m_bench->bank().open();
        const HttpAnswer worker = ShopBench::answerOf(call);
        QCOMPARE(worker.status, 410); // not 402: nothing was declined
        QCOMPARE(text(worker, "code"), QStringLiteral("action-abandoned"));
        QVERIFY(m_bench->charges().empty());
        QVERIFY(m_bench->bank().fenceCount() == 1);
    }

    void workerStoppedBeforeTheBank_isToldAbandonedToo()
    {
        const auto call = m_bench->payHeldAt(Point::BankBefore, m_id, m_bench->newPayment());

        QCOMPARE(text(ShopBench::answerOf(m_bench->abandon(m_id)), "state"), QStringLiteral("abandoned"));
        m_bench->points().release();

        QCOMPARE(ShopBench::answerOf(call).status, 410);
        QVERIFY(m_bench->charges().empty());
        QCOMPARE(m_bench->view().orders.front().status, std::string("closed"));
    }

    // The bank was faster: the answer is the charge, never "abandoned".
    void chargedBeforeTheFence_answersTheCharge()
    {
        const auto call = m_bench->payHeldAt(Point::BankCommitted, m_id, m_bench->newPayment());

        const HttpAnswer told = ShopBench::answerOf(m_bench->abandon(m_id));
        QCOMPARE(told.status, 200);
        QCOMPARE(text(told, "state"), QStringLiteral("succeeded"));
        m_bench->points().release();

        const HttpAnswer worker = ShopBench::answerOf(call); // it lost the record and answers from it
        QCOMPARE(worker.status, 201);
        QVERIFY(told.body.contains(R"("result":{"status":201,"body":)" + worker.body));
        QCOMPARE(m_bench->charges().size(), std::size_t{1});
        QCOMPARE(m_bench->view().orders.front().status, std::string("paid"));
    }

    void declinedBeforeTheFence_answersTheDecline()
    {
        const auto call = m_bench->payHeldAt(Point::BankCommitted, m_id, m_bench->newPayment("4000000000009995"));
        QCOMPARE(text(ShopBench::answerOf(m_bench->abandon(m_id)), "state"), QStringLiteral("failed"));
        m_bench->points().release();
        QCOMPARE(ShopBench::answerOf(call).status, 402);
    }

    void terminalRecord_isToldWithItsResult()
    {
        const HttpAnswer paid = ShopBench::answerOf(m_bench->pay(m_id, m_bench->newPayment()));
        const HttpAnswer told = ShopBench::answerOf(m_bench->abandon(m_id));
        QCOMPARE(told.status, 200);
        QCOMPARE(told.body, ShopBench::answerOf(m_bench->look(m_id)).body);
        QVERIFY(told.body.contains(paid.body));
        QVERIFY(!told.body.contains("cancel_requested"));
        QCOMPARE(m_bench->bank().fenceCount(), 0);
    }

    void tombstones_areToldWithTheirReason()
    {
        const Payment payment = m_bench->newPayment();
        QCOMPARE(ShopBench::answerOf(m_bench->pay(m_id, payment)).status, 201);
        const auto second = ShopBench::newAction();
        QCOMPARE(ShopBench::answerOf(m_bench->pay(second, payment)).status, 409);
        const HttpAnswer taken = ShopBench::answerOf(m_bench->abandon(second));
        QCOMPARE(text(taken, "reason"), QStringLiteral("cart-taken"));
        QCOMPARE(text(taken, "held_by").toStdString(), m_id.toString());

        const auto third = ShopBench::newAction();
        Payment late = payment;
        late.validUntil = "2020-01-01T00:00:00Z";
        QCOMPARE(ShopBench::answerOf(m_bench->pay(third, late)).status, 410);
        QCOMPARE(text(ShopBench::answerOf(m_bench->abandon(third)), "reason"), QStringLiteral("expired"));
    }

    void silentBank_theWishIsKeptAndThePresentStateTold()
    {
        start(impatient());
        m_bench->bank().shut();
        const auto call = m_bench->pay(m_id, m_bench->newPayment());
        QTRY_COMPARE_WITH_TIMEOUT(m_bench->bank().waitingCount(), std::size_t{1}, shop::kPatienceMs);

        const HttpAnswer told = ShopBench::answerOf(m_bench->abandon(m_id));

        QCOMPARE(told.status, 200);
        QCOMPARE(text(told, "state"), QStringLiteral("in_progress"));
        QVERIFY(told.json().value(QStringLiteral("cancel_requested")).toBool());
        QCOMPARE(told.json().value(QStringLiteral("retry_after")).toInt(), 1);
        QCOMPARE(told.header("Retry-After"), QByteArray("1"));
        const HttpAnswer looked = ShopBench::answerOf(m_bench->look(m_id));
        QVERIFY(looked.json().value(QStringLiteral("cancel_requested")).toBool());
    }

    void repeatedAbandons_askTheBankOnce()
    {
        start(impatient());
        m_bench->bank().shut();
        const auto call = m_bench->pay(m_id, m_bench->newPayment());
        QTRY_COMPARE_WITH_TIMEOUT(m_bench->bank().waitingCount(), std::size_t{1}, shop::kPatienceMs);
        for (int i = 0; i < 3; ++i)
            QCOMPARE(ShopBench::answerOf(m_bench->abandon(m_id)).status, 200);
        QCOMPARE(m_bench->bank().fenceCount(), 1);
    }

    // The wish is durable: the next server on the files fences and never charges.
    void serverThatEndedAfterTheWish_isFollowedByOneThatFences()
    {
        const auto call = m_bench->payHeldAt(Point::BankBefore, m_id, m_bench->newPayment());
        m_bench->bank().shut();
        const auto lost = m_bench->abandon(m_id);
        QTRY_COMPARE_WITH_TIMEOUT(m_bench->bank().fenceCount(), 1, shop::kPatienceMs);
        m_bench->points().drop();
        m_bench->stop();
        QVERIFY(m_bench->start());

        m_bench->shop().startReconciler();

        QTRY_COMPARE_WITH_TIMEOUT(text(ShopBench::answerOf(m_bench->look(m_id)), "state"), QStringLiteral("abandoned"),
                                  shop::kPatienceMs);
        QCOMPARE(text(ShopBench::answerOf(m_bench->look(m_id)), "reason"), QStringLiteral("cancelled"));
        QVERIFY(m_bench->charges().empty());
    }

    void silentBankThatAnswersAgain_isFencedByTheReconciler()
    {
        start(impatient());
        m_bench->shop().startReconciler();
        m_bench->bank().fallSilent();
        const auto call = m_bench->pay(m_id, m_bench->newPayment());
        QTRY_VERIFY_WITH_TIMEOUT(m_bench->bank().waitingCount() >= 1, shop::kPatienceMs);
        QCOMPARE(ShopBench::answerOf(m_bench->abandon(m_id)).status, 200);
        QCOMPARE(ShopBench::answerOf(call).status, 409);
        m_bench->bank().loseWaiting(); // charge and fence never came
        m_bench->bank().open();

        QTRY_COMPARE_WITH_TIMEOUT(text(ShopBench::answerOf(m_bench->look(m_id)), "state"), QStringLiteral("abandoned"),
                                  shop::kPatienceMs);
        QVERIFY(m_bench->charges().empty());
    }

    // Abandon under another account ends in a false Cancelled.
    void otherAccountsAbandon_isNoWordAboutThisAccount()
    {
        const Payment payment = m_bench->newPayment();
        QCOMPARE(text(ShopBench::answerOf(m_bench->abandon(m_id, {}, shop::kOtherToken)), "state"),
                 QStringLiteral("abandoned"));
        QCOMPARE(ShopBench::answerOf(m_bench->look(m_id)).status, 404);
        QCOMPARE(ShopBench::answerOf(m_bench->pay(m_id, payment)).status, 201);
    }

    void brokenDatabase_isA503AndNothingIsFenced()
    {
        const auto payment = m_bench->newPayment();
        const auto call = m_bench->payHeldAt(Point::BankBefore, m_id, payment);
        m_bench->letWrites(ShopBench::Writes::Fail);
        const HttpAnswer refused = ShopBench::answerOf(m_bench->abandon(m_id));
        QCOMPARE(refused.status, 503);
        QCOMPARE(text(refused, "code"), QStringLiteral("store-unavailable"));
        QCOMPARE(m_bench->bank().fenceCount(), 0);
        m_bench->letWrites(ShopBench::Writes::Work);
        m_bench->points().release();
        QCOMPARE(ShopBench::answerOf(call).status, 201);
    }

    void abandonWithoutToken_changesNothing()
    {
        QCOMPARE(ShopBench::answerOf(m_bench->abandon(m_id, {}, "nobody")).status, 401);
        QCOMPARE(ShopBench::answerOf(m_bench->look(m_id)).status, 404);
        QCOMPARE(ShopBench::answerOf(m_bench->send("POST", "/v1/actions/abc/abandon")).status, 400);
    }

    void arrival_isAnAbandonOfItsAttempt()
    {
        QCOMPARE(ShopBench::answerOf(m_bench->abandon(m_id, {{"Action-Attempt", "2;prev=timeout"}})).status, 200);
        QCOMPARE(m_bench->points().lastArrival().operation, console::Operation::Abandon);
        QCOMPARE(m_bench->points().lastArrival().attempt, std::string("2"));
    }
};

QTEST_GUILESS_MAIN(TestAbandon)
#include "tst_abandon.moc"
