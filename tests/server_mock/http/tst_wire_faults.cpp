// What only the simulator does to a connection: gates before a request, holds within and behind an answer, bytes that are no
// answer.
#include "http/listener.h"
#include "http/response_writer.h"
#include "server_mock/http/raw_peer.h"

#include <QtCore/QElapsedTimer>
#include <QtTest/QTest>

#include <vector>

using namespace std::chrono_literals;
using payonce::http::Afterwards;
using payonce::http::ByteFault;
using payonce::http::encodeHead;
using payonce::http::End;
using payonce::http::Exchange;
using payonce::http::Listener;
using payonce::http::Response;
using payonce::tests::RawPeer;
using Ending = payonce::tests::RawPeer::Ending;

Q_DECLARE_METATYPE(payonce::http::End)

namespace {

constexpr auto kBody = R"({"state":"succeeded"})";
constexpr payonce::values::WallTime kNow{1796032800123ms};
constexpr auto kGet = "GET /a HTTP/1.1\r\nHost: shop\r\n\r\n";

Response response(const QByteArray& body = kBody)
{
    Response made;
    made.body = body;
    return made;
}

QByteArray whole(const QByteArray& body = kBody)
{
    return encodeHead(response(body), kNow, Afterwards::KeepOpen) + body;
}

} // namespace

class TestWireFaults : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup();

    void chunkedCut_hasNoLengthAndNoLastChunk_data();
    void chunkedCut_hasNoLengthAndNoLastChunk();
    void drip_sendsPiecesWithPausesBetween();
    void doubledAnswer_isOnTheWireTwice();
    void halfClosedConnection_stillReads();
    void halfCloseWithinAnAnswer_letsItsBytesLeave();
    void hold_waitsAtItsByte();
    void holdThatIsReset_deliversItsBytesFirst();
    void flushed_comesAfterTheLastByteAndBeforeTheNextRequest();
    void flushedThenReset_deliversTheWholeAnswer();
    void flushedThenMore_isBehindTheAnswer();
    void garbage_isAllThereIs();
    void clientThatLeavesWhileHeld_isHarmless();
    void exchangeThatIsLetGoWhileHeld_endsTheConnection();

private:
    [[nodiscard]] std::shared_ptr<Exchange> takeRequest(RawPeer& peer, const QByteArray& request = kGet);

    std::vector<std::shared_ptr<Exchange>> m_held;
    std::unique_ptr<Listener> m_listener;
};

void TestWireFaults::init()
{
    QTest::failOnWarning(QRegularExpression(QStringLiteral(".*")));
    m_listener = std::make_unique<Listener>([this](auto exchange) { m_held.push_back(std::move(exchange)); });
    m_listener->setClock([] { return kNow; });
    QVERIFY(m_listener->listen(0));
}

void TestWireFaults::cleanup()
{
    m_held.clear();
    m_listener.reset();
}

/// Null if it did not come.
std::shared_ptr<Exchange> TestWireFaults::takeRequest(RawPeer& peer, const QByteArray& request)
{
    const auto before = m_held.size();
    peer.send(request);
    const bool came = QTest::qWaitFor([&] { return m_held.size() > before; });
    return came ? m_held.back() : nullptr;
}

void TestWireFaults::chunkedCut_hasNoLengthAndNoLastChunk_data()
{
    QTest::addColumn<qint64>("offset");
    QTest::addColumn<QByteArray>("body");
    QTest::addColumn<End>("end");
    const QByteArray all = kBody;
    for (const auto end : {End::Fin, End::Rst}) {
        const QByteArray name = end == End::Fin ? "fin" : "rst";
        QTest::newRow(name + ", nothing") << qint64(0) << QByteArray() << end;
        QTest::newRow(name + ", seven bytes") << qint64(7) << QByteArray("7\r\n" + all.first(7) + "\r\n") << end;
        QTest::newRow(name + ", all") << qint64(1'000) << QByteArray("15\r\n" + all + "\r\n") << end;
    }
}

void TestWireFaults::chunkedCut_hasNoLengthAndNoLastChunk()
{
    QFETCH(qint64, offset);
    QFETCH(QByteArray, body);
    QFETCH(End, end);
    RawPeer peer(m_listener->port());
    const auto exchange = takeRequest(peer);
    QVERIFY(exchange);
    ByteFault fault{ByteFault::Part::Body, offset, ByteFault::Kind::End, end};
    fault.framing = ByteFault::Framing::Chunked;
    exchange->answer(response(), fault);
    QTRY_COMPARE(peer.ending(), end == End::Fin ? Ending::Fin : Ending::Reset);
    const auto head = encodeHead(response(), kNow, Afterwards::KeepOpen, ByteFault::Framing::Chunked);
    QCOMPARE(peer.received(), head + body);
    QVERIFY(head.contains("Transfer-Encoding: chunked\r\n"));
    QVERIFY(!head.contains("Content-Length") && !head.contains("Content-Digest"));
}

void TestWireFaults::drip_sendsPiecesWithPausesBetween()
{
    RawPeer peer(m_listener->port());
    const auto exchange = takeRequest(peer);
    QVERIFY(exchange);
    ByteFault drip{ByteFault::Part::Body, 1, ByteFault::Kind::Drip};
    drip.pause = 5ms;
    drip.piece = 4;
    QElapsedTimer watch;
    watch.start();
    exchange->answer(response(), drip);
    QCOMPARE(peer.received(), whole().chopped(QByteArray(kBody).size() - 1));
    QTRY_COMPARE(peer.received(), whole());
    QVERIFY(watch.elapsed() >= 5 * 5); // 20 bytes more
    QVERIFY(takeRequest(peer));        // the connection goes on
}

void TestWireFaults::doubledAnswer_isOnTheWireTwice()
{
    RawPeer peer(m_listener->port());
    const auto exchange = takeRequest(peer);
    QVERIFY(exchange);
    ByteFault twice;
    twice.kind = ByteFault::Kind::None;
    twice.copies = 2;
    exchange->answer(response(), twice);
    QTRY_COMPARE(peer.received(), whole() + whole());
    QVERIFY(takeRequest(peer));
    QCOMPARE(peer.ending(), Ending::Open);
}

void TestWireFaults::halfClosedConnection_stillReads()
{
    RawPeer peer(m_listener->port());
    const auto exchange = takeRequest(peer);
    QVERIFY(exchange);
    exchange->halfClose();
    QTRY_COMPARE(peer.ending(), Ending::Fin);
    QVERIFY(peer.received().isEmpty());
    // A second request is taken and never answered; the connection lasts as long as its client.
    QVERIFY(peer.send(kGet) > 0);
    RawPeer other(m_listener->port());
    QVERIFY(takeRequest(other)); // came later, and is served
    QVERIFY(peer.send(kGet) > 0);
    QCOMPARE(m_held.size(), std::size_t(2));
    QCOMPARE(m_listener->connectionCount(), 2);
    other.close();
    QTRY_COMPARE(m_listener->connectionCount(), 1);
    exchange->answer(response()); // too late
    peer.close();
    QTRY_COMPARE(m_listener->connectionCount(), 0);
}

void TestWireFaults::halfCloseWithinAnAnswer_letsItsBytesLeave()
{
    RawPeer peer(m_listener->port());
    const auto exchange = takeRequest(peer);
    QVERIFY(exchange);
    exchange->answer(response(), ByteFault{ByteFault::Part::Body, 3, ByteFault::Kind::HalfClose});
    QTRY_COMPARE(peer.ending(), Ending::Fin);
    QCOMPARE(peer.received(), whole().chopped(QByteArray(kBody).size() - 3));
    QCOMPARE(m_listener->connectionCount(), 1);
}

void TestWireFaults::hold_waitsAtItsByte()
{
    RawPeer peer(m_listener->port());
    const auto exchange = takeRequest(peer);
    QVERIFY(exchange);
    int reached = 0;
    ByteFault hold{ByteFault::Part::Head, 9, ByteFault::Kind::Hold};
    hold.reached = [&] { ++reached; };
    exchange->answer(response(), hold);
    QTRY_COMPARE(peer.received(), whole().first(9));
    QCOMPARE(reached, 1);
    exchange->resume();
    QTRY_COMPARE(peer.received(), whole());
    exchange->resume(); // nothing waits any more
    QVERIFY(takeRequest(peer));
}

void TestWireFaults::holdThatIsReset_deliversItsBytesFirst()
{
    RawPeer peer(m_listener->port());
    const auto exchange = takeRequest(peer);
    QVERIFY(exchange);
    ByteFault hold{ByteFault::Part::Body, 2, ByteFault::Kind::Hold};
    hold.reached = [&] { exchange->end(End::Rst); };
    exchange->answer(response(), hold);
    QTRY_COMPARE(peer.ending(), Ending::Reset);
    QCOMPARE(peer.received(), whole().chopped(QByteArray(kBody).size() - 2));
}

void TestWireFaults::flushed_comesAfterTheLastByteAndBeforeTheNextRequest()
{
    RawPeer peer(m_listener->port());
    const auto exchange = takeRequest(peer, QByteArray(kGet) + kGet);
    QVERIFY(exchange);
    QByteArray whenFlushed = "never";
    ByteFault plan;
    plan.kind = ByteFault::Kind::None;
    plan.flushed = [&] { whenFlushed = peer.received(); };
    exchange->answer(response(), plan);
    QTRY_COMPARE(whenFlushed, whole());
    RawPeer other(m_listener->port());
    QVERIFY(takeRequest(other)); // came later, and is served
    QCOMPARE(m_held.size(), std::size_t(2));
    exchange->resume();
    QTRY_COMPARE(m_held.size(), std::size_t(3));
}

void TestWireFaults::flushedThenReset_deliversTheWholeAnswer()
{
    constexpr qsizetype kLarge = 3'000'000;
    const QByteArray large(kLarge, 'x');
    RawPeer peer(m_listener->port());
    const auto exchange = takeRequest(peer);
    QVERIFY(exchange);
    ByteFault plan;
    plan.kind = ByteFault::Kind::None;
    plan.flushed = [&] { exchange->end(End::Rst); };
    exchange->answer(response(large), plan);
    QTRY_COMPARE(peer.ending(), Ending::Reset);
    QCOMPARE(peer.received().size(), whole(large).size());
}

void TestWireFaults::flushedThenMore_isBehindTheAnswer()
{
    RawPeer peer(m_listener->port());
    const auto exchange = takeRequest(peer);
    QVERIFY(exchange);
    ByteFault plan;
    plan.kind = ByteFault::Kind::None;
    plan.flushed = [&] { exchange->sendRaw("more"); };
    exchange->answer(response(), plan);
    QTRY_COMPARE(peer.received(), whole() + "more");
    QVERIFY(takeRequest(peer));
}

void TestWireFaults::garbage_isAllThereIs()
{
    RawPeer peer(m_listener->port());
    const auto exchange = takeRequest(peer);
    QVERIFY(exchange);
    exchange->sendRaw(QByteArray("\x16\x03\x01\x00", 4));
    QTRY_COMPARE(peer.ending(), Ending::Fin);
    QCOMPARE(peer.received(), QByteArray("\x16\x03\x01\x00", 4));
    exchange->answer(response());
    QVERIFY(!exchange->isOpen());
}

void TestWireFaults::clientThatLeavesWhileHeld_isHarmless()
{
    RawPeer peer(m_listener->port());
    const auto exchange = takeRequest(peer);
    QVERIFY(exchange);
    ByteFault hold{ByteFault::Part::Body, 2, ByteFault::Kind::Hold};
    hold.reached = [kept = exchange] {}; // as the simulator keeps it
    hold.flushed = [kept = exchange] {};
    exchange->answer(response(), hold);
    peer.reset();
    QTRY_COMPARE(m_listener->connectionCount(), 0);
    exchange->resume();
    exchange->end(End::Rst);
}

void TestWireFaults::exchangeThatIsLetGoWhileHeld_endsTheConnection()
{
    RawPeer peer(m_listener->port());
    {
        auto exchange = takeRequest(peer);
        QVERIFY(exchange);
        m_held.clear();
        ByteFault hold{ByteFault::Part::Body, 2, ByteFault::Kind::Hold};
        hold.reached = [] {};
        exchange->answer(response(), hold);
        QTRY_COMPARE(peer.received().size(), whole().size() - QByteArray(kBody).size() + 2);
    }
    QTRY_COMPARE(peer.ending(), Ending::Fin);
}

QTEST_GUILESS_MAIN(TestWireFaults)
#include "tst_wire_faults.moc"
