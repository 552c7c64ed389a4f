// The moment from which a POST reaches the shop whatever becomes of the client.
#include "transport/http_transport.h"
#include "values/check.h"

#include <QtCore/QRegularExpression>
#include <QtTest/QTest>

#include <arpa/inet.h>
#include <sys/socket.h>
#include <unistd.h>

using namespace payonce;

namespace {

constexpr int kPatience = 20'000;

/// A shop that never reads by itself: what it can read at some moment, the system had by then.
class LazyShop
{
public:
    LazyShop() : m_listener(::socket(AF_INET, SOCK_STREAM, 0))
    {
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        socklen_t size = sizeof(address);
        auto* generic = reinterpret_cast<sockaddr*>(&address);
        CHECK(::bind(m_listener, generic, size) == 0 && ::listen(m_listener, 4) == 0);
        CHECK(::getsockname(m_listener, generic, &size) == 0);
        m_port = ntohs(address.sin_port);
    }
    LazyShop(const LazyShop&) = delete;
    LazyShop& operator=(const LazyShop&) = delete;
    LazyShop(LazyShop&&) = delete;
    LazyShop& operator=(LazyShop&&) = delete;
    ~LazyShop()
    {
        ::close(m_client);
        ::close(m_listener);
    }

    [[nodiscard]] QUrl url() const { return QUrl(QStringLiteral("http://127.0.0.1:%1").arg(m_port)); }
    [[nodiscard]] QByteArray readNow()
    {
        if (m_client < 0)
            m_client = ::accept(m_listener, nullptr, nullptr);
        QByteArray bytes(65'536, '\0');
        const auto size = ::recv(m_client, bytes.data(), static_cast<std::size_t>(bytes.size()), MSG_DONTWAIT);
        return bytes.left(std::max<qsizetype>(size, 0));
    }

private:
    int m_listener;
    int m_client = -1;
    int m_port = 0;
};

retry::PostRequest aPost(std::string body)
{
    return {.id = *values::ActionId::parse("0198c0de-7a11-7c3e-9f00-6b1f0a2c4d5e"), .body = std::move(body), .note = {}};
}

} // namespace

class BodyLeftTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    void isToldOnceTheSystemHasAllOfIt()
    {
        LazyShop shop;
        QByteArray hadBeen;
        int told = 0;
        transport::HttpTransport transport({.base = shop.url(), .token = "secret", .tls = {}}, {},
                                           [&](const values::ActionId& id) {
                                               QVERIFY(id == aPost({}).id);
                                               hadBeen = shop.readNow();
                                               ++told;
                                           });
        const auto body = std::string(300, 'x') + 'z';
        bool ended = false;
        transport.post(aPost(body), [&](const retry::WireResult&) { ended = true; });
        QTRY_COMPARE_WITH_TIMEOUT(told, 1, kPatience);
        QVERIFY(hadBeen.endsWith(QByteArray::fromStdString(body)));
        transport.abortPost(retry::EndReason::Finished);
        QTRY_VERIFY_WITH_TIMEOUT(ended, kPatience);
        QCOMPARE(told, 1);
    }

    void isNotToldWhereNobodyListens()
    {
        int told = 0;
        transport::HttpTransport transport({.base = QUrl(QStringLiteral("http://127.0.0.1:1")), .token = "secret", .tls = {}},
                                           {}, [&](const values::ActionId&) { ++told; });
        bool ended = false;
        transport.post(aPost("{}"), [&](const retry::WireResult&) { ended = true; });
        QTRY_VERIFY_WITH_TIMEOUT(ended, kPatience);
        QCOMPARE(told, 0);
    }
};

QTEST_GUILESS_MAIN(BodyLeftTest)
#include "tst_body_left.moc"
