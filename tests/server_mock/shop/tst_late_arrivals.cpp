// What went wrong elsewhere with what came late: past its time, past the retention, past a wish to cancel.
// Each test is a row of docs/known-failures.md.
#include "shop_test.h"

#include <QtTest/QTest>

using namespace payonce;
using namespace std::chrono_literals;
using console::Point;
using idempotency::LedgerNumbers;
using shop::Payment;
using shop::ShopBench;
using support::HttpAnswer;

namespace {

constexpr auto kLonger = 31 * 24h;

LedgerNumbers quick()
{
    LedgerNumbers numbers;
    numbers.abandonLimit = 20s; // the end is waited for, however busy the machine
    numbers.reconcileEvery = 20ms;
    numbers.askAgainFirst = 20ms;
    return numbers;
}

} // namespace

class TestLateArrivals : public shop::ShopTest
{
    Q_OBJECT

private Q_SLOTS:
    // The bank was asked in time. That its answer comes late is nobody's "expired".
    void validUntilThatPassesWhileTheBankIsAsked_changesNothing()
    {
        m_bench->bank().shut();
        const auto call = m_bench->pay(m_id, m_bench->newPayment());
        QTRY_COMPARE(m_bench->bank().waitingCount(), std::size_t{1});
        m_bench->letTimePass(11min);
        m_bench->bank().open();

        QCOMPARE(ShopBench::answerOf(call).status, 201);
        QCOMPARE(m_bench->charges().size(), std::size_t{1});
    }

    // The reconciler heard "never seen" and is about to charge when the person cancels: the bank's fence decides.
    void wishBetweenLookUpAndCharge_isDecidedByTheBank()
    {
        LedgerNumbers numbers = quick();
        numbers.bankLimit = 1s;
        m_bench = std::make_unique<ShopBench>(numbers);
        QVERIFY(m_bench->start());
        m_bench->bank().shutCharges();
        const auto call = m_bench->pay(m_id, m_bench->newPayment());
        QTRY_COMPARE(m_bench->bank().waitingCount(), std::size_t{1}); // the worker's charge
        m_bench->shop().startReconciler();
        QTRY_VERIFY(m_bench->bank().waitingCount() >= 2); // the reconciler looked up and charges

        QCOMPARE(text(ShopBench::answerOf(m_bench->abandon(m_id)), "state"), QStringLiteral("abandoned"));
        m_bench->bank().open();

        QCOMPARE(text(ShopBench::answerOf(m_bench->look(m_id)), "state"), QStringLiteral("abandoned"));
        QCOMPARE(ShopBench::answerOf(call).status, 409); // told before: unknown
        QVERIFY(m_bench->charges().empty());
        QCOMPARE(m_bench->view().orders.front().status, std::string("closed"));
    }

    // Two copies that overlap after the record expired were both run.
    void twoCopiesOfAPurgedKey_areBothAnsweredByItsOrder()
    {
        const Payment payment = m_bench->newPayment();
        const HttpAnswer paid = ShopBench::answerOf(m_bench->pay(m_id, payment));
        QCOMPARE(paid.status, 201);
        m_bench->letTimePass(kLonger);
        m_bench->shop().purger().run(); // and they come while it is at work
        std::vector<std::unique_ptr<support::HttpCall>> copies;
        for (int i = 0; i < 20; ++i)
            copies.push_back(m_bench->pay(m_id, payment));

        for (const auto& copy : copies) {
            const HttpAnswer answer = ShopBench::answerOf(copy);
            QCOMPARE(answer.status, 201);
            QCOMPARE(answer.body, paid.body);
            QCOMPARE(answer.header("Idempotent-Replayed"), QByteArray("true"));
        }
        QVERIFY(m_bench->view().records.empty());
        QCOMPARE(m_bench->charges().size(), std::size_t{1});
    }

    // A row past its time that the sweeper has not removed yet still answers, and is never run again.
    void recordPastItsRetention_answersUntilItIsPurged()
    {
        const Payment payment = m_bench->newPayment();
        const HttpAnswer paid = ShopBench::answerOf(m_bench->pay(m_id, payment));
        m_bench->letTimePass(kLonger);
        const HttpAnswer late = ShopBench::answerOf(m_bench->pay(m_id, payment));
        QCOMPARE(late.status, 201);
        QCOMPARE(late.body, paid.body);
        QCOMPARE(m_bench->charges().size(), std::size_t{1});
    }

    // A key made before the watermark that the shop never saw: refused, and every word about it is the same for ever.
    void keyOlderThanEveryRecord_isNeverRunAsNew()
    {
        const Payment stillValid = [this] {
            m_bench->letTimePass(kLonger);
            return m_bench->newPayment();
        }();
        m_bench->shop().purger().run();
        QTRY_COMPARE(text(ShopBench::answerOf(kindOf("GET", "")), "state"), QStringLiteral("abandoned"));

        QCOMPARE(ShopBench::answerOf(m_bench->pay(m_id, stillValid)).status, 410);
        QCOMPARE(text(ShopBench::answerOf(kindOf("POST", "/abandon")), "state"), QStringLiteral("abandoned"));
        QVERIFY(m_bench->charges().empty());
    }

    // A job cancelled an order for being unpaid too long without asking whether the payment was on its way.
    void unpaidOrderPastItsTime_isNotClosedWithoutAskingTheBank()
    {
        m_bench = std::make_unique<ShopBench>(quick());
        QVERIFY(m_bench->start());
        const Payment payment = m_bench->newPayment();
        m_bench->points().holdAt(Point::BankCommitted); // charged; the shop never hears it
        const auto call = m_bench->pay(m_id, payment);
        QTRY_COMPARE(m_bench->points().heldCount(), std::size_t{1});
        m_bench->points().drop();
        m_bench->letTimePass(11min); // past valid_until, past the lease
        m_bench->shop().startReconciler();

        QTRY_COMPARE(text(ShopBench::answerOf(m_bench->look(m_id)), "state"), QStringLiteral("succeeded"));
        QCOMPARE(m_bench->view().orders.front().status, std::string("paid"));
        QCOMPARE(m_bench->charges().size(), std::size_t{1});
    }

private:
    [[nodiscard]] std::unique_ptr<support::HttpCall> kindOf(const QByteArray& method, const QByteArray& rest)
    {
        return m_bench->send(method, "/v1/actions/" + QByteArray::fromStdString(m_id.toString()) + rest + "?kind=payment");
    }
};

QTEST_GUILESS_MAIN(TestLateArrivals)
#include "tst_late_arrivals.moc"
