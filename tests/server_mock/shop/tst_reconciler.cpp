#include "shop_test.h"

#include <QtTest/QTest>

using namespace payonce;
using console::Point;
using idempotency::BankState;
using idempotency::LedgerNumbers;
using shop::ShopBench;
using support::HttpAnswer;

namespace {

/// No bank call is given up for its time: whether the bank answers is a test's to say (GatedBank::fallSilent()).
LedgerNumbers quick()
{
    LedgerNumbers numbers;
    numbers.bankLimit = std::chrono::minutes(10);
    numbers.reconcileEvery = std::chrono::milliseconds(20);
    numbers.askAgainFirst = std::chrono::milliseconds(20);
    return numbers;
}

} // namespace

class TestReconciler : public shop::ShopTest
{
    Q_OBJECT

public:
    TestReconciler() : ShopTest(quick()) {}

private Q_SLOTS:
    // A server that ended at a point, and the next one on the same directory.
    void endedServer_isFinishedByTheNext_data()
    {
        QTest::addColumn<int>("point");
        QTest::addColumn<int>("chargesBefore");
        QTest::newRow("claimed") << static_cast<int>(Point::KeyClaimed) << 0;
        QTest::newRow("before the bank") << static_cast<int>(Point::BankBefore) << 0;
        QTest::newRow("bank committed") << static_cast<int>(Point::BankCommitted) << 1;
    }
    void endedServer_isFinishedByTheNext()
    {
        QFETCH(int, point);
        QFETCH(int, chargesBefore);
        const auto payment = m_bench->newPayment();
        const auto call = m_bench->payHeldAt(static_cast<Point>(point), m_id, payment);
        QCOMPARE(m_bench->charges().size(), static_cast<std::size_t>(chargesBefore));

        restart();

        QTRY_COMPARE_WITH_TIMEOUT(state(), QStringLiteral("succeeded"), shop::kPatienceMs);
        QCOMPARE(m_bench->charges().size(), std::size_t{1});
        QCOMPARE(ShopBench::answerOf(m_bench->pay(m_id, payment)).header("Idempotent-Replayed"), QByteArray("true"));
        QCOMPARE(m_bench->charges().size(), std::size_t{1});
    }

    void declineOfAnEndedServer_isSettledAsDeclined()
    {
        const auto payment = m_bench->newPayment("4000000000000069");
        const auto call = m_bench->payHeldAt(Point::BankCommitted, m_id, payment);

        restart();

        QTRY_COMPARE_WITH_TIMEOUT(state(), QStringLiteral("failed"), shop::kPatienceMs);
        QCOMPARE(ShopBench::answerOf(m_bench->pay(m_id, payment)).status, 402);
    }

    void lostBankCall_isMadeAgainUnderTheSameKey()
    {
        m_bench->shop().startReconciler();
        const auto payment = m_bench->newPayment();
        m_bench->bank().fallSilent();
        QCOMPARE(ShopBench::answerOf(m_bench->pay(m_id, payment)).status, 409);

        m_bench->bank().open(); // the late first call and the reconciler's meet in the bank

        QTRY_COMPARE_WITH_TIMEOUT(state(), QStringLiteral("succeeded"), shop::kPatienceMs);
        QCOMPARE(m_bench->charges().size(), std::size_t{1});
    }

    void neverSeenAndExpired_isFencedNotCharged()
    {
        const auto payment = m_bench->newPayment(); // for ten minutes
        m_bench->bank().fallSilent();
        QCOMPARE(ShopBench::answerOf(m_bench->pay(m_id, payment)).status, 409);
        m_bench->bank().loseWaiting();
        m_bench->letTimePass(std::chrono::minutes(11));

        m_bench->bank().open();
        m_bench->shop().startReconciler();

        QTRY_COMPARE_WITH_TIMEOUT(state(), QStringLiteral("abandoned"), shop::kPatienceMs);
        QVERIFY(m_bench->charges().empty());
        QCOMPARE(ShopBench::answerOf(m_bench->pay(m_id, payment)).status, 410);
    }

    void silentBank_isAskedAgainUntilItAnswers()
    {
        m_bench->shop().startReconciler();
        const auto payment = m_bench->newPayment();
        m_bench->bank().fallSilent();
        QCOMPARE(ShopBench::answerOf(m_bench->pay(m_id, payment)).status, 409);
        QTRY_VERIFY_WITH_TIMEOUT(m_bench->bank().waitingCount() >= 3, shop::kPatienceMs); // the charge and two look-ups
        m_bench->bank().loseWaiting();
        QCOMPARE(state(), QStringLiteral("unknown"));

        m_bench->bank().open();

        QTRY_COMPARE_WITH_TIMEOUT(state(), QStringLiteral("succeeded"), shop::kPatienceMs);
        QCOMPARE(m_bench->charges().size(), std::size_t{1});
    }

    void workerThatComesTooLate_writesNothingAndTellsWhatStands()
    {
        const auto payment = m_bench->newPayment();
        const auto call = m_bench->payHeldAt(Point::BankCommitted, m_id, payment);
        m_bench->letTimePass(LedgerNumbers().lease);
        m_bench->shop().startReconciler();
        QTRY_COMPARE_WITH_TIMEOUT(state(), QStringLiteral("succeeded"), shop::kPatienceMs);
        const HttpAnswer settled = ShopBench::answerOf(m_bench->pay(m_id, payment));

        m_bench->points().release();

        const HttpAnswer late = ShopBench::answerOf(call);
        QCOMPARE(late.status, 201);
        QCOMPARE(late.body, settled.body);
        QCOMPARE(m_bench->charges().size(), std::size_t{1});
    }

    void workerToldFenced_settlesToAbandonedNotToADecline()
    {
        m_bench->bank().answerChargeWith({BankState::Fenced, "", ""});

        const HttpAnswer answer = ShopBench::answerOf(m_bench->pay(m_id, m_bench->newPayment()));

        QCOMPARE(answer.status, 410);
        QCOMPARE(state(), QStringLiteral("abandoned"));
        QCOMPARE(m_bench->points().reached(Point::BankCommitted), 0);
    }

    void bankStillRunning_isUnknown()
    {
        m_bench->bank().answerChargeWith({BankState::Running, "", ""});

        const HttpAnswer answer = ShopBench::answerOf(m_bench->pay(m_id, m_bench->newPayment()));

        QCOMPARE(answer.status, 409);
        QCOMPARE(state(), QStringLiteral("unknown"));
    }

    void brokenDatabase_isWarnedOfOnceAndFinishedLater()
    {
        const auto payment = m_bench->newPayment();
        m_bench->bank().fallSilent();
        QCOMPARE(ShopBench::answerOf(m_bench->pay(m_id, payment)).status, 409);
        m_bench->bank().open();
        const std::size_t before = m_bench->warnings().size();
        m_bench->letWrites(ShopBench::Writes::Fail);

        m_bench->shop().startReconciler();
        QTRY_COMPARE_WITH_TIMEOUT(m_bench->warnings().size(), before + 1, shop::kPatienceMs);
        m_bench->letWrites(ShopBench::Writes::Work);

        QTRY_COMPARE_WITH_TIMEOUT(state(), QStringLiteral("succeeded"), shop::kPatienceMs);
        QCOMPARE(m_bench->warnings().size(), before + 1);
    }

private:
    void restart()
    {
        m_bench->points().drop(); // what it would have done next it does not do any more
        m_bench->stop();
        QVERIFY(m_bench->start());
        m_bench->shop().startReconciler();
    }
    [[nodiscard]] QString state() { return text(ShopBench::answerOf(m_bench->look(m_id)), "state"); }
};

QTEST_GUILESS_MAIN(TestReconciler)
#include "tst_reconciler.moc"
