#include "bench/shop_load.h"

#include "support/fresh_id.h"
#include "support/http_call.h"
#include "support/shop_requests.h"
#include "values/check.h"

#include <QtCore/QFile>

namespace payonce::bench {

namespace {

constexpr std::chrono::hours kShuffledOver(10);
constexpr int kCreated = 201;

QByteArray keptAlive(const QByteArray& method, const QByteArray& path, const QByteArray& headers, const QByteArray& body)
{
    QByteArray request = method + ' ' + path + " HTTP/1.1\r\nHost: 127.0.0.1\r\n" + headers;
    if (!body.isEmpty())
        request += "Content-Type: application/json\r\nContent-Length: " + QByteArray::number(body.size()) + "\r\n";
    return request + "\r\n" + body;
}

} // namespace

ShopLoad::ShopLoad() : m_server(m_directory.path())
{
    CHECK(m_server.start());
    m_authorization = "Authorization: Bearer " + m_server.token(QStringLiteral("account")) + "\r\n";
    m_card = exchangeCard();
    m_validUntil = QDateTime::currentDateTimeUtc().addSecs(6 * 3600).toString(Qt::ISODate).toLatin1();
}

QByteArray ShopLoad::exchangeCard() const
{
    const auto answer =
        support::ask(m_server.shopPort(),
                     keptAlive("POST", "/v1/payment-methods", m_authorization + "Connection: close\r\n", support::cardBody()));
    CHECK(answer && answer->status == kCreated);
    return text(*answer, "id").toLatin1();
}

std::vector<QByteArray> ShopLoad::mintKeys(int count, KeyOrder order)
{
    auto* random = QRandomGenerator::global();
    const auto now = support::wallTime();
    std::vector<QByteArray> keys;
    keys.reserve(static_cast<std::size_t>(count));
    for (int n = 0; n < count; ++n) {
        const auto back =
            order == KeyOrder::AsMade
                ? std::chrono::milliseconds(0)
                : std::chrono::milliseconds(random->bounded(qint64(std::chrono::milliseconds(kShuffledOver).count())));
        // As made: one more millisecond every eight keys, about as fast as they will be sent.
        const auto forth = std::chrono::milliseconds(order == KeyOrder::AsMade ? n / 8 : 0);
        keys.push_back(support::freshKey(now - back + forth));
    }
    return keys;
}

QByteArray ShopLoad::payment(const QByteArray& key) const
{
    const QByteArray body = support::paymentBody(
        {.cart = "own-" + key, .paymentMethod = m_card, .validUntil = m_validUntil, .email = "bench@example.com"});
    return keptAlive("POST", "/v1/payments", m_authorization + "Idempotency-Key: \"" + key + "\"\r\nAction-Attempt: 1\r\n",
                     body);
}

LoadResult ShopLoad::pay(const std::vector<QByteArray>& keys, int connections)
{
    return runLoad({m_server.shopPort(), connections, static_cast<int>(keys.size()), kCreated,
                    [&](int n) { return payment(keys.at(static_cast<std::size_t>(n))); }});
}

LoadResult ShopLoad::askHealth(int requests)
{
    return runLoad(
        {m_server.shopPort(), 50, requests, 200, [this](int) { return keptAlive("GET", "/healthz", m_authorization, {}); }});
}

std::int64_t ShopLoad::residentKib() const
{
    QFile status(QStringLiteral("/proc/%1/status").arg(m_server.pid()));
    CHECK(status.open(QIODevice::ReadOnly));
    for (const auto& line : status.readAll().split('\n'))
        if (line.startsWith("VmRSS:"))
            return line.simplified().split(' ').at(1).toLongLong();
    return 0;
}

} // namespace payonce::bench
