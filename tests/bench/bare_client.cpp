#include "bench/bare_client.h"

#include "protocol/card_request.h"
#include "protocol/payment_request.h"
#include "support/fresh_id.h"
#include "values/check.h"

#include <QtCore/QEventLoop>
#include <QtCore/QTimer>
#include <QtNetwork/QNetworkReply>

#include <memory>

namespace payonce::bench {

namespace {

constexpr std::chrono::minutes kValidFor(15);
constexpr int kCreated = 201;

} // namespace

BareEnd BareClient::post(const QString& path, const QByteArray& key, const std::string& body,
                         std::chrono::milliseconds patience)
{
    QNetworkRequest request(QUrl(m_address.base.toString() + path));
    request.setHeader(QNetworkRequest::ContentTypeHeader, QStringLiteral("application/json"));
    request.setRawHeader("Authorization", "Bearer " + m_address.token);
    if (!key.isEmpty())
        request.setRawHeader("Idempotency-Key", '"' + key + '"');
    const auto start = BenchClock::now();
    const std::unique_ptr<QNetworkReply> reply(m_manager.post(request, QByteArray::fromStdString(body)));
    QEventLoop wait;
    QObject::connect(reply.get(), &QNetworkReply::finished, &wait, &QEventLoop::quit);
    QTimer::singleShot(patience, &wait, &QEventLoop::quit);
    wait.exec();
    BareEnd end;
    end.time = since(start);
    if (!reply->isFinished())
        return end;
    end.body = reply->readAll();
    const auto status = reply->attribute(QNetworkRequest::HttpStatusCodeAttribute);
    if (status.isValid())
        end.status = status.toInt();
    else
        end.error = reply->errorString();
    return end;
}

BareEnd BareClient::pay(std::chrono::milliseconds patience)
{
    const auto now = support::wallTime();
    const auto euro = values::Currency::fromCode("EUR");
    CHECK(euro);
    const auto exchanged = post(QStringLiteral("/v1/payment-methods"), {},
                                protocol::buildCardRequest({"4242424242424242", 12, 2031, "123"}), patience);
    const auto token = protocol::parseCardToken(exchanged.body.toStdString());
    CHECK(token.has_value());
    const retry::Purchase purchase{"bare_" + std::to_string(++m_cart), {4200, *euro}, "you@example.com"};
    return post(QStringLiteral("/v1/payments"), support::freshKey(now),
                protocol::buildPayment(purchase, *token, now + kValidFor).body, patience);
}

std::string bareEnds(BareClient& client, int runs, std::chrono::milliseconds patience)
{
    Samples times;
    int known = 0;
    std::string otherwise = "no word in time";
    for (int run = 0; run < runs; ++run) {
        const auto end = client.pay(patience);
        times.add(end.time);
        known += end.status == kCreated ? 1 : 0;
        if (end.status != kCreated && !end.error.isEmpty())
            otherwise = '"' + end.error.toStdString() + '"';
    }
    std::string text = "bare QNetworkAccessManager: ";
    text.append(known > 0 ? "knows in " : "knows in none").append(known > 0 ? std::to_string(known) : "");
    text.append(" of ").append(std::to_string(runs));
    if (known < runs)
        text.append(", else ").append(otherwise);
    return text.append(", p50 ").append(inMilliseconds(times.median())).append(" after its POST");
}

} // namespace payonce::bench
