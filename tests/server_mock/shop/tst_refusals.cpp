// What went wrong elsewhere with refusals: some were remembered for ever, some were taken as proof, some could be asked for.
// Each test is a row of docs/known-failures.md.
#include "shop_test.h"

#include <QtTest/QTest>

#include <functional>

using namespace payonce;
using console::Point;
using shop::Payment;
using shop::ShopBench;
using support::HttpAnswer;

namespace {

/// What is wrong with a request: its token, its headers, its body.
struct Flaw
{
    QByteArray token = shop::kToken;
    http::Headers headers{};
    std::function<void(Payment&)> change = [](Payment&) {};
    QByteArray body{};
};

} // namespace

Q_DECLARE_METATYPE(Flaw)

class TestRefusals : public shop::ShopTest
{
    Q_OBJECT

private Q_SLOTS:
    // An error kept under the key outlives its cause, and then Retry-After lies.
    void refusalBeforeTheClaim_isNeverRemembered_data()
    {
        QTest::addColumn<Flaw>("flaw");
        QTest::addColumn<int>("status");
        QTest::newRow("nobody's token") << Flaw{.token = "nobody"} << 401;
        QTest::newRow("bad attempt") << Flaw{.headers = {{"Action-Attempt", "none"}}} << 400;
        QTest::newRow("no JSON") << Flaw{.body = "{"} << 400;
        QTest::newRow("too large") << Flaw{.body = QByteArray(300 * 1024, ' ')} << 413;
        QTest::newRow("other type") << Flaw{.headers = {{"Content-Type", "text/plain"}}} << 415;
        QTest::newRow("member out of range") << Flaw{.change = [](Payment& payment) { payment.value = 0; }} << 422;
        QTest::newRow("wrong total") << Flaw{.change = [](Payment& payment) { payment.value = 4100; }} << 422;
        QTest::newRow("unknown card") << Flaw{.change = [](Payment& payment) { payment.paymentMethod = "pm_no"; }} << 422;
    }
    void refusalBeforeTheClaim_isNeverRemembered()
    {
        QFETCH(const Flaw, flaw);
        QFETCH(int, status);
        QCOMPARE(ShopBench::answerOf(m_bench->send("GET", "/v1/cart")).status, 200);
        const Payment good = m_bench->newPayment();
        Payment bad = good;
        flaw.change(bad);
        const QByteArray body = flaw.body.isEmpty() ? ShopBench::bodyOf(bad) : flaw.body;

        const HttpAnswer refused =
            ShopBench::answerOf(m_bench->send("POST", "/v1/payments", ShopBench::keyOf(m_id) + flaw.headers, body, flaw.token));

        QCOMPARE(refused.status, status);
        isNew(good);
    }

    void tooManyRequests_areNotRememberedUnderTheKey()
    {
        m_bench = std::make_unique<ShopBench>(idempotency::LedgerNumbers{}, 1);
        QVERIFY(m_bench->start());
        const Payment payment = m_bench->newPayment();
        QCOMPARE(ShopBench::answerOf(m_bench->pay(m_id, payment)).status, 429);
        m_bench->letTimePass(std::chrono::seconds(1));
        const HttpAnswer first = ShopBench::answerOf(m_bench->pay(m_id, payment));
        QCOMPARE(first.status, 201);
        QCOMPARE(first.header("Idempotent-Replayed"), QByteArray());
    }

    void storeThatWasAway_isNotRememberedUnderTheKey()
    {
        const Payment good = m_bench->newPayment();
        m_bench->letWrites(ShopBench::Writes::Fail);
        QCOMPARE(ShopBench::answerOf(m_bench->pay(m_id, good)).status, 503);
        m_bench->letWrites(ShopBench::Writes::Work);
        isNew(good);
    }

    // A stored answer survived the loss of the right to see it.
    void storedAnswer_isShownOnlyWithTheToken()
    {
        const Payment payment = m_bench->newPayment();
        QCOMPARE(ShopBench::answerOf(m_bench->pay(m_id, payment)).status, 201);
        const QByteArray charge = QByteArray::fromStdString(m_bench->charges().front().chargeId);
        for (const char* token : {"nobody", shop::kOtherToken}) {
            const HttpAnswer post = ShopBench::answerOf(
                m_bench->send("POST", "/v1/payments", ShopBench::keyOf(m_id), ShopBench::bodyOf(payment), token));
            const HttpAnswer look = ShopBench::answerOf(m_bench->look(m_id, {}, token));
            const HttpAnswer abandon = ShopBench::answerOf(m_bench->abandon(m_id, {}, token));
            for (const HttpAnswer& answer : {post, look, abandon})
                QVERIFY2(!answer.body.contains(charge) && !answer.body.contains("4200"), answer.body);
        }
        QCOMPARE(m_bench->charges().size(), std::size_t{1});
    }

    // A header that the server itself uses was believed when a client sent it.
    void headersOfAnswersInARequest_changeNothing()
    {
        const http::Headers forged{{"Idempotent-Replayed", "true"},
                                   {"Action-Id", "\"another\""},
                                   {"x-hit", "1"},
                                   {"Content-Digest", "sha-256=:AAAA:"}};
        const Payment payment = m_bench->newPayment();
        const HttpAnswer first = ShopBench::answerOf(m_bench->pay(m_id, payment, forged));
        QCOMPARE(first.status, 201);
        QCOMPARE(first.header("Idempotent-Replayed"), QByteArray());
        QCOMPARE(first.header("Action-Id"), ShopBench::keyOf(m_id).first().second);
        QCOMPARE(ShopBench::answerOf(m_bench->pay(m_id, payment, forged)).body, first.body);
        QCOMPARE(m_bench->charges().size(), std::size_t{1});
    }

    // One POST, two copies on the wire: that the first was refused proves nothing about the second.
    void refusedCopy_provesNothingAboutTheOther()
    {
        const Payment payment = m_bench->newPayment();
        const auto copy = [&](const char* token) {
            return ShopBench::answerOf(
                m_bench->send("POST", "/v1/payments", ShopBench::keyOf(m_id), ShopBench::bodyOf(payment), token));
        };
        const HttpAnswer refused = copy("nobody");
        QCOMPARE(text(refused, "retry"), QStringLiteral("never")); // this request; not this action
        QCOMPARE(copy(shop::kToken).status, 201);
        QCOMPARE(text(ShopBench::answerOf(m_bench->abandon(m_id)), "state"), QStringLiteral("succeeded"));
        QCOMPARE(m_bench->charges().size(), std::size_t{1});
    }

    void refusedCopyThenAbandon_closesTheOtherOut()
    {
        const Payment payment = m_bench->newPayment();
        QCOMPARE(ShopBench::answerOf(
                     m_bench->send("POST", "/v1/payments", ShopBench::keyOf(m_id), ShopBench::bodyOf(payment), "nobody"))
                     .status,
                 401);
        QCOMPARE(text(ShopBench::answerOf(m_bench->abandon(m_id)), "state"), QStringLiteral("abandoned"));
        QCOMPARE(ShopBench::answerOf(m_bench->pay(m_id, payment)).status, 410);
        QVERIFY(m_bench->charges().empty());
    }

    // "Not found" was taken as "not charged" while the request was still on its way.
    void notFound_isNoPromiseThatItWillNotCome()
    {
        m_bench->points().holdAt(Point::KeyClaimed);
        QCOMPARE(ShopBench::answerOf(m_bench->look(m_id)).status, 404);
        const Payment payment = m_bench->newPayment();
        const HttpAnswer unknown = ShopBench::answerOf(m_bench->look(m_id));
        QCOMPARE(text(unknown, "retry"), QStringLiteral("same-key"));
        const auto late = m_bench->pay(m_id, payment);
        QTRY_COMPARE(m_bench->points().heldCount(), std::size_t{1});
        QCOMPARE(text(ShopBench::answerOf(m_bench->look(m_id)), "state"), QStringLiteral("in_progress"));
        m_bench->points().release();
        QCOMPARE(ShopBench::answerOf(late).status, 201);
    }

private:
    /// The key is as good as new: unknown, then run for the first time.
    void isNew(const Payment& payment)
    {
        QCOMPARE(ShopBench::answerOf(m_bench->look(m_id)).status, 404);
        const HttpAnswer first = ShopBench::answerOf(m_bench->pay(m_id, payment));
        QCOMPARE(first.status, 201);
        QCOMPARE(first.header("Idempotent-Replayed"), QByteArray());
        QCOMPARE(m_bench->charges().size(), std::size_t{1});
    }
};

QTEST_GUILESS_MAIN(TestRefusals)
#include "tst_refusals.moc"
