// A shop at https: its certificate is judged before a byte of a request leaves, and nothing switches that off.
#include "core/transport/raw_server.h"
#include "core/transport/wire_bench.h"
#include "retry/outcome.h"

#include <QtNetwork/QSslSocket>
#include <QtTest/QTest>

#include <functional>
#include <map>
#include <memory>

using namespace payonce;
using namespace payonce::retry_tests;
using namespace payonce::wiretest;
using retry::OutcomeKind;
using retry::TransportError;

class TlsTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void init();

    void trustedAuthority_isPaidAt();
    void untrustedCertificate_isSentNothing_data();
    void untrustedCertificate_isSentNothing();
    void untrustedShop_getsNoCard();
    void verification_cannotBeSwitchedOff();
    void unsetConfiguration_trustsTheSystem();
    void plainHttpBehindHttps_isSentNothing();

private:
    void listenAs(const std::optional<Identity>& identity);
    [[nodiscard]] transport::HttpTransport transportWith(const QSslConfiguration& tls) const;

    std::optional<TestAuthority> m_authority;
    std::optional<TestAuthority> m_stranger;
    std::unique_ptr<RawServer> m_server;
};

namespace {

retry::Card aCard()
{
    return {.number = "4242424242424242", .expiryMonth = 12, .expiryYear = 2031, .securityCode = "123"};
}

const QString kThisHost = QStringLiteral("IP:127.0.0.1");

} // namespace

void TlsTest::initTestCase()
{
    m_authority = TestAuthority::make();
    m_stranger = TestAuthority::make();
    QVERIFY2(m_authority && m_stranger, "the openssl program made no certificate");
}

void TlsTest::init()
{
    failOnWarnings();
}

/// Whoever gets through is paid.
void TlsTest::listenAs(const std::optional<Identity>& identity)
{
    QVERIFY(identity);
    m_server = std::make_unique<RawServer>(identity);
    m_server->setReaction({.bytes = wholeAnswer(200, paidBody())});
}

transport::HttpTransport TlsTest::transportWith(const QSslConfiguration& tls) const
{
    return transport::HttpTransport({.base = m_server->url(), .token = "secret", .tls = tls}, retry::Numbers{});
}

void TlsTest::trustedAuthority_isPaidAt()
{
    listenAs(m_authority->issue(kThisHost));
    auto transport = transportWith(trusting(m_authority->certificate()));

    const auto posted = postOnce(transport);
    const auto probed = probeOnce(transport);

    QVERIFY(posted && probed);
    QCOMPARE(classifyPost(*posted, anId(), anAmount()).kind, OutcomeKind::Final);
    QCOMPARE(classifyProbe(*probed, anId(), anAmount()).kind, OutcomeKind::Final);
    QCOMPARE(m_server->posts(), 1);
}

void TlsTest::untrustedCertificate_isSentNothing_data()
{
    QTest::addColumn<QString>("who");

    for (const char* who :
         {"signed by itself", "signed by a stranger", "ended yesterday", "for another host", "for another IP"}) {
        QTest::newRow(who) << QString::fromLatin1(who);
    }
}

void TlsTest::untrustedCertificate_isSentNothing()
{
    QFETCH(const QString, who);
    const std::map<QString, std::function<std::optional<Identity>()>> makers = {
        {QStringLiteral("signed by itself"), [] { return makeIdentity(); }},
        {QStringLiteral("signed by a stranger"), [this] { return m_stranger->issue(kThisHost); }},
        {QStringLiteral("ended yesterday"), [this] { return m_authority->issue(kThisHost, -1); }},
        {QStringLiteral("for another host"), [this] { return m_authority->issue(QStringLiteral("DNS:shop.example")); }},
        {QStringLiteral("for another IP"), [this] { return m_authority->issue(QStringLiteral("IP:127.0.0.2")); }},
    };
    listenAs(makers.at(who)());
    auto transport = transportWith(trusting(m_authority->certificate()));

    const auto posted = postOnce(transport);
    const auto probed = probeOnce(transport);

    QVERIFY(posted && probed);
    QCOMPARE(nameOf(posted->error), nameOf(TransportError::TlsFailed));
    QCOMPARE(posted->bytesTaken, 0);
    QCOMPARE(classifyPost(*posted, anId(), anAmount()).kind, OutcomeKind::NotSent);
    QCOMPARE(nameOf(probed->error), nameOf(TransportError::TlsFailed));
    QCOMPARE(classifyProbe(*probed, anId(), anAmount()).kind, OutcomeKind::Unknown);
    QCOMPARE(m_server->arrivals().size(), 0);
}

void TlsTest::untrustedShop_getsNoCard()
{
    listenAs(m_stranger->issue(kThisHost));
    auto transport = transportWith(trusting(m_authority->certificate()));
    std::optional<retry::ExchangeResult> exchanged;

    transport.exchangeCard(aCard(), [&exchanged](const retry::ExchangeResult& ended) { exchanged = ended; });

    QTRY_VERIFY(exchanged);
    QVERIFY(exchanged->kind == retry::ExchangeResult::Kind::Failed);
    QCOMPARE(m_server->arrivals().size(), 0);
}

void TlsTest::verification_cannotBeSwitchedOff()
{
    listenAs(m_stranger->issue(kThisHost));
    for (const auto mode : {QSslSocket::VerifyNone, QSslSocket::QueryPeer}) {
        QSslConfiguration careless = trusting(m_authority->certificate());
        careless.setPeerVerifyMode(mode);
        auto transport = transportWith(careless);

        const auto posted = postOnce(transport);

        QVERIFY(posted);
        QCOMPARE(nameOf(posted->error), nameOf(TransportError::TlsFailed));
        QCOMPARE(posted->bytesTaken, 0);
        QCOMPARE(m_server->arrivals().size(), 0);
    }
}

/// An address that says nothing about TLS is no address that trusts everybody, nor one that trusts nobody.
void TlsTest::unsetConfiguration_trustsTheSystem()
{
    listenAs(m_authority->issue(kThisHost));
    const QSslConfiguration before = QSslConfiguration::defaultConfiguration();
    auto refused = transportWith({});
    const auto atFirst = postOnce(refused);
    QSslConfiguration::setDefaultConfiguration(trusting(m_authority->certificate()));
    auto accepted = transportWith({});

    const auto later = postOnce(accepted);

    QSslConfiguration::setDefaultConfiguration(before);
    QVERIFY(atFirst && later);
    QCOMPARE(nameOf(atFirst->error), nameOf(TransportError::TlsFailed));
    QCOMPARE(classifyPost(*later, anId(), anAmount()).kind, OutcomeKind::Final);
}

void TlsTest::plainHttpBehindHttps_isSentNothing()
{
    m_server = std::make_unique<RawServer>();
    m_server->setReaction({.bytes = wholeAnswer(200, paidBody())});
    QUrl url = m_server->url();
    url.setScheme(QStringLiteral("https"));
    retry::Numbers numbers;
    numbers.connectLimit = std::chrono::milliseconds(200);
    transport::HttpTransport transport({.base = url, .token = "secret", .tls = {}}, numbers);

    const auto posted = postOnce(transport);

    QVERIFY(posted);
    QCOMPARE(posted->bytesTaken, 0);
    QCOMPARE(classifyPost(*posted, anId(), anAmount()).kind, OutcomeKind::NotSent);
    QCOMPARE(m_server->arrivals().size(), 0);
}

QTEST_GUILESS_MAIN(TlsTest)
#include "tst_tls.moc"
