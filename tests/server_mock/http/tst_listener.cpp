// One listener against raw peers: connections, order, answers, and clients that leave.
#include "server_mock/http/echo_server.h"
#include "server_mock/http/raw_peer.h"

#include <QtTest/QTest>

#include <memory>

using payonce::http::Exchange;
using payonce::http::Listener;
using payonce::http::ListenError;
using payonce::tests::EchoServer;
using payonce::tests::get;
using payonce::tests::RawPeer;
using payonce::tests::saying;
using Ending = payonce::tests::RawPeer::Ending;

class TestListener : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    void answer_carriesLengthDigestAndDate();
    void connection_servesManyRequests();
    void pipelinedRequests_areAnsweredInOrder();
    void pipelinedFlood_isAnsweredWhole();
    void headRequest_getsTheHeadOfGetWithoutBody();
    void noContent_hasNoLengthAndNoBody();
    void closingClient_isClosedAfterTheAnswer_data();
    void closingClient_isClosedAfterTheAnswer();
    void expectingClient_isToldToContinue();
    void refusedRequest_getsProblemThenClose();
    void refusedRequest_echoesTheActionId();
    void clientThatLeaves_closesTheExchange();
    void secondAnswer_isNeverSent();
    void droppedExchange_closesTheConnection();
    void listenerGone_exchangeIsHarmless();
    void takenPort_isAnError();
};

void TestListener::answer_carriesLengthDigestAndDate()
{
    EchoServer server;
    QVERIFY(server.isListening);
    RawPeer peer(server.listener.port());
    peer.send(get("/hold"));
    QTRY_COMPARE(server.echo.held.size(), std::size_t(1));
    auto response = saying(R"({"a":1})");
    response.status = 201;
    response.headers = {{"Action-Id", "\"x\""}, {"Content-Length", "99"}, {"Bad\nName", "b"}, {"Bad-Value", "a\r\nB: c"}};
    server.echo.held.front()->answer(response);

    QTRY_VERIFY(peer.received().endsWith(R"({"a":1})"));
    const auto lines = peer.received().split('\n');
    QCOMPARE(lines.at(0), QByteArray("HTTP/1.1 201 Created\r"));
    QVERIFY(lines.at(1).startsWith("Date: ") && lines.at(1).endsWith(" GMT\r"));
    QCOMPARE(lines.at(2), QByteArray("Content-Type: application/json\r"));
    QCOMPARE(lines.at(3), QByteArray("Content-Length: 7\r"));
    // printf '{"a":1}' | openssl dgst -sha256 -binary | base64
    QCOMPARE(lines.at(4), QByteArray("Content-Digest: sha-256=:AVq9f1zFei3ZS3WQ8ErYCEJzkF7jPsXOvq5iJ2qX+GI=:\r"));
    QCOMPARE(lines.at(5), QByteArray("Action-Id: \"x\"\r"));
    QCOMPARE(lines.at(6), QByteArray("\r"));
}

void TestListener::connection_servesManyRequests()
{
    EchoServer server;
    RawPeer peer(server.listener.port());
    for (int i = 1; i <= 100; ++i) {
        peer.send(get("/" + QByteArray::number(i)));
        QTRY_COMPARE(server.echo.count, i);
        QTRY_VERIFY(peer.received().endsWith("\r\n/" + QByteArray::number(i)));
    }
    QCOMPARE(server.listener.connectionCount(), 1);
}

void TestListener::pipelinedRequests_areAnsweredInOrder()
{
    // Given a slow request with two fast ones behind it
    EchoServer server;
    RawPeer peer(server.listener.port());
    peer.send(get("/hold") + get("/two") + get("/three"));
    QTRY_COMPARE(server.echo.held.size(), std::size_t(1));
    QCOMPARE(server.echo.count, 1);
    // When the slow one is answered
    server.echo.held.front()->answer(saying("/one"));
    // Then the others follow
    QTRY_VERIFY(peer.received().endsWith("/three"));
    const auto one = peer.received().indexOf("\r\n/one");
    const auto two = peer.received().indexOf("\r\n/two");
    QVERIFY(one > 0 && one < two);
    QCOMPARE(server.echo.count, 3);
}

void TestListener::pipelinedFlood_isAnsweredWhole()
{
    constexpr int kRequests = 5'000;
    EchoServer server;
    RawPeer peer(server.listener.port());
    QByteArray flood;
    for (int i = 0; i < kRequests; ++i)
        flood += get("/" + QByteArray::number(i));
    qsizetype sent = 0;
    const auto sendOn = [&] {
        sent += peer.send(flood.sliced(sent));
        static_cast<void>(peer.received());
        return sent == flood.size();
    };
    QTRY_VERIFY(sendOn());
    QTRY_COMPARE(server.echo.count, kRequests);
    QTRY_VERIFY(peer.received().endsWith("/4999"));
    QCOMPARE(peer.received().count("HTTP/1.1 200 OK\r\n"), kRequests);
}

void TestListener::headRequest_getsTheHeadOfGetWithoutBody()
{
    EchoServer server;
    RawPeer peer(server.listener.port());
    peer.send("HEAD /abc HTTP/1.1\r\nHost: shop\r\n\r\n" + get("/next"));
    QTRY_VERIFY(peer.received().endsWith("/next"));
    QVERIFY(peer.received().contains("Content-Length: 4\r\n"));
    QVERIFY(!peer.received().contains("/abc"));
}

void TestListener::noContent_hasNoLengthAndNoBody()
{
    EchoServer server;
    RawPeer peer(server.listener.port());
    peer.send(get("/hold"));
    QTRY_COMPARE(server.echo.held.size(), std::size_t(1));
    auto response = saying("never sent");
    response.status = 204;
    server.echo.held.front()->answer(response);
    QTRY_VERIFY(peer.received().endsWith("\r\n\r\n"));
    QVERIFY(!peer.received().contains("Content-Length"));
    QVERIFY(
        peer.received().contains("Content-Digest: sha-256=:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=:\r\n")); // of nothing
}

void TestListener::closingClient_isClosedAfterTheAnswer_data()
{
    QTest::addColumn<QByteArray>("request");
    QTest::newRow("HTTP/1.0") << QByteArray("GET /a HTTP/1.0\r\n\r\n");
    QTest::newRow("Connection: close") << get("/a", "Connection: close\r\n");
    QTest::newRow("with bytes behind") << get("/a", "Connection: close\r\n") + get("/b");
}

void TestListener::closingClient_isClosedAfterTheAnswer()
{
    QFETCH(QByteArray, request);
    EchoServer server;
    RawPeer peer(server.listener.port());
    peer.send(request);
    QTRY_COMPARE(peer.ending(), Ending::Fin);
    QVERIFY(peer.received().contains("Connection: close\r\n"));
    QVERIFY(peer.received().endsWith("\r\n/a"));
    QCOMPARE(server.echo.count, 1);
}

void TestListener::expectingClient_isToldToContinue()
{
    EchoServer server;
    RawPeer peer(server.listener.port());
    peer.send("POST /a HTTP/1.1\r\nHost: shop\r\nContent-Length: 2\r\nExpect: 100-continue\r\n\r\n");
    QTRY_COMPARE(peer.received(), QByteArray("HTTP/1.1 100 Continue\r\n\r\n"));
    peer.send("{}");
    QTRY_VERIFY(peer.received().endsWith("/a"));
}

void TestListener::refusedRequest_getsProblemThenClose()
{
    EchoServer server;
    RawPeer peer(server.listener.port());
    peer.send("POST /a HTTP/1.1\r\nHost: shop\r\n\r\n");
    QTRY_COMPARE(peer.ending(), Ending::Fin);
    QVERIFY(peer.received().startsWith("HTTP/1.1 411 Length Required\r\n"));
    QVERIFY(peer.received().contains("Content-Type: application/problem+json\r\n"));
    QVERIFY(peer.received().contains(R"("code":"length-required")"));
    QCOMPARE(server.echo.count, 0);
}

void TestListener::refusedRequest_echoesTheActionId()
{
    EchoServer server;
    RawPeer peer(server.listener.port());
    peer.send("POST /a HTTP/1.1\r\nHost: shop\r\nIdempotency-Key: \"019ad400-7a11-7c3e-9f00-6b1f0a2c4d5e\"\r\n\r\n");
    QTRY_COMPARE(peer.ending(), Ending::Fin);
    QVERIFY(peer.received().contains("Action-Id: \"019ad400-7a11-7c3e-9f00-6b1f0a2c4d5e\"\r\n"));
    QVERIFY(peer.received().contains(R"("action_id":"019ad400-7a11-7c3e-9f00-6b1f0a2c4d5e")"));
}

void TestListener::clientThatLeaves_closesTheExchange()
{
    EchoServer server;
    RawPeer peer(server.listener.port());
    peer.send(get("/hold"));
    QTRY_COMPARE(server.echo.held.size(), std::size_t(1));
    auto& exchange = *server.echo.held.front();
    QVERIFY(exchange.isOpen());
    QCOMPARE(server.listener.heldCount(), 1);
    peer.close();
    QTRY_VERIFY(!exchange.isOpen());
    QTRY_COMPARE(server.listener.connectionCount(), 0);
    QCOMPARE(server.listener.heldCount(), 0);
    exchange.answer(saying("nobody hears it"));
    exchange.silence();
    exchange.end(payonce::http::End::Rst);
}

void TestListener::secondAnswer_isNeverSent()
{
    EchoServer server;
    RawPeer peer(server.listener.port());
    peer.send(get("/hold"));
    QTRY_COMPARE(server.echo.held.size(), std::size_t(1));
    auto& exchange = *server.echo.held.front();
    exchange.answer(saying("first"));
    QVERIFY(!exchange.isOpen());
    exchange.answer(saying("second"));
    exchange.end(payonce::http::End::Rst);
    peer.send(get("/next"));
    QTRY_VERIFY(peer.received().endsWith("/next"));
    QVERIFY(!peer.received().contains("second"));
}

void TestListener::droppedExchange_closesTheConnection()
{
    EchoServer server;
    RawPeer peer(server.listener.port());
    peer.send(get("/hold"));
    QTRY_COMPARE(server.echo.held.size(), std::size_t(1));
    server.echo.held.clear();
    QTRY_COMPARE(peer.ending(), Ending::Fin);
    QCOMPARE(peer.received(), QByteArray());
}

void TestListener::listenerGone_exchangeIsHarmless()
{
    std::shared_ptr<Exchange> held;
    auto listener = std::make_unique<Listener>([&held](auto exchange) { held = std::move(exchange); });
    QVERIFY(listener->listen(0));
    RawPeer peer(listener->port());
    peer.send(get("/a"));
    QTRY_VERIFY(held);
    listener.reset();
    QVERIFY(!held->isOpen());
    held->answer(saying("late"));
    held.reset();
    QTRY_VERIFY(peer.ending() != Ending::Open);
}

void TestListener::takenPort_isAnError()
{
    EchoServer server;
    Listener second([](const auto& /*exchange*/) {});
    const auto result = second.listen(server.listener.port());
    QVERIFY(!result);
    QCOMPARE(result.error(), ListenError::AddressInUse);
}

QTEST_GUILESS_MAIN(TestListener)
#include "tst_listener.moc"
