// A client that leaves at every point: nothing stays open, the record reaches its end, and the bank charges once.
#include "server_mock/http/raw_peer.h"
#include "shop_bench.h"

#include <QtCore/QRegularExpression>
#include <QtTest/QTest>

#include <algorithm>

using namespace payonce;
using shop::Payment;
using shop::ShopBench;
using tests::RawPeer;

namespace {

enum class Leaving { Fin, Rst };

void leave(RawPeer& peer, Leaving how)
{
    switch (how) {
    case Leaving::Fin: return peer.close();
    case Leaving::Rst: return peer.reset();
    }
}

/// The bytes of one payment, on a connection that closes after the answer.
QByteArray paymentBytes(const values::ActionId& id, const Payment& payment, const http::Headers& more = {})
{
    const http::Headers lines{{"Authorization", QByteArray("Bearer ") + shop::kToken}, {"Content-Type", "application/json"}};
    return support::httpRequest("POST", "/v1/payments", lines + ShopBench::keyOf(id) + more, ShopBench::bodyOf(payment));
}

/// Each of the first 16 counts, then every 31st, and each of the last 16 again.
QList<qsizetype> sampled(qsizetype size)
{
    constexpr qsizetype kEachOf = 16;
    constexpr qsizetype kStep = 31;
    QList<qsizetype> counts;
    for (qsizetype count = 0; count <= size; count += count < kEachOf || size - count <= kEachOf ? 1 : kStep)
        counts.append(count);
    counts.append(size);
    return counts;
}

} // namespace

class TestLeavingClients : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        QTest::failOnWarning(QRegularExpression(QStringLiteral(".*")));
        m_template = {};
        m_bench = std::make_unique<ShopBench>();
        QVERIFY(m_bench->start());
    }
    void cleanup() { m_bench.reset(); }

    void leftInsideTheRequest_isNeverChargedUntilSentWhole_data() { ways(); }
    void leftInsideTheRequest_isNeverChargedUntilSentWhole();
    void leftBehindTheRequest_isOneCharge_data() { ways(); }
    void leftBehindTheRequest_isOneCharge();
    void leftInsideTheAnswer_isOneCharge_data() { ways(); }
    void leftInsideTheAnswer_isOneCharge();
    void leftWhileTheBankIsAsked_isSettledAllTheSame_data() { ways(); }
    void leftWhileTheBankIsAsked_isSettledAllTheSame();
    void leftInsideAHeldWait_letsGoOfIt_data() { ways(); }
    void leftInsideAHeldWait_letsGoOfIt();

private:
    static void ways()
    {
        QTest::addColumn<Leaving>("how");
        QTest::newRow("FIN") << Leaving::Fin;
        QTest::newRow("RST") << Leaving::Rst;
    }
    /// A payment for a cart of its own.
    [[nodiscard]] Payment another()
    {
        if (m_template.paymentMethod.isEmpty())
            m_template = m_bench->newPayment();
        m_template.cart = "left-" + QByteArray::number(++m_carts);
        return m_template;
    }
    void nobodyIsLeft();
    void isChargedOnceBySendingItAgain(const values::ActionId& id, const Payment& payment, std::size_t charges);

    std::unique_ptr<ShopBench> m_bench;
    Payment m_template;
    int m_carts = 0;
};

void TestLeavingClients::nobodyIsLeft()
{
    QTRY_COMPARE(m_bench->listener().connectionCount(), 0);
    QCOMPARE(m_bench->listener().heldCount(), 0);
}

void TestLeavingClients::isChargedOnceBySendingItAgain(const values::ActionId& id, const Payment& payment, std::size_t charges)
{
    const auto answer = ShopBench::answerOf(m_bench->pay(id, payment, {{"Prefer", "wait=25"}}));
    QVERIFY2(answer.status == 201, answer.body.constData());
    QCOMPARE(m_bench->charges().size(), charges);
}

void TestLeavingClients::leftInsideTheRequest_isNeverChargedUntilSentWhole()
{
    QFETCH(Leaving, how);
    const auto id = ShopBench::newAction();
    const auto payment = another();
    const auto bytes = paymentBytes(id, payment);
    for (const auto count : sampled(bytes.size() - 1)) {
        RawPeer peer(m_bench->listener().port());
        QCOMPARE(peer.send(bytes.first(count)), count);
        const auto& listener = m_bench->listener();
        QVERIFY(QTest::qWaitFor([&listener] { return listener.connectionCount() == 1; }));
        leave(peer, how);
        QVERIFY(QTest::qWaitFor([&listener] { return listener.connectionCount() == 0; }));
    }
    QCOMPARE(m_bench->charges().size(), std::size_t(0));
    QCOMPARE(ShopBench::answerOf(m_bench->look(id)).status, 404);
    isChargedOnceBySendingItAgain(id, payment, 1);
}

void TestLeavingClients::leftBehindTheRequest_isOneCharge()
{
    QFETCH(Leaving, how);
    for (std::size_t round = 1; round <= 10; ++round) {
        const auto id = ShopBench::newAction();
        const auto payment = another();
        RawPeer peer(m_bench->listener().port());
        peer.send(paymentBytes(id, payment));
        leave(peer, how); // an RST may still overtake the request
        isChargedOnceBySendingItAgain(id, payment, round);
        nobodyIsLeft();
    }
}

void TestLeavingClients::leftInsideTheAnswer_isOneCharge()
{
    QFETCH(Leaving, how);
    constexpr qsizetype kAnswer = 700; // longer than it is
    std::size_t charges = 0;
    for (const auto count : {1, 9, 13, 200, 350, 500, int(kAnswer)}) {
        const auto id = ShopBench::newAction();
        const auto payment = another();
        RawPeer peer(m_bench->listener().port());
        peer.send(paymentBytes(id, payment));
        const auto hasCome = [&] { return peer.receiveUpTo(count) == count || peer.ending() == RawPeer::Ending::Fin; };
        QTRY_VERIFY(hasCome());
        leave(peer, how);
        isChargedOnceBySendingItAgain(id, payment, ++charges);
        nobodyIsLeft();
    }
}

void TestLeavingClients::leftWhileTheBankIsAsked_isSettledAllTheSame()
{
    QFETCH(Leaving, how);
    const auto id = ShopBench::newAction();
    const auto payment = another();
    m_bench->bank().shut();
    RawPeer peer(m_bench->listener().port());
    peer.send(paymentBytes(id, payment));
    QTRY_COMPARE(m_bench->bank().waitingCount(), std::size_t(1));
    QCOMPARE(m_bench->listener().heldCount(), 1);

    leave(peer, how);
    nobodyIsLeft();
    m_bench->bank().open();

    const auto state = [&] { return ShopBench::answerOf(m_bench->look(id)).json().value(QStringLiteral("state")).toString(); };
    QTRY_COMPARE(state(), QStringLiteral("succeeded"));
    isChargedOnceBySendingItAgain(id, payment, 1);
    nobodyIsLeft();
}

void TestLeavingClients::leftInsideAHeldWait_letsGoOfIt()
{
    // Given a payment under way, a copy of it that waits, and a look that waits
    QFETCH(Leaving, how);
    const auto id = ShopBench::newAction();
    const auto payment = another();
    m_bench->bank().shut();
    RawPeer first(m_bench->listener().port());
    first.send(paymentBytes(id, payment));
    QTRY_COMPARE(m_bench->bank().waitingCount(), std::size_t(1));
    RawPeer copy(m_bench->listener().port());
    copy.send(paymentBytes(id, payment, {{"Prefer", "wait=25"}}));
    RawPeer look(m_bench->listener().port());
    look.send("GET /v1/actions/" + QByteArray::fromStdString(id.toString()) +
              " HTTP/1.1\r\nHost: shop\r\nAuthorization: Bearer " + shop::kToken + "\r\nPrefer: wait=25\r\n\r\n");
    QTRY_COMPARE(m_bench->listener().heldCount(), 3);

    leave(copy, how);
    leave(look, how);
    QTRY_COMPARE(m_bench->listener().connectionCount(), 1);
    QCOMPARE(m_bench->listener().heldCount(), 1);
    m_bench->bank().open();

    QTRY_VERIFY(first.received().startsWith("HTTP/1.1 201 "));
    isChargedOnceBySendingItAgain(id, payment, 1);
    first.close();
    nobodyIsLeft();
}

QTEST_GUILESS_MAIN(TestLeavingClients)
#include "tst_leaving_clients.moc"
