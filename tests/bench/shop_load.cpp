#include "bench/shop_load.h"

#include "support/http_call.h"
#include "values/check.h"
#include "values/uuid.h"

#include <QtCore/QCoreApplication>
#include <QtCore/QDateTime>
#include <QtCore/QFile>
#include <QtCore/QJsonObject>
#include <QtCore/QRandomGenerator>
#include <QtTest/QTest>

namespace payonce::bench {

namespace {

constexpr std::chrono::hours kShuffledOver(10);
constexpr int kCreated = 201;

values::WallTime systemTime()
{
    return values::WallTime(std::chrono::milliseconds(QDateTime::currentMSecsSinceEpoch()));
}

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
    const QByteArray body = R"({"card":{"number":"4242424242424242","exp_month":12,"exp_year":2031,"cvc":"123"}})";
    support::HttpCall call(m_server.shopPort(),
                           keptAlive("POST", "/v1/payment-methods", m_authorization + "Connection: close\r\n", body));
    CHECK(QTest::qWaitFor([&] { return call.isFinished(); }, static_cast<int>(support::kServerPatience.count()) * 1000));
    CHECK(call.answer() && call.answer()->status == kCreated);
    return call.answer()->json().value(QLatin1String("id")).toString().toLatin1();
}

std::vector<QByteArray> ShopLoad::mintKeys(int count, KeyOrder order)
{
    auto* random = QRandomGenerator::global();
    const auto now = systemTime();
    std::vector<QByteArray> keys;
    keys.reserve(static_cast<std::size_t>(count));
    for (int n = 0; n < count; ++n) {
        values::UuidRandom bytes{};
        for (auto& byte : bytes)
            byte = static_cast<std::uint8_t>(random->bounded(256));
        const auto back =
            order == KeyOrder::AsMade
                ? std::chrono::milliseconds(0)
                : std::chrono::milliseconds(random->bounded(qint64(std::chrono::milliseconds(kShuffledOver).count())));
        // As made: one more millisecond every eight keys, about as fast as they will be sent.
        const auto forth = std::chrono::milliseconds(order == KeyOrder::AsMade ? n / 8 : 0);
        keys.push_back(QByteArray::fromStdString(values::ActionId::mint(now - back + forth, bytes).toString()));
    }
    return keys;
}

QByteArray ShopLoad::payment(const QByteArray& key) const
{
    const QByteArray body = R"({"cart_id":"own-)" + key + R"(","amount":{"value":4200,"currency":"EUR"},"payment_method":")" +
                            m_card + R"(","email":"bench@example.com","valid_until":")" + m_validUntil + R"("})";
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
