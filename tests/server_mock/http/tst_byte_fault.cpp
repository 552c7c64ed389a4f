// Faults in the bytes of an answer: exact to the byte, and a reset that is a reset.
#include "http/listener.h"
#include "http/response_writer.h"
#include "server_mock/http/raw_peer.h"

#include <QtCore/QElapsedTimer>
#include <QtTest/QTest>

#include <vector>

using namespace std::chrono_literals;
using payonce::http::Afterwards;
using payonce::http::ByteFault;
using payonce::http::End;
using payonce::http::Exchange;
using payonce::http::Listener;
using payonce::http::Response;
using payonce::tests::RawPeer;
using Ending = payonce::tests::RawPeer::Ending;

Q_DECLARE_METATYPE(payonce::http::ByteFault::Part)
Q_DECLARE_METATYPE(payonce::http::End)

namespace {

constexpr auto kBody = R"({"state":"succeeded"})";

Response response()
{
    Response made;
    made.body = kBody;
    return made;
}

qsizetype headSize()
{
    return payonce::http::encodeHead(response(), {}, Afterwards::KeepOpen).size();
}

} // namespace

class TestByteFault : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup() { m_held.clear(); }

    void cut_letsExactlyItsBytesLeave_data();
    void cut_letsExactlyItsBytesLeave();
    void cutOfALargeBody_deliversItsBytesBeforeTheReset();
    void silence_sendsItsBytesAndKeepsTheConnection();
    void pause_sendsTheRestLater();
    void clientThatLeavesDuringAPause_isHarmless();
    void endWithoutAnswer_endsTheConnection_data();
    void endWithoutAnswer_endsTheConnection();
    void silenceWithoutAnswer_canStillBeEnded();
    void silentConnection_isGoneWithItsClient();

private:
    std::vector<std::shared_ptr<Exchange>> m_held;
    std::unique_ptr<Listener> m_listener;
    std::unique_ptr<RawPeer> m_peer;
};

/// Given a request that waits for its answer.
void TestByteFault::init()
{
    QTest::failOnWarning(QRegularExpression(QStringLiteral(".*")));
    m_listener = std::make_unique<Listener>([this](auto exchange) { m_held.push_back(std::move(exchange)); });
    QVERIFY(m_listener->listen(0));
    m_peer = std::make_unique<RawPeer>(m_listener->port());
    m_peer->send("GET / HTTP/1.1\r\nHost: shop\r\n\r\n");
    QTRY_COMPARE(m_held.size(), std::size_t(1));
}

void TestByteFault::cut_letsExactlyItsBytesLeave_data()
{
    QTest::addColumn<ByteFault::Part>("part");
    QTest::addColumn<qint64>("offset");
    QTest::addColumn<qsizetype>("expected");
    QTest::addColumn<End>("end");
    const auto bodySize = QByteArray(kBody).size();
    for (const auto end : {End::Fin, End::Rst}) {
        const QByteArray name = end == End::Fin ? "fin" : "rst";
        const auto row = [&](const char* what, ByteFault::Part part, qint64 offset, qsizetype expected) {
            QTest::newRow(name + ", " + what) << part << offset << expected << end;
        };
        row("no byte", ByteFault::Part::Head, 0, 0);
        row("one byte", ByteFault::Part::Head, 1, 1);
        row("inside the status line", ByteFault::Part::Head, 9, 9);
        row("the whole head", ByteFault::Part::Head, 100'000, headSize());
        row("before the body", ByteFault::Part::Body, 0, headSize());
        row("seven bytes of the body", ByteFault::Part::Body, 7, headSize() + 7);
        row("all but the last byte", ByteFault::Part::Body, bodySize - 1, headSize() + bodySize - 1);
        row("the whole body", ByteFault::Part::Body, 100'000, headSize() + bodySize);
    }
}

void TestByteFault::cut_letsExactlyItsBytesLeave()
{
    QFETCH(ByteFault::Part, part);
    QFETCH(qint64, offset);
    QFETCH(qsizetype, expected);
    QFETCH(End, end);
    m_held.front()->answer(response(), ByteFault{part, offset, ByteFault::Kind::End, end});
    QTRY_COMPARE(m_peer->ending(), end == End::Fin ? Ending::Fin : Ending::Reset);
    QCOMPARE(m_peer->received().size(), expected);
    QVERIFY((payonce::http::encodeHead(response(), {}, Afterwards::KeepOpen) + kBody)
                .startsWith(m_peer->received().first(std::min<qsizetype>(expected, 17))));
}

void TestByteFault::cutOfALargeBody_deliversItsBytesBeforeTheReset()
{
    constexpr qint64 kCut = 3'000'000;
    Response large;
    large.body = QByteArray(4'000'000, 'x');
    m_held.front()->answer(large, ByteFault{ByteFault::Part::Body, kCut, ByteFault::Kind::End, End::Rst});
    QTRY_COMPARE(m_peer->ending(), Ending::Reset);
    QCOMPARE(m_peer->received().count('x') >= kCut, true);
    QCOMPARE(m_peer->received().size() - m_peer->received().indexOf("\r\n\r\n") - 4, kCut);
}

void TestByteFault::silence_sendsItsBytesAndKeepsTheConnection()
{
    m_held.front()->answer(response(), ByteFault{ByteFault::Part::Body, 3, ByteFault::Kind::Silence, End::Fin});
    QTRY_COMPARE(m_peer->received().size(), headSize() + 3);
    // A request behind it is never served
    m_peer->send("GET /next HTTP/1.1\r\nHost: shop\r\n\r\n");
    RawPeer other(m_listener->port());
    other.send("GET / HTTP/1.1\r\nHost: shop\r\n\r\n");
    QTRY_COMPARE(m_held.size(), std::size_t(2));
    QCOMPARE(m_peer->ending(), Ending::Open);
    QCOMPARE(m_peer->received().size(), headSize() + 3);
    // When the exchange is ended, the connection is
    m_held.front()->end(End::Fin);
    QTRY_COMPARE(m_peer->ending(), Ending::Fin);
}

void TestByteFault::pause_sendsTheRestLater()
{
    QElapsedTimer watch;
    watch.start();
    m_held.front()->answer(response(), ByteFault{ByteFault::Part::Head, 12, ByteFault::Kind::Pause, End::Fin, 100ms});
    QTRY_COMPARE(m_peer->received().size(), 12);
    QTRY_VERIFY(m_peer->received().endsWith(kBody));
    QVERIFY(watch.elapsed() >= 100);
    QCOMPARE(m_peer->received().size(), headSize() + QByteArray(kBody).size());
    // The connection goes on
    m_peer->send("GET /next HTTP/1.1\r\nHost: shop\r\n\r\n");
    QTRY_COMPARE(m_held.size(), std::size_t(2));
}

void TestByteFault::clientThatLeavesDuringAPause_isHarmless()
{
    m_held.front()->answer(response(), ByteFault{ByteFault::Part::Head, 12, ByteFault::Kind::Pause, End::Fin, 50ms});
    QTRY_COMPARE(m_peer->received().size(), 12);
    m_peer->close();
    QTRY_COMPARE(m_listener->connectionCount(), 0);
}

void TestByteFault::endWithoutAnswer_endsTheConnection_data()
{
    QTest::addColumn<End>("end");
    QTest::newRow("fin") << End::Fin;
    QTest::newRow("rst") << End::Rst;
}

void TestByteFault::endWithoutAnswer_endsTheConnection()
{
    QFETCH(End, end);
    m_peer->send("bytes that nobody reads, which would make a close a reset");
    m_held.front()->end(end);
    QTRY_COMPARE(m_peer->ending(), end == End::Fin ? Ending::Fin : Ending::Reset);
    QCOMPARE(m_peer->received(), QByteArray());
    QVERIFY(!m_held.front()->isOpen());
}

void TestByteFault::silenceWithoutAnswer_canStillBeEnded()
{
    m_held.front()->silence();
    QVERIFY(!m_held.front()->isOpen());
    QCOMPARE(m_listener->heldCount(), 0);
    m_held.front()->answer(response());
    QCOMPARE(m_peer->ending(), Ending::Open);
    m_held.front()->end(End::Rst);
    QTRY_COMPARE(m_peer->ending(), Ending::Reset);
    QCOMPARE(m_peer->received(), QByteArray());
}

void TestByteFault::silentConnection_isGoneWithItsClient()
{
    // Given a client that leaves more behind its request than is read ahead
    QVERIFY(m_peer->send(QByteArray(100'000, 'x')) > 0);
    m_held.front()->silence();
    m_peer->close();
    QTRY_COMPARE(m_listener->connectionCount(), 0);
}

QTEST_GUILESS_MAIN(TestByteFault)
#include "tst_byte_fault.moc"
