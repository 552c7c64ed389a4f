// Every bound of a listener, reached.
#include "server_mock/http/echo_server.h"
#include "server_mock/http/raw_peer.h"

#include <QtCore/QAbstractEventDispatcher>
#include <QtCore/QTimer>
#include <QtTest/QTest>

#include <sys/resource.h>
#include <unistd.h>

#include <vector>

using namespace std::chrono_literals;
using payonce::http::Limits;
using payonce::tests::EchoServer;
using payonce::tests::get;
using payonce::tests::RawPeer;
using payonce::tests::saying;
using Ending = payonce::tests::RawPeer::Ending;

class TestListenerLimits : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    void bytesBehindARequestInFlight_areBounded();
    void refusedUpload_canReadTheProblem();
    void slowRequest_getsTimeoutThenClose_data();
    void slowRequest_getsTimeoutThenClose();
    void drippingRequest_getsNoMoreTime_data();
    void drippingRequest_getsNoMoreTime();
    void idleConnection_isClosed();
    void clientThatNeverReads_isReset();
    void connectionsBeyondTheLimit_areClosed();
    void requestsBeyondTheHeldLimit_getRateLimited();
    void requestAnsweredAtOnce_isServedBeyondTheHeldLimit();
    void thousandIdleConnections_doNotStopTheNextRequest();
    void missingFiles_areSurvived();
    void missingFiles_areNotAskedForWithoutPause();
};

void TestListenerLimits::bytesBehindARequestInFlight_areBounded()
{
    EchoServer server;
    RawPeer peer(server.listener.port());
    peer.send(get("/hold"));
    QTRY_COMPARE(server.echo.held.size(), std::size_t(1));
    // When the client sends without end, it is stopped by TCP: 64 KiB and the kernel's buffers, not our memory
    const QByteArray junk(1024 * 1024, 'x');
    qsizetype taken = 0;
    qsizetype last = -1;
    const auto isStopped = [&] {
        last = peer.send(junk);
        taken += last;
        return last == 0;
    };
    QTRY_VERIFY_WITH_TIMEOUT(isStopped() && isStopped(), 10'000);
    QVERIFY(taken < 64 * 1024 * 1024);
    QCOMPARE(server.echo.count, 1);
}

void TestListenerLimits::refusedUpload_canReadTheProblem()
{
    // Given a client that goes on sending what was refused
    EchoServer server;
    RawPeer peer(server.listener.port());
    peer.send("POST /a HTTP/1.1\r\nHost: shop\r\nContent-Length: 500000\r\n\r\n");
    const QByteArray upload(500'000, 'x');
    qsizetype sent = 0;
    const auto sendOn = [&] { return (sent += peer.send(upload.sliced(sent))) == upload.size(); };
    QTRY_VERIFY(sendOn());
    // Then it still gets the answer, and a FIN, not a reset
    QTRY_COMPARE(peer.ending(), Ending::Fin);
    QVERIFY(peer.received().startsWith("HTTP/1.1 413 "));
}

void TestListenerLimits::slowRequest_getsTimeoutThenClose_data()
{
    QTest::addColumn<QByteArray>("start");
    QTest::newRow("half a head") << QByteArray("GET /a HTTP/1.1\r\nHo");
    QTest::newRow("half a body") << QByteArray("POST /a HTTP/1.1\r\nHost: shop\r\nContent-Length: 9\r\n\r\n{");
}

void TestListenerLimits::slowRequest_getsTimeoutThenClose()
{
    QFETCH(QByteArray, start);
    Limits limits;
    limits.request = 200ms;
    EchoServer server(limits);
    RawPeer peer(server.listener.port());
    peer.send(start);
    QTRY_COMPARE(peer.ending(), Ending::Fin);
    QVERIFY(peer.received().startsWith("HTTP/1.1 408 Request Timeout\r\n"));
    QVERIFY(peer.received().contains(R"("code":"timeout")"));
}

void TestListenerLimits::drippingRequest_getsNoMoreTime_data()
{
    QTest::addColumn<QByteArray>("start");
    QTest::addColumn<QByteArray>("drop");
    QTest::newRow("head") << QByteArray("GET /a HTTP/1.1\r\nHost: shop\r\nA: ") << QByteArray("x");
    QTest::newRow("empty lines") << QByteArray("\r\n") << QByteArray("\r\n");
    QTest::newRow("body") << QByteArray("POST /a HTTP/1.1\r\nHost: shop\r\nContent-Length: 90000\r\n\r\n") << QByteArray("x");
}

void TestListenerLimits::drippingRequest_getsNoMoreTime()
{
    QFETCH(QByteArray, start);
    QFETCH(QByteArray, drop);
    Limits limits;
    limits.request = 200ms;
    limits.idle = 200ms;
    EchoServer server(limits);
    RawPeer peer(server.listener.port());
    peer.send(start);
    // Given a client that sends a little at every look
    const auto isEnded = [&] {
        peer.send(drop);
        return peer.ending() == Ending::Fin;
    };
    QTRY_VERIFY(isEnded());
    QVERIFY(peer.received().startsWith("HTTP/1.1 408 Request Timeout\r\n"));
    QCOMPARE(server.echo.count, 0);
}

void TestListenerLimits::idleConnection_isClosed()
{
    Limits limits;
    limits.idle = 200ms;
    EchoServer server(limits);
    RawPeer peer(server.listener.port());
    QTRY_COMPARE(peer.ending(), Ending::Fin);
    QCOMPARE(peer.received(), QByteArray());
    peer.close();
    QTRY_COMPARE(server.listener.connectionCount(), 0);
}

void TestListenerLimits::clientThatNeverReads_isReset()
{
    Limits limits;
    limits.take = 300ms;
    EchoServer server(limits);
    RawPeer peer(server.listener.port());
    peer.send(get("/hold"));
    QTRY_COMPARE(server.echo.held.size(), std::size_t(1));
    server.echo.held.front()->answer(saying(QByteArray(32 * 1024 * 1024, 'x')));
    QTRY_COMPARE(server.listener.connectionCount(), 0);
    QTRY_COMPARE(peer.ending(), Ending::Reset);
}

void TestListenerLimits::connectionsBeyondTheLimit_areClosed()
{
    Limits limits;
    limits.connections = 2;
    EchoServer server(limits);
    RawPeer first(server.listener.port());
    RawPeer second(server.listener.port());
    QTRY_COMPARE(server.listener.connectionCount(), 2);
    RawPeer third(server.listener.port());
    QTRY_COMPARE(third.ending(), Ending::Fin);
    first.send(get("/a"));
    QTRY_VERIFY(first.received().endsWith("/a"));
    // When one leaves, there is room again
    second.close();
    QTRY_COMPARE(server.listener.connectionCount(), 1);
    RawPeer fourth(server.listener.port());
    fourth.send(get("/b"));
    QTRY_VERIFY(fourth.received().endsWith("/b"));
}

void TestListenerLimits::requestsBeyondTheHeldLimit_getRateLimited()
{
    Limits limits;
    limits.held = 1;
    EchoServer server(limits);
    RawPeer first(server.listener.port());
    first.send(get("/hold"));
    QTRY_COMPARE(server.echo.held.size(), std::size_t(1));
    RawPeer second(server.listener.port());
    second.send(get("/a"));
    QTRY_COMPARE(second.ending(), Ending::Fin);
    QVERIFY(second.received().startsWith("HTTP/1.1 429 "));
    QVERIFY(second.received().contains("Retry-After: 1\r\n"));
}

void TestListenerLimits::requestAnsweredAtOnce_isServedBeyondTheHeldLimit()
{
    Limits limits;
    limits.held = 1;
    EchoServer server(limits);
    server.listener.serveAlways([](const payonce::http::Request& request) { return request.path == "/healthz"; });
    RawPeer first(server.listener.port());
    first.send(get("/hold"));
    QTRY_COMPARE(server.echo.held.size(), std::size_t(1));
    RawPeer second(server.listener.port());
    second.send(get("/healthz"));
    QTRY_VERIFY(second.received().endsWith("/healthz"));
    QVERIFY(second.received().startsWith("HTTP/1.1 200 "));
    second.send(get("/a"));
    QTRY_VERIFY(second.received().contains("HTTP/1.1 429 "));
}

void TestListenerLimits::thousandIdleConnections_doNotStopTheNextRequest()
{
    constexpr std::size_t kIdle = 1'000;
    EchoServer server; // raises the limit of open files for this test's own sockets too
    std::vector<RawPeer> idle;
    idle.reserve(kIdle);
    while (idle.size() < kIdle) {
        idle.emplace_back(server.listener.port());
        if (!idle.back().isConnected())
            QSKIP("This machine allows fewer open files.");
        if (idle.size() % 100 == 0)
            QTRY_COMPARE(server.listener.connectionCount(), static_cast<int>(idle.size()));
    }
    RawPeer peer(server.listener.port());
    peer.send(get("/next"));
    QTRY_VERIFY_WITH_TIMEOUT(peer.received().endsWith("/next"), 1'000);
    idle.front().send(get("/first"));
    QTRY_VERIFY(idle.front().received().endsWith("/first"));
}

void TestListenerLimits::missingFiles_areSurvived()
{
    Limits limits;
    limits.linger = 100ms; // a fast tick
    EchoServer server(limits);
    rlimit before{};
    QCOMPARE(::getrlimit(RLIMIT_NOFILE, &before), 0);
    RawPeer peer(server.listener.port());
    RawPeer waiting(server.listener.port());
    // Given no more files than are open already: the two connections cannot be accepted
    const int nextFile = ::dup(0);
    ::close(nextFile);
    rlimit none = before;
    none.rlim_cur = static_cast<rlim_t>(nextFile);
    QCOMPARE(::setrlimit(RLIMIT_NOFILE, &none), 0);
    peer.send(get("/a"));
    waiting.send(get("/b"));
    QCoreApplication::processEvents();
    QCOMPARE(server.echo.count, 0);
    // When there is room again, they are served
    QCOMPARE(::setrlimit(RLIMIT_NOFILE, &before), 0);
    QTRY_VERIFY(peer.received().endsWith("/a"));
    QTRY_VERIFY(waiting.received().endsWith("/b"));
}

void TestListenerLimits::missingFiles_areNotAskedForWithoutPause()
{
    constexpr int kLooks = 20;
    EchoServer server;
    rlimit before{};
    QCOMPARE(::getrlimit(RLIMIT_NOFILE, &before), 0);
    RawPeer peer(server.listener.port());
    const int nextFile = ::dup(0);
    ::close(nextFile);
    rlimit none = before;
    none.rlim_cur = static_cast<rlim_t>(nextFile);
    QCOMPARE(::setrlimit(RLIMIT_NOFILE, &none), 0);
    // When a connection cannot be accepted for twenty looks of a slow clock
    int looks = 0;
    int turns = 0;
    QTimer clock;
    QObject::connect(&clock, &QTimer::timeout, &clock, [&looks] { ++looks; });
    QObject::connect(QAbstractEventDispatcher::instance(), &QAbstractEventDispatcher::awake, &clock, [&turns] { ++turns; });
    clock.start(10ms);
    QTRY_VERIFY(looks >= kLooks);
    QCOMPARE(::setrlimit(RLIMIT_NOFILE, &before), 0);
    // Then the event loop slept in between: a loop that spins turns thousands of times
    QVERIFY2(turns < 10 * kLooks, qPrintable(QString::number(turns)));
    peer.send(get("/a"));
    QTRY_VERIFY(peer.received().endsWith("/a"));
}

QTEST_GUILESS_MAIN(TestListenerLimits)
#include "tst_listener_limits.moc"
