// The proxy of the system (here: of the environment) is used for shops elsewhere, never for one on this machine, and gets
// no more than it has to.
#include "core/transport/raw_server.h"
#include "core/transport/wire_bench.h"
#include "retry/outcome.h"

#include <QtTest/QTest>

#include <memory>

using namespace payonce;
using namespace payonce::retry_tests;
using namespace payonce::wiretest;
using retry::OutcomeKind;

Q_DECLARE_METATYPE(payonce::retry::OutcomeKind)
Q_DECLARE_METATYPE(payonce::wiretest::Reaction)

class SystemProxyTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanupTestCase();

    void shopOnThisMachine_isAskedDirectly_data();
    void shopOnThisMachine_isAskedDirectly();
    void shopElsewhere_isPaidThroughTheProxyOnce_data();
    void shopElsewhere_isPaidThroughTheProxyOnce();
    void tunnelThatFails_isSentNothing_data();
    void tunnelThatFails_isSentNothing();
    void proxyThatIsAway_isSentNothing_data();
    void proxyThatIsAway_isSentNothing();

private:
    std::unique_ptr<RawServer> m_proxy;
};

namespace {

/// No name server is asked: names are the proxy's business.
const QString kElsewhere = QStringLiteral("http://shop.example");
const QString kElsewhereSafely = QStringLiteral("https://shop.example");

transport::HttpTransport transportTo(const QString& url)
{
    return transport::HttpTransport({.base = QUrl(url), .token = "secret", .tls = {}}, retry::Numbers{});
}

} // namespace

void SystemProxyTest::init()
{
    failOnWarnings();
    m_proxy = std::make_unique<RawServer>();
    for (const char* name : {"http_proxy", "https_proxy"}) {
        QVERIFY(qputenv(name, m_proxy->url().toEncoded()));
    }
    for (const char* name : {"no_proxy", "NO_PROXY", "HTTP_PROXY", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"}) {
        qunsetenv(name);
    }
}

void SystemProxyTest::cleanupTestCase()
{
    qunsetenv("http_proxy");
    qunsetenv("https_proxy");
}

void SystemProxyTest::shopOnThisMachine_isAskedDirectly_data()
{
    QTest::addColumn<QString>("host");

    QTest::newRow("address") << "127.0.0.1";
    QTest::newRow("name") << "localhost";
}

void SystemProxyTest::shopOnThisMachine_isAskedDirectly()
{
    QFETCH(const QString, host);
    RawServer shop;
    shop.setReaction({.bytes = wholeAnswer(200, paidBody())});
    QUrl url = shop.url();
    url.setHost(host);
    auto transport = transportTo(url.toString());

    QVERIFY(postOnce(transport)->complete);
    QVERIFY(probeOnce(transport)->complete);

    QCOMPARE(shop.arrivals().size(), 2);
    QCOMPARE(m_proxy->arrivals().size(), 0);
}

void SystemProxyTest::shopElsewhere_isPaidThroughTheProxyOnce_data()
{
    QTest::addColumn<Reaction>("reaction");
    QTest::addColumn<OutcomeKind>("kind");

    const QByteArray challenge = "Proxy-Authenticate: Basic realm=\"x\"\r\n";
    QTest::newRow("hands on") << Reaction{.bytes = wholeAnswer(200, paidBody())} << OutcomeKind::Final;
    QTest::newRow("asks who we are") << Reaction{.bytes = wholeAnswer(407, paidBody(), challenge)} << OutcomeKind::Unknown;
    QTest::newRow("finds no shop") << Reaction{.bytes = wholeAnswer(502, "<html>")} << OutcomeKind::Unknown;
    QTest::newRow("closes") << Reaction{.bytes = {}, .ending = Ending::Close} << OutcomeKind::Unknown;
    QTest::newRow("resets") << Reaction{.bytes = {}, .ending = Ending::Reset} << OutcomeKind::Unknown;
}

void SystemProxyTest::shopElsewhere_isPaidThroughTheProxyOnce()
{
    QFETCH(const Reaction, reaction);
    QFETCH(const OutcomeKind, kind);
    m_proxy->setReaction(reaction);
    auto transport = transportTo(kElsewhere);

    const auto posted = postOnce(transport);

    QVERIFY(posted);
    QCOMPARE(classifyPost(*posted, anId(), anAmount()).kind, kind);
    m_proxy->setReaction({.bytes = wholeAnswer(200, paidBody())});
    QVERIFY(probeOnce(transport)->complete);
    QCOMPARE(m_proxy->posts(), 1);
    QVERIFY(m_proxy->arrivals().front().head.startsWith("POST http://shop.example/v1/payments HTTP/1.1\r\n"));
}

void SystemProxyTest::tunnelThatFails_isSentNothing_data()
{
    QTest::addColumn<Reaction>("reaction");

    const QByteArray challenge = "Proxy-Authenticate: Basic realm=\"x\"\r\n";
    QTest::newRow("asks who we are") << Reaction{.bytes = wholeAnswer(407, "", challenge)};
    QTest::newRow("forbids") << Reaction{.bytes = wholeAnswer(403, "")};
    QTest::newRow("finds no shop") << Reaction{.bytes = wholeAnswer(502, "")};
    QTest::newRow("takes us to a page") << Reaction{.bytes = wholeAnswer(302, "<html>", "Location: http://127.0.0.1/\r\n")};
    QTest::newRow("speaks no HTTP") << Reaction{.bytes = "no\r\n\r\n", .ending = Ending::Close};
    QTest::newRow("closes") << Reaction{.bytes = {}, .ending = Ending::Close};
    QTest::newRow("resets") << Reaction{.bytes = {}, .ending = Ending::Reset};
    QTest::newRow("is no shop itself") << Reaction{.bytes = "HTTP/1.1 200 Fine\r\n\r\n", .ending = Ending::Close};
}

/// Inside the tunnel is TLS, so the proxy sees neither the token nor a byte of the body.
void SystemProxyTest::tunnelThatFails_isSentNothing()
{
    QFETCH(const Reaction, reaction);
    m_proxy->setReaction(reaction);
    auto transport = transportTo(kElsewhereSafely);

    const auto posted = postOnce(transport);

    QVERIFY(posted);
    QCOMPARE(posted->bytesTaken, 0);
    QCOMPARE(classifyPost(*posted, anId(), anAmount()).kind, OutcomeKind::NotSent);
    QCOMPARE(m_proxy->posts(), 0);
    QVERIFY(!m_proxy->arrivals().isEmpty());
    for (const Arrival& arrival : m_proxy->arrivals()) {
        QVERIFY(arrival.head.startsWith("CONNECT shop.example:443 HTTP/1.1\r\n"));
        QVERIFY(arrival.field("Authorization").isNull());
        QVERIFY(arrival.field("Idempotency-Key").isNull());
    }
}

void SystemProxyTest::proxyThatIsAway_isSentNothing_data()
{
    QTest::addColumn<QString>("shop");

    QTest::newRow("http") << kElsewhere;
    QTest::newRow("https") << kElsewhereSafely;
}

void SystemProxyTest::proxyThatIsAway_isSentNothing()
{
    QFETCH(const QString, shop);
    m_proxy->close();
    auto transport = transportTo(shop);

    const auto posted = postOnce(transport);

    QVERIFY(posted);
    QVERIFY(posted->error != retry::TransportError::None);
    QCOMPARE(posted->bytesTaken, 0);
    QCOMPARE(classifyPost(*posted, anId(), anAmount()).kind, OutcomeKind::NotSent);
}

QTEST_GUILESS_MAIN(SystemProxyTest)
#include "tst_system_proxy.moc"
