// `Prefer: wait`: who is held, until when, and what is said then.
#include "shop_bench.h"

#include <QtCore/QElapsedTimer>
#include <QtTest/QTest>

using namespace payonce;
using console::Point;
using idempotency::LedgerNumbers;
using shop::ShopBench;
using support::HttpAnswer;

namespace {

// Longer than any test takes, and shorter.
const http::Headers kLongWait{{"Prefer", "wait=25"}};
const http::Headers kShortWait{{"Prefer", "wait=1"}};

LedgerNumbers impatient()
{
    LedgerNumbers numbers;
    numbers.bankLimit = std::chrono::milliseconds(100);
    return numbers;
}

} // namespace

class TestWaiting : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }
    void repeatWithoutPrefer_isToldAtOnce()
    {
        ShopBench bench;
        const auto first = payHeldAtTheBank(bench);

        const HttpAnswer repeat = ShopBench::answerOf(bench.pay(m_id, m_payment));

        QCOMPARE(repeat.status, 409);
        QCOMPARE(text(repeat, "code"), QStringLiteral("in-progress"));
        QCOMPARE(repeat.header("Retry-After"), QByteArray("1"));
        QCOMPARE(repeat.json().value(QStringLiteral("retry_after")).toInt(), 1);
        QVERIFY(!first->isFinished());
    }

    void repeatsThatWait_areToldWhenItSettles()
    {
        ShopBench bench;
        const auto first = payHeldAtTheBank(bench);
        std::vector<std::unique_ptr<support::HttpCall>> waiting;
        for (int i = 0; i < 20; ++i)
            waiting.push_back(i % 2 == 0 ? bench.pay(m_id, m_payment, kLongWait) : bench.look(m_id, kLongWait));
        const HttpAnswer open = ShopBench::answerOf(bench.look(m_id)); // behind the others
        QCOMPARE(text(open, "state"), QStringLiteral("in_progress"));

        bench.points().release();

        const HttpAnswer answer = ShopBench::answerOf(first);
        QCOMPARE(answer.status, 201);
        for (std::size_t i = 0; i < waiting.size(); ++i) {
            const HttpAnswer told = ShopBench::answerOf(waiting[i]);
            QCOMPARE(told.status, i % 2 == 0 ? 201 : 200);
            QVERIFY(i % 2 == 0 ? told.body == answer.body : told.body.contains(answer.body));
            QCOMPARE(told.header("Idempotent-Replayed"), i % 2 == 0 ? QByteArray("true") : QByteArray());
        }
        QCOMPARE(bench.charges().size(), std::size_t{1});
    }

    void passedWait_tellsHowTheRecordStands()
    {
        ShopBench bench;
        const auto first = payHeldAtTheBank(bench, kShortWait);
        const auto repeat = bench.pay(m_id, m_payment, kShortWait);
        const auto look = bench.look(m_id, kShortWait);

        for (const auto& call : {&first, &repeat}) {
            const HttpAnswer answer = ShopBench::answerOf(*call);
            QCOMPARE(answer.status, 409);
            QCOMPARE(text(answer, "code"), QStringLiteral("in-progress"));
        }
        const HttpAnswer state = ShopBench::answerOf(look);
        QCOMPARE(state.status, 200);
        QCOMPARE(text(state, "state"), QStringLiteral("in_progress"));
        QCOMPARE(state.header("Retry-After"), QByteArray("1"));

        bench.points().release(); // the work went on without anybody waiting
        const int before = bench.points().answered();
        QTRY_COMPARE(bench.points().reached(Point::ResultSaved), 1);
        QCOMPARE(text(ShopBench::answerOf(bench.look(m_id)), "state"), QStringLiteral("succeeded"));
        QCOMPARE(bench.points().answered(), before + 1); // the first run did not answer a second time
    }

    void unknownAndTerminal_areToldAtOnce()
    {
        ShopBench bench;
        QVERIFY(bench.start());
        QElapsedTimer timer;
        timer.start();
        QCOMPARE(ShopBench::answerOf(bench.look(ShopBench::newAction(), kLongWait)).status, 404);
        const auto id = ShopBench::newAction();
        const auto payment = bench.newPayment();
        QCOMPARE(ShopBench::answerOf(bench.pay(id, payment, kLongWait)).status, 201);
        QCOMPARE(ShopBench::answerOf(bench.pay(id, payment, kLongWait)).status, 201);
        QCOMPARE(ShopBench::answerOf(bench.look(id, kLongWait)).status, 200);
        QVERIFY(timer.elapsed() < 20'000);
    }

    void silentBank_isUnknownAfterItsLimit()
    {
        ShopBench bench(impatient());
        const auto first = payWithShutBank(bench);

        const HttpAnswer answer = ShopBench::answerOf(first);

        QCOMPARE(answer.status, 409);
        QCOMPARE(text(answer, "code"), QStringLiteral("outcome-unknown"));
        QCOMPARE(text(answer, "retry"), QStringLiteral("after-check"));
        QCOMPARE(answer.header("Retry-After"), QByteArray("1"));
        QCOMPARE(text(ShopBench::answerOf(bench.look(m_id)), "state"), QStringLiteral("unknown"));
        QCOMPARE(text(ShopBench::answerOf(bench.pay(m_id, m_payment)), "code"), QStringLiteral("outcome-unknown"));
        QVERIFY(!bench.warnings().empty());
    }

    void firstRunThatWaits_isToldWhenTheReconcilerSettles()
    {
        ShopBench bench(impatient());
        const auto first = payWithShutBank(bench, kLongWait);
        QTRY_COMPARE(bench.warnings().size(), std::size_t{1}); // unknown by now
        QVERIFY(!first->isFinished());

        bench.bank().open();
        bench.shop().startReconciler();

        const HttpAnswer answer = ShopBench::answerOf(first);
        QCOMPARE(answer.status, 201);
        QCOMPARE(answer.header("Idempotent-Replayed"), QByteArray());
        QCOMPARE(bench.charges().size(), std::size_t{1});
    }

    void unknownFirstRunWhoseWaitPasses_hearsOutcomeUnknown()
    {
        ShopBench bench(impatient());
        const auto first = payWithShutBank(bench, kShortWait);

        const HttpAnswer answer = ShopBench::answerOf(first);

        QCOMPARE(answer.status, 409);
        QCOMPARE(text(answer, "code"), QStringLiteral("outcome-unknown"));
    }

    void fullRoom_tellsAtOnce()
    {
        ShopBench bench;
        const auto first = payHeldAtTheBank(bench);
        std::vector<std::unique_ptr<support::HttpCall>> waiting;
        for (std::size_t i = 0; i < shop::kHeldMost; ++i)
            waiting.push_back(bench.look(m_id, kLongWait));
        QTRY_COMPARE(bench.points().reached(Point::Received), static_cast<int>(shop::kHeldMost) + 2);
        QCOMPARE(ShopBench::answerOf(bench.look(m_id)).status, 200); // behind the others in the ledger's queue

        QCOMPARE(ShopBench::answerOf(bench.pay(m_id, m_payment, kLongWait)).status, 409);
        QCOMPARE(text(ShopBench::answerOf(bench.look(m_id, kLongWait)), "state"), QStringLiteral("in_progress"));

        bench.points().release();
        for (const auto& call : waiting)
            QCOMPARE(ShopBench::answerOf(call).status, 200);
    }

private:
    [[nodiscard]] std::unique_ptr<support::HttpCall> payHeldAtTheBank(ShopBench& bench, const http::Headers& headers = {})
    {
        prepare(bench);
        return bench.payHeldAt(Point::BankBefore, m_id, m_payment, headers);
    }

    [[nodiscard]] std::unique_ptr<support::HttpCall> payWithShutBank(ShopBench& bench, const http::Headers& headers = {})
    {
        prepare(bench);
        bench.bank().shut();
        return bench.pay(m_id, m_payment, headers);
    }

    void prepare(ShopBench& bench)
    {
        if (!bench.start())
            qFatal("the shop does not start");
        m_id = ShopBench::newAction();
        m_payment = bench.newPayment();
    }

    values::ActionId m_id = ShopBench::newAction();
    shop::Payment m_payment;
};

QTEST_GUILESS_MAIN(TestWaiting)
#include "tst_waiting.moc"
