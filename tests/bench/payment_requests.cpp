#include "bench/payment_requests.h"

#include "support/fresh_id.h"
#include "support/http_call.h"
#include "support/shop_requests.h"
#include "values/check.h"

#include <QtCore/QDateTime>
#include <QtCore/QRandomGenerator>

#include <chrono>
#include <utility>

namespace payonce::bench {

namespace {

constexpr std::chrono::hours kShuffledOver(10);
constexpr int kCreated = 201;

} // namespace

std::vector<QByteArray> mintKeys(int count, KeyOrder order)
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

QByteArray keptAlive(const QByteArray& method, const QByteArray& path, const QByteArray& token, const QByteArray& headers,
                     const QByteArray& body)
{
    QByteArray request =
        method + ' ' + path + " HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer " + token + "\r\n" + headers;
    if (!body.isEmpty())
        request += "Content-Type: application/json\r\nContent-Length: " + QByteArray::number(body.size()) + "\r\n";
    return request + "\r\n" + body;
}

PaymentRequests::PaymentRequests(quint16 port, QByteArray token)
    : m_token(std::move(token)),
      m_validUntil(QDateTime::currentDateTimeUtc().addSecs(6 * 3600).toString(Qt::ISODate).toLatin1())
{
    const auto answer =
        support::ask(port, keptAlive("POST", "/v1/payment-methods", m_token, "Connection: close\r\n", support::cardBody()));
    CHECK(answer && answer->status == kCreated);
    m_card = text(*answer, "id").toLatin1();
}

std::vector<QByteArray> PaymentRequests::of(const std::vector<QByteArray>& keys) const
{
    std::vector<QByteArray> requests;
    requests.reserve(keys.size());
    for (const auto& key : keys)
        requests.push_back(keptAlive(
            "POST", "/v1/payments", m_token, "Idempotency-Key: \"" + key + "\"\r\nAction-Attempt: 1\r\n",
            support::paymentBody(
                {.cart = "own-" + key, .paymentMethod = m_card, .validUntil = m_validUntil, .email = "bench@example.com"})));
    return requests;
}

} // namespace payonce::bench
