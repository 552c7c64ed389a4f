#include "core/transport/raw_server.h"
#include "transport/shop_client.h"

#include <QtTest/QTest>

using namespace payonce;
using namespace payonce::wiretest;
using transport::ShopError;
using transport::ShopFailure;

namespace {

const QByteArray kPolicy = R"({"server_id":"srv_1","account":"acct_1","retention":{"payment":"P30D","account":"P7D"},)"
                           R"("in_progress_max":"PT15S","keys":"uuidv7","time":"2026-11-30T10:00:00.000Z"})";
const QByteArray kCart = R"({"cart_id":"cart_1","lines":[{"name":"Field notebook","quantity":2,)"
                         R"("amount":{"value":3529,"currency":"EUR"}}],"tax":{"value":671,"currency":"EUR"},)"
                         R"("total":{"value":4200,"currency":"EUR"}})";

} // namespace

class ShopClientTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();

    void policy_isRead();
    void cart_isRead();
    void failure_data();
    void failure();
    void askingAgain_dropsTheOlderQuestion();

private:
    std::unique_ptr<RawServer> m_server;
    std::unique_ptr<transport::ShopClient> m_client;
};

void ShopClientTest::init()
{
    failOnWarnings();
    m_server = std::make_unique<RawServer>();
    retry::Numbers numbers;
    numbers.connectLimit = std::chrono::milliseconds(200);
    m_client = std::make_unique<transport::ShopClient>(
        transport::ShopAddress{.base = m_server->url(), .token = "secret", .tls = QSslConfiguration::defaultConfiguration()},
        numbers);
}

void ShopClientTest::policy_isRead()
{
    m_server->setReaction({.bytes = wholeAnswer(200, kPolicy)});
    std::optional<protocol::Policy> policy;

    m_client->fetchPolicy([&policy](const values::Result<protocol::Policy, ShopFailure>& read) { policy = read.value(); });

    QTRY_VERIFY(policy);
    QCOMPARE(policy->serverId, std::string("srv_1"));
    QCOMPARE(policy->account, std::string("acct_1"));
    QVERIFY(policy->time == values::fromRfc3339("2026-11-30T10:00:00Z"));
    QVERIFY(m_server->arrivals().front().head.startsWith("GET /v1/policy HTTP/1.1\r\n"));
    QCOMPARE(m_server->arrivals().front().field("Authorization"), QByteArray("Bearer secret"));
}

void ShopClientTest::cart_isRead()
{
    m_server->setReaction({.bytes = wholeAnswer(200, kCart)});
    std::optional<protocol::Cart> cart;

    m_client->fetchCart([&cart](const values::Result<protocol::Cart, ShopFailure>& read) { cart = read.value(); });

    QTRY_VERIFY(cart);
    QCOMPARE(cart->total.minorUnits, 4200);
    QVERIFY(m_server->arrivals().front().head.startsWith("GET /v1/cart HTTP/1.1\r\n"));
}

void ShopClientTest::failure_data()
{
    QTest::addColumn<QString>("base");
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<int>("error");
    QTest::addColumn<QString>("detail");

    const QByteArray problem = R"({"code":"unauthorized","detail":"This token is not known."})";
    const auto row = [](const char* name, const QByteArray& bytes, ShopError error, const char* detail) {
        QTest::newRow(name) << QString() << bytes << static_cast<int>(error) << QString::fromLatin1(detail);
    };
    row("sign in", wholeAnswer(401, problem), ShopError::SignInNeeded, "This token is not known.");
    row("forbidden", wholeAnswer(403, problem), ShopError::SignInNeeded, "This token is not known.");
    row("refused", wholeAnswer(503, problem), ShopError::Refused, "This token is not known.");
    row("no policy", wholeAnswer(200, "{}"), ShopError::NotUnderstood, "");
    row("a portal", wholeAnswer(511, "<html>"), ShopError::NotUnderstood, "");
    row("damaged", wholeAnswer(200, kPolicy).replace("srv_1", "srv_2"), ShopError::NotUnderstood, "none");
    row("a redirect", wholeAnswer(302, "{}", "Location: /elsewhere\r\n"), ShopError::NotUnderstood, "");
    row("cut", wholeAnswer(200, kPolicy).chopped(5), ShopError::Unreachable, "remote_closed");
    QTest::newRow("refused connection") << QStringLiteral("http://127.0.0.1:1") << QByteArray()
                                        << static_cast<int>(ShopError::Unreachable) << QStringLiteral("connection_refused");
    // The server speaks no TLS and says nothing.
    QTest::newRow("silent") << QStringLiteral("https") << QByteArray() << static_cast<int>(ShopError::TooSlow)
                            << QStringLiteral("timeout");
    QTest::newRow("untrusted") << QStringLiteral("untrusted") << QByteArray() << static_cast<int>(ShopError::TlsFailed)
                               << QStringLiteral("tls_failed");
}

void ShopClientTest::failure()
{
    QFETCH(const QString, base);
    QFETCH(const QByteArray, bytes);
    QFETCH(const int, error);
    QFETCH(const QString, detail);
    const bool isCut = detail == QLatin1String("remote_closed");
    m_server->setReaction({.bytes = bytes, .ending = isCut ? Ending::Close : Ending::KeepOpen});
    QUrl url = m_server->url();
    if (base == QLatin1String("https")) {
        url.setScheme(base);
    } else if (base == QLatin1String("untrusted")) {
        m_server = std::make_unique<RawServer>(makeIdentity());
        url = m_server->url();
    } else if (!base.isEmpty()) {
        url = QUrl(base);
    }
    retry::Numbers numbers;
    numbers.connectLimit = std::chrono::milliseconds(500);
    transport::ShopClient client({.base = url, .token = "secret", .tls = QSslConfiguration::defaultConfiguration()}, numbers);
    std::optional<ShopFailure> failed;

    client.fetchPolicy([&failed](const values::Result<protocol::Policy, ShopFailure>& read) { failed = read.error(); });

    QTRY_VERIFY(failed);
    QCOMPARE(static_cast<int>(failed->error), error);
    QCOMPARE(QString::fromStdString(failed->detail), detail);
}

void ShopClientTest::askingAgain_dropsTheOlderQuestion()
{
    int older = 0;
    int newer = 0;
    m_client->fetchCart([&older](const values::Result<protocol::Cart, ShopFailure>& /*read*/) { ++older; });
    QTRY_COMPARE(m_server->arrivals().size(), 1);
    m_server->setReaction({.bytes = wholeAnswer(200, kCart)});

    m_client->fetchCart([&newer](const values::Result<protocol::Cart, ShopFailure>& /*read*/) { ++newer; });

    QTRY_COMPARE(newer, 1);
    QCOMPARE(older, 0);
}

QTEST_GUILESS_MAIN(ShopClientTest)
#include "tst_shop_client.moc"
