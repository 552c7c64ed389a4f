// Retention over HTTP: what a caller hears about an action whose record is gone, and a clock that somebody moved.
#include "shop_test.h"

#include <QtTest/QTest>

using namespace payonce;
using namespace std::chrono_literals;
using shop::Payment;
using shop::ShopBench;
using support::HttpAnswer;

namespace {

constexpr auto kLonger = 31 * 24h;

} // namespace

class TestPurger : public shop::ShopTest
{
    Q_OBJECT

private Q_SLOTS:
    void purgedPayment_isReplayedFromItsOrder()
    {
        const Payment payment = m_bench->newPayment();
        const HttpAnswer paid = ShopBench::answerOf(m_bench->pay(m_id, payment));
        purgeAll();

        const HttpAnswer replay = ShopBench::answerOf(m_bench->pay(m_id, payment));
        QCOMPARE(replay.status, 201);
        QCOMPARE(replay.body, paid.body);
        QCOMPARE(replay.header("Idempotent-Replayed"), QByteArray("true"));
        for (const char* what : {"?kind=payment", "/abandon?kind=payment"}) {
            const HttpAnswer told = ask(what);
            QCOMPARE(told.status, 200);
            QCOMPARE(text(told, "state"), QStringLiteral("succeeded"));
            QVERIFY(told.body.contains(paid.body));
        }
        Payment other = payment;
        other.value = 1;
        QCOMPARE(text(ShopBench::answerOf(m_bench->pay(m_id, other)), "code"), QStringLiteral("key-reused"));
        QCOMPARE(m_bench->charges().size(), std::size_t{1});
    }

    void purgedKeyWithoutKind_isTooOld()
    {
        QCOMPARE(ShopBench::answerOf(m_bench->pay(m_id, m_bench->newPayment())).status, 201);
        purgeAll();
        for (const char* what : {"", "?kind=account", "/abandon", "/abandon?kind=account"}) {
            const HttpAnswer told = ask(what);
            QCOMPARE(told.status, 410);
            QCOMPARE(text(told, "code"), QStringLiteral("key-too-old"));
            QCOMPARE(text(told, "retry"), QStringLiteral("never"));
            QCOMPARE(text(told, "action_id").toStdString(), m_id.toString());
        }
    }

    // A purged key is not a new key.
    void purgedKeyWithoutOrder_isAbandonedForEver()
    {
        QCOMPARE(ShopBench::answerOf(m_bench->abandon(m_id)).status, 200);
        purgeAll();
        const HttpAnswer late = ShopBench::answerOf(m_bench->pay(m_id, m_bench->newPayment()));
        QCOMPARE(late.status, 410);
        QCOMPARE(text(late, "code"), QStringLiteral("action-abandoned"));
        QCOMPARE(text(late, "reason"), QStringLiteral("expired"));
        QCOMPARE(text(late, "retry"), QStringLiteral("new-key"));
        // Its valid_until lies ahead, and the answer says nothing else.
        QVERIFY2(!late.body.contains("valid_until") && late.body.contains("key was made before"), late.body);
        QCOMPARE(text(ask("?kind=payment"), "state"), QStringLiteral("abandoned"));
        QVERIFY(m_bench->charges().empty());
    }

    void openPayment_isNeverPurged()
    {
        m_bench->bank().shut();
        const auto call = m_bench->pay(m_id, m_bench->newPayment());
        QTRY_COMPARE(m_bench->bank().waitingCount(), std::size_t{1});
        m_bench->letTimePass(kLonger);
        m_bench->shop().purger().run();
        QCOMPARE(text(ask(""), "state"), QStringLiteral("in_progress"));
        QCOMPARE(m_bench->view().records.size(), std::size_t{1});
    }

    void droppedAnswer_isSaidToBeSo()
    {
        values::UuidRandom bits{};
        bits.back() = 1;
        m_id = values::ActionId::mint(m_id.madeAt().value() + 20h, bits); // a client whose clock is ahead
        const Payment payment = m_bench->newPayment();
        QCOMPARE(ShopBench::answerOf(m_bench->pay(m_id, payment)).status, 201);
        m_bench->letTimePass(30 * 24h + 1h);
        m_bench->shop().purger().run();

        QTRY_COMPARE(ShopBench::answerOf(m_bench->pay(m_id, payment)).status, 410);
        const HttpAnswer told = ShopBench::answerOf(m_bench->pay(m_id, payment));
        QCOMPARE(text(told, "code"), QStringLiteral("answer-expired"));
        QCOMPARE(text(told, "state"), QStringLiteral("succeeded"));
        const HttpAnswer looked = ask("");
        QCOMPARE(looked.status, 200);
        QCOMPARE(text(looked, "state"), QStringLiteral("succeeded"));
        QVERIFY(!looked.json().contains(QStringLiteral("result")));
    }

    // One wrong clock must not throw away what protects from a second charge.
    void movedClock_purgesNothingAndIsToldByHealthz()
    {
        const Payment payment = m_bench->newPayment();
        QCOMPARE(ShopBench::answerOf(m_bench->pay(m_id, payment)).status, 201);
        QCOMPARE(health(), QStringLiteral("ok"));
        m_bench->moveWallClock(kLonger);
        for (int run = 0; run < 3; ++run) {
            m_bench->shop().purger().run();
            QCOMPARE(health(), QStringLiteral("clock-suspect"));
        }
        QCOMPARE(m_bench->view().records.size(), std::size_t{1});
        QCOMPARE(m_bench->warnings().size(), std::size_t{1});

        m_bench->moveWallClock(-kLonger);
        m_bench->shop().purger().run();
        QCOMPARE(health(), QStringLiteral("ok"));
        QCOMPARE(ShopBench::answerOf(m_bench->pay(m_id, payment)).status, 201);
    }

    // A clock 32 days ahead raised the watermark, then was corrected: keys made now lie below it. That is not weakened, but
    // told.
    void watermarkOfAClockThatWasAhead_isToldByHealthz()
    {
        constexpr auto kAhead = 32 * 24h;
        m_bench->letTimePass(kAhead);
        m_bench->shop().purger().run();
        QCOMPARE(health(), QStringLiteral("ok"));

        m_bench->stop();
        m_bench->moveWallClock(-kAhead);
        QVERIFY(m_bench->start());
        m_bench->shop().purger().run();
        QTRY_COMPARE(health(), QStringLiteral("clock-suspect"));
        QCOMPARE(m_bench->warnings().size(), std::size_t{1});
        m_bench->shop().purger().run();
        const HttpAnswer refused = ShopBench::answerOf(m_bench->pay(m_id, m_bench->newPayment()));
        QCOMPARE(refused.status, 410);
        QCOMPARE(text(refused, "code"), QStringLiteral("action-abandoned"));
        QVERIFY2(refused.body.contains("key was made before"), refused.body);
        QVERIFY(m_bench->charges().empty());
        QCOMPARE(m_bench->warnings().size(), std::size_t{1}); // told once

        m_bench->letTimePass(kAhead); // it has caught up
        m_bench->shop().purger().run();
        QTRY_COMPARE(health(), QStringLiteral("ok"));
    }

private:
    void purgeAll()
    {
        m_bench->letTimePass(kLonger);
        m_bench->shop().purger().run();
        QTRY_VERIFY(m_bench->view().records.empty());
    }
    [[nodiscard]] HttpAnswer ask(const QByteArray& rest)
    {
        const QByteArray method = rest.startsWith('/') ? "POST" : "GET";
        return ShopBench::answerOf(m_bench->send(method, "/v1/actions/" + QByteArray::fromStdString(m_id.toString()) + rest));
    }
    [[nodiscard]] QString health() { return text(ShopBench::answerOf(m_bench->send("GET", "/healthz")), "status"); }
};

QTEST_GUILESS_MAIN(TestPurger)
#include "tst_purger.moc"
