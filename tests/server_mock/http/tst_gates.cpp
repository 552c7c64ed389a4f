// The gates of the simulator, before a connection is read and before a request is whole; and a port that refuses for a time.
#include "http/listener.h"
#include "http/response_writer.h"
#include "server_mock/http/raw_peer.h"

#include <QtCore/QElapsedTimer>
#include <QtTest/QTest>

#include <vector>

using namespace std::chrono_literals;
using payonce::http::Afterwards;
using payonce::http::encodeHead;
using payonce::http::End;
using payonce::http::Exchange;
using payonce::http::Listener;
using payonce::http::Response;
using payonce::tests::RawPeer;
using Ending = payonce::tests::RawPeer::Ending;

namespace {

constexpr auto kBody = R"({"state":"succeeded"})";
constexpr payonce::values::WallTime kNow{1796032800123ms};
constexpr auto kGet = "GET /a HTTP/1.1\r\nHost: shop\r\n\r\n";

Response response()
{
    Response made;
    made.body = kBody;
    return made;
}

QByteArray whole()
{
    return encodeHead(response(), kNow, Afterwards::KeepOpen) + kBody;
}

} // namespace

class TestGates : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup();

    void acceptedConnection_isNotReadBeforeItMay();
    void acceptedConnection_canBeReset();
    void head_comesBeforeItsBody();
    void head_canBeEndedOrAnswered_data();
    void head_canBeEndedOrAnswered();
    void headOfEveryRequest_passesTheGate();
    void refusal_closesThePortAndIdleConnectionsForItsTime();
    void refusal_leavesTheRequestUnderWayAlone();

private:
    [[nodiscard]] std::shared_ptr<Exchange> takeRequest(RawPeer& peer, const QByteArray& request = kGet);

    bool m_watchesAccept = false;
    bool m_watchesHead = false;
    std::vector<std::shared_ptr<Exchange>> m_accepted;
    std::vector<std::shared_ptr<Exchange>> m_heads;
    std::vector<std::shared_ptr<Exchange>> m_held;
    std::unique_ptr<Listener> m_listener;
};

void TestGates::init()
{
    QTest::failOnWarning(QRegularExpression(QStringLiteral(".*")));
    m_watchesAccept = m_watchesHead = false;
    m_listener = std::make_unique<Listener>([this](auto exchange) { m_held.push_back(std::move(exchange)); });
    m_listener->setGates(
        {[this] { return m_watchesAccept; }, [this](auto exchange) { m_accepted.push_back(std::move(exchange)); }},
        {[this] { return m_watchesHead; }, [this](auto exchange) { m_heads.push_back(std::move(exchange)); }});
    m_listener->setClock([] { return kNow; });
    QVERIFY(m_listener->listen(0));
}

void TestGates::cleanup()
{
    m_accepted.clear();
    m_heads.clear();
    m_held.clear();
    m_listener.reset();
}

/// Null if it did not come.
std::shared_ptr<Exchange> TestGates::takeRequest(RawPeer& peer, const QByteArray& request)
{
    const auto before = m_held.size();
    peer.send(request);
    const bool came = QTest::qWaitFor([&] { return m_held.size() > before; });
    return came ? m_held.back() : nullptr;
}

void TestGates::acceptedConnection_isNotReadBeforeItMay()
{
    m_watchesAccept = true;
    RawPeer peer(m_listener->port());
    peer.send(kGet);
    QTRY_COMPARE(m_accepted.size(), std::size_t(1));
    QVERIFY(m_accepted.front()->isOpen());
    QVERIFY(m_accepted.front()->request().connection > 0);
    m_watchesAccept = false;
    RawPeer other(m_listener->port());
    QVERIFY(takeRequest(other)); // came later, and is served
    QCOMPARE(m_held.size(), std::size_t(1));
    m_accepted.front()->resume();
    QTRY_COMPARE(m_held.size(), std::size_t(2));
    QCOMPARE(m_held.back()->request().connection, m_accepted.front()->request().connection);
    m_accepted.clear(); // has nothing to do with what came
    m_held.back()->answer(response());
    QTRY_COMPARE(peer.received(), whole());
}

void TestGates::acceptedConnection_canBeReset()
{
    m_watchesAccept = true;
    RawPeer peer(m_listener->port());
    QTRY_COMPARE(m_accepted.size(), std::size_t(1));
    m_accepted.front()->end(End::Rst);
    QTRY_COMPARE(peer.ending(), Ending::Reset);
    RawPeer second(m_listener->port());
    QTRY_COMPARE(m_accepted.size(), std::size_t(2));
    m_accepted.clear(); // let go unanswered
    QTRY_COMPARE(second.ending(), Ending::Fin);
}

void TestGates::head_comesBeforeItsBody()
{
    m_watchesHead = true;
    RawPeer peer(m_listener->port());
    peer.send("POST /p HTTP/1.1\r\nHost: shop\r\nContent-Length: 4\r\n\r\nab");
    QTRY_COMPARE(m_heads.size(), std::size_t(1));
    QCOMPARE(m_heads.front()->request().path, QByteArray("/p"));
    QCOMPARE(m_heads.front()->request().method, QByteArray("POST"));
    peer.send("cd");
    m_watchesHead = false;
    RawPeer other(m_listener->port());
    QVERIFY(takeRequest(other)); // came later, and is served
    QCOMPARE(m_held.size(), std::size_t(1));
    m_heads.front()->resume();
    QTRY_COMPARE(m_held.size(), std::size_t(2));
    QCOMPARE(m_held.back()->request().body, QByteArray("abcd"));
    QVERIFY(m_held.back()->request().number != m_heads.front()->request().number);
    m_held.back()->answer(response());
    QTRY_COMPARE(peer.received(), whole());
}

void TestGates::head_canBeEndedOrAnswered_data()
{
    QTest::addColumn<QByteArray>("how");
    QTest::addColumn<int>("ending");
    QTest::newRow("reset") << QByteArray("rst") << static_cast<int>(Ending::Reset);
    QTest::newRow("closed") << QByteArray("fin") << static_cast<int>(Ending::Fin);
    QTest::newRow("half closed") << QByteArray("half") << static_cast<int>(Ending::Fin);
    QTest::newRow("answered") << QByteArray("answer") << static_cast<int>(Ending::Fin);
}

void TestGates::head_canBeEndedOrAnswered()
{
    QFETCH(QByteArray, how);
    QFETCH(int, ending);
    m_watchesHead = true;
    RawPeer peer(m_listener->port());
    peer.send("POST /p HTTP/1.1\r\nHost: shop\r\nContent-Length: 2000\r\n\r\n");
    peer.send(QByteArray(1'000, 'x')); // and the rest never comes
    QTRY_COMPARE(m_heads.size(), std::size_t(1));
    auto& head = *m_heads.front();
    if (how == "rst")
        head.end(End::Rst);
    else if (how == "fin")
        head.end(End::Fin);
    else if (how == "half")
        head.halfClose();
    else
        head.answer(response());
    QTRY_COMPARE(static_cast<int>(peer.ending()), ending);
    QVERIFY(m_held.empty());
    QCOMPARE(peer.received().isEmpty(), how != "answer");
}

void TestGates::headOfEveryRequest_passesTheGate()
{
    m_watchesHead = true;
    RawPeer peer(m_listener->port());
    peer.send(QByteArray(kGet) + kGet);
    for (std::size_t i = 1; i <= 2; ++i) {
        QTRY_COMPARE(m_heads.size(), i);
        QCOMPARE(m_held.size(), i - 1);
        m_heads.back()->resume();
        QTRY_COMPARE(m_held.size(), i);
        m_held.back()->answer(response());
    }
    QTRY_COMPARE(peer.received(), whole() + whole());
}

void TestGates::refusal_closesThePortAndIdleConnectionsForItsTime()
{
    RawPeer idle(m_listener->port());
    QTRY_COMPARE(m_listener->connectionCount(), 1);
    const auto port = m_listener->port();
    QElapsedTimer watch;
    watch.start();
    m_listener->refuseFor(150ms);
    QTRY_COMPARE(idle.ending(), Ending::Fin);
    QVERIFY(!RawPeer(port).isConnected());
    QCOMPARE(m_listener->port(), port);
    QTRY_VERIFY(RawPeer(port).isConnected());
    QVERIFY(watch.elapsed() >= 150);
    RawPeer again(port);
    QVERIFY(takeRequest(again));
}

void TestGates::refusal_leavesTheRequestUnderWayAlone()
{
    RawPeer peer(m_listener->port());
    const auto exchange = takeRequest(peer);
    QVERIFY(exchange);
    m_listener->refuseFor(50ms);
    exchange->answer(response());
    QTRY_COMPARE(peer.received(), whole());
    QCOMPARE(peer.ending(), Ending::Open);
}

QTEST_GUILESS_MAIN(TestGates)
#include "tst_gates.moc"
