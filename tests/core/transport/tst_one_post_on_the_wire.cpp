// One attempt puts exactly one POST on the wire (docs/client.md, invariant 3), whatever the peer does. The twin shows that
// a plain QNetworkAccessManager::post() does not, and that this test can see it.
#include "core/transport/raw_server.h"
#include "core/transport/wire_bench.h"

#include <QtTest/QTest>

using namespace payonce;
using namespace payonce::wiretest;
using retry::TransportError;
using retry::WireResult;

class OnePostOnTheWireTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void init();

    void attempt_sendsOnePost_data();
    void attempt_sendsOnePost();
    void plainPost_sendsMore_data();
    void plainPost_sendsMore();
    void nothingTaken_data();
    void nothingTaken();

private:
    [[nodiscard]] transport::HttpTransport transportTo(const QUrl& url) const;
    [[nodiscard]] std::unique_ptr<RawServer> serverOf(const QString& scheme) const;

    std::optional<Identity> m_identity;
};

void OnePostOnTheWireTest::initTestCase()
{
    m_identity = makeIdentity();
    QVERIFY2(m_identity, "the openssl program made no certificate");
}

void OnePostOnTheWireTest::init()
{
    failOnWarnings();
}

transport::HttpTransport OnePostOnTheWireTest::transportTo(const QUrl& url) const
{
    return transport::HttpTransport({.base = url, .token = "secret", .tls = trusting(m_identity->certificate)},
                                    retry::Numbers{});
}

std::unique_ptr<RawServer> OnePostOnTheWireTest::serverOf(const QString& scheme) const
{
    return std::make_unique<RawServer>(scheme == QLatin1String("https") ? m_identity : std::nullopt);
}

namespace {

struct Fault
{
    const char* name;
    Reaction reaction;
};

QList<Fault> faults()
{
    const QByteArray redirect = "Location: /elsewhere\r\n";
    return {
        {"closes after the request", {.bytes = {}, .ending = Ending::Close}},
        {"closes after the head", {.bytes = {}, .ending = Ending::Close, .moment = Moment::AfterHead}},
        {"resets after the request", {.bytes = {}, .ending = Ending::Reset}},
        {"resets after the head", {.bytes = {}, .ending = Ending::Reset, .moment = Moment::AfterHead}},
        {"half-closes", {.bytes = {}, .ending = Ending::HalfClose}},
        {"cuts the status line, closes", {.bytes = "HTTP/1.1 20", .ending = Ending::Close}},
        {"cuts the status line, resets", {.bytes = "HTTP/1.1 20", .ending = Ending::Reset}},
        {"cuts the head", {.bytes = "HTTP/1.1 201 Created\r\nContent-Le", .ending = Ending::Close}},
        {"cuts the body", {.bytes = "HTTP/1.1 201 Created\r\nContent-Length: 99\r\n\r\n{", .ending = Ending::Close}},
        {"sends garbage", {.bytes = QByteArray("\x01\x02 no HTTP at all \r\n\r\n"), .ending = Ending::Close}},
        {"redirects with 307", {.bytes = wholeAnswer(307, "{}", redirect), .ending = Ending::KeepOpen}},
        {"redirects with 308 and closes", {.bytes = wholeAnswer(308, "{}", redirect), .ending = Ending::Close}},
        {"asks to sign in",
         {.bytes = wholeAnswer(401, "{}", "WWW-Authenticate: Basic realm=\"x\"\r\n"), .ending = Ending::KeepOpen}},
        {"fails with 500 and closes", {.bytes = wholeAnswer(500, "{}"), .ending = Ending::Close}},
    };
}

} // namespace

void OnePostOnTheWireTest::attempt_sendsOnePost_data()
{
    QTest::addColumn<QString>("scheme");
    QTest::addColumn<bool>("onReusedConnection");
    QTest::addColumn<int>("fault");

    const QList<Fault> all = faults();
    for (const char* scheme : {"http", "https"}) {
        for (const bool isReused : {false, true}) {
            for (int index = 0; index < all.size(); ++index) {
                QTest::addRow("%s, %s connection, %s", scheme, isReused ? "reused" : "fresh", all.at(index).name)
                    << QString::fromLatin1(scheme) << isReused << index;
            }
        }
    }
}

void OnePostOnTheWireTest::attempt_sendsOnePost()
{
    QFETCH(const QString, scheme);
    QFETCH(const bool, onReusedConnection);
    QFETCH(const int, fault);
    const auto server = serverOf(scheme);
    auto transport = transportTo(server->url());
    server->setReaction({.bytes = wholeAnswer(201, "{}")});
    if (onReusedConnection) {
        QVERIFY(postOnce(transport)->complete);
    }
    const int before = server->posts();
    server->setReaction(faults().at(fault).reaction);

    const std::optional<WireResult> result = postOnce(transport);

    QVERIFY(result);
    QVERIFY(result->bytesTaken > 0);
    // A probe on the same server shows that all that was sent has arrived.
    server->setReaction({.bytes = wholeAnswer(200, "{}")});
    QVERIFY(probeOnce(transport)->complete);
    QCOMPARE(server->posts() - before, 1);
    QVERIFY(!onReusedConnection || server->arrivals().at(0).connection == server->arrivals().at(1).connection);
}

void OnePostOnTheWireTest::plainPost_sendsMore_data()
{
    QTest::addColumn<QString>("scheme");
    QTest::addColumn<int>("ending");

    for (const char* scheme : {"http", "https"}) {
        QTest::addRow("%s, closed", scheme) << QString::fromLatin1(scheme) << static_cast<int>(Ending::Close);
        QTest::addRow("%s, reset", scheme) << QString::fromLatin1(scheme) << static_cast<int>(Ending::Reset);
    }
}

void OnePostOnTheWireTest::plainPost_sendsMore()
{
    QFETCH(const QString, scheme);
    QFETCH(const int, ending);
    const auto server = serverOf(scheme);
    server->setReaction({.bytes = {}, .ending = static_cast<Ending>(ending)});
    QNetworkAccessManager manager;
    QNetworkRequest request(server->url().resolved(QUrl(QStringLiteral("/v1/payments"))));
    request.setSslConfiguration(trusting(m_identity->certificate));
    request.setHeader(QNetworkRequest::ContentTypeHeader, QStringLiteral("application/json"));

    const std::unique_ptr<QNetworkReply> reply(manager.post(request, QByteArray::fromStdString(aPost().body)));

    QTRY_VERIFY_WITH_TIMEOUT(reply->isFinished(), kPatience);
    QVERIFY2(server->posts() > 1, qPrintable(QStringLiteral("%1 POSTs").arg(server->posts())));
}

void OnePostOnTheWireTest::nothingTaken_data()
{
    QTest::addColumn<QString>("how");

    QTest::newRow("refused") << "refused";
    QTest::newRow("unknown host") << "unknown host";
    QTest::newRow("untrusted certificate") << "untrusted certificate";
    QTest::newRow("no connection in time") << "no connection in time";
}

void OnePostOnTheWireTest::nothingTaken()
{
    QFETCH(const QString, how);
    auto server = serverOf(QStringLiteral("http"));
    transport::ShopAddress address{.base = server->url(), .token = "secret", .tls = {}};
    retry::Numbers numbers;
    TransportError expected = TransportError::ConnectionRefused;
    if (how == QLatin1String("refused")) {
        server->close();
    } else if (how == QLatin1String("unknown host")) {
        address.base = QUrl(QStringLiteral("http://no-such-host.invalid/"));
        expected = TransportError::HostNotFound;
    } else if (how == QLatin1String("untrusted certificate")) {
        server = serverOf(QStringLiteral("https"));
        address.base = server->url();
        address.tls = QSslConfiguration::defaultConfiguration();
        expected = TransportError::TlsFailed;
    } else {
        // A TLS client waits for a peer that never says a word.
        address.base.setScheme(QStringLiteral("https"));
        numbers.connectLimit = std::chrono::milliseconds(200);
        expected = TransportError::Timeout;
    }
    transport::HttpTransport transport(address, numbers);

    const std::optional<WireResult> result = postOnce(transport);

    QVERIFY(result);
    QCOMPARE(result->bytesTaken, 0);
    QCOMPARE(retry::nameOf(result->error), retry::nameOf(expected));
    QVERIFY(!result->status);
    QCOMPARE(server->posts(), 0);
}

QTEST_GUILESS_MAIN(OnePostOnTheWireTest)
#include "tst_one_post_on_the_wire.moc"
