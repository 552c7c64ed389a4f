// A thousand clients that do nothing, and a server without files to spare, beside one customer who pays.
#include "server_mock/hell/hell_request.h"
#include "server_mock/hell/hell_server.h"
#include "server_mock/http/raw_peer.h"

#include <QtCore/QDir>
#include <QtCore/QElapsedTimer>
#include <QtCore/QRegularExpression>
#include <QtTest/QTest>

#include <sys/resource.h>

#include <algorithm>
#include <vector>

using namespace payonce::tests;
using Ending = RawPeer::Ending;

class TestCrowd : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    void thousandClientsThatDoNothing_doNotStopThePayment_data();
    void thousandClientsThatDoNothing_doNotStopThePayment();
    void serverWithoutFiles_goesOnPayingAndComesBack();
};

void TestCrowd::thousandClientsThatDoNothing_doNotStopThePayment_data()
{
    QTest::addColumn<QByteArray>("start");
    QTest::newRow("idle") << QByteArray();
    QTest::newRow("half a head") << QByteArray("POST /v1/payments HTTP/1.1\r\nHost: sh");
    QTest::newRow("half a body") << QByteArray("POST /v1/payments HTTP/1.1\r\nHost: shop\r\nContent-Length: 200000\r\n\r\n{");
}

void TestCrowd::thousandClientsThatDoNothing_doNotStopThePayment()
{
    QFETCH(QByteArray, start);
    constexpr std::size_t kClients = 1'000;
    rlimit files{};
    QCOMPARE(::getrlimit(RLIMIT_NOFILE, &files), 0);
    files.rlim_cur = std::min<rlim_t>(files.rlim_max, 4 * kClients);
    QCOMPARE(::setrlimit(RLIMIT_NOFILE, &files), 0);
    HellServer server;
    QVERIFY(server.start());

    std::vector<RawPeer> crowd;
    crowd.reserve(kClients);
    while (crowd.size() < kClients) {
        crowd.emplace_back(server.port());
        if (!crowd.back().isConnected())
            QSKIP("This machine allows fewer open files.");
        QCOMPARE(crowd.back().send(start), start.size());
    }
    QElapsedTimer timer;
    timer.start();
    QCOMPARE(server.payOnce(), 201);
    QVERIFY2(timer.elapsed() < 5'000, qPrintable(QString::number(timer.elapsed())));
    QCOMPARE(server.charges(), 1);
    QVERIFY(std::all_of(crowd.begin(), crowd.end(), [](RawPeer& peer) { return peer.ending() == Ending::Open; }));
    crowd.clear();
    QCOMPARE(server.payOnce(), 201);
    server.process().stop();
    QCOMPARE(server.process().exitCode(), 0);
}

void TestCrowd::serverWithoutFiles_goesOnPayingAndComesBack()
{
#ifdef __SANITIZE_ADDRESS__
    QSKIP("The sanitizers look at memory through a pipe, and call all of it broken once they can open none.");
#endif
    constexpr int kSpare = 20;
    HellServer server;
    QVERIFY(server.start());
    RawPeer early(server.port());
    early.send("GET /healthz HTTP/1.1\r\nHost: shop\r\n\r\n");
    QTRY_VERIFY(early.received().startsWith("HTTP/1.1 200 "));

    // Given a server that may open twenty files more, and forty clients
    const auto pid = static_cast<pid_t>(server.process().pid());
    const auto open = QDir(QStringLiteral("/proc/%1/fd").arg(pid)).entryList(QDir::AllEntries | QDir::NoDotAndDotDot).size();
    rlimit before{};
    const rlimit few{static_cast<rlim_t>(open) + kSpare, static_cast<rlim_t>(open) + kSpare};
    QCOMPARE(::prlimit(pid, RLIMIT_NOFILE, &few, &before), 0);
    std::vector<RawPeer> crowd;
    for (int i = 0; i < 2 * kSpare; ++i)
        crowd.emplace_back(server.port()).send("GET /healthz HTTP/1.1\r\nHost: shop\r\n\r\n");
    const auto answered = [&crowd] {
        return std::count_if(crowd.begin(), crowd.end(), [](RawPeer& peer) { return !peer.received().isEmpty(); });
    };
    QTRY_VERIFY(answered() >= kSpare - 2);

    // Then who is in can pay,
    early.send(payment(server.sender(), keyLine(), goodBody(server.sender())));
    QTRY_VERIFY2_WITH_TIMEOUT(early.received().contains("HTTP/1.1 201 "), early.received(), 30'000);
    QVERIFY(answered() < 2 * kSpare);
    // and when others leave, those who waited are served
    std::for_each(crowd.begin(), crowd.begin() + kSpare, [](RawPeer& peer) { peer.close(); });
    QTRY_COMPARE(answered(), 2 * kSpare);
    crowd.clear();
    QCOMPARE(server.payOnce(), 201);
    QCOMPARE(server.charges(), 2);
}

QTEST_GUILESS_MAIN(TestCrowd)
#include "tst_crowd.moc"
