#include "checkout/control_client.h"

#include <QtCore/QJsonArray>
#include <QtCore/QJsonDocument>
#include <QtCore/QJsonObject>
#include <QtNetwork/QNetworkReply>

#include <chrono>

namespace payonce::checkout {

namespace {

constexpr std::chrono::milliseconds kLimit{5000};

std::optional<int> countStatus(const QJsonObject& ledger, QLatin1String table, QLatin1String status)
{
    if (!ledger.value(table).isArray())
        return {};
    int count = 0;
    for (const auto& row : ledger.value(table).toArray())
        count += row.toObject().value(QLatin1String("status")).toString() == status ? 1 : 0;
    return count;
}

} // namespace

void ControlClient::ask(const ServerRecord& server, Done done)
{
    get(server, QStringLiteral("/verdict"), [this, server, done = std::move(done)](const QByteArray& verdict) {
        get(server, QStringLiteral("/ledger"), [verdict, done](const QByteArray& ledger) { done(readBooks(verdict, ledger)); });
    });
}

void ControlClient::play(const ServerRecord& server, const QByteArray& scenario, std::function<void(bool)> done)
{
    auto request = requestOf(server, QStringLiteral("/scenario"));
    request.setHeader(QNetworkRequest::ContentTypeHeader, QByteArrayLiteral("application/json"));
    auto* reply = m_network.put(request, scenario);
    QObject::connect(reply, &QNetworkReply::finished, &m_network, [reply, done = std::move(done)] {
        const int status = reply->attribute(QNetworkRequest::HttpStatusCodeAttribute).toInt();
        reply->deleteLater();
        done(status / 100 == 2);
    });
}

QNetworkRequest ControlClient::requestOf(const ServerRecord& server, const QString& path)
{
    auto url = server.control;
    url.setPath(path);
    QNetworkRequest request(url);
    request.setRawHeader("Authorization", "Bearer " + readToken(server.controlTokenFile));
    request.setTransferTimeout(static_cast<int>(kLimit.count()));
    request.setAttribute(QNetworkRequest::RedirectPolicyAttribute, QNetworkRequest::ManualRedirectPolicy);
    return request;
}

void ControlClient::get(const ServerRecord& server, const QString& path, std::function<void(const QByteArray&)> done)
{
    auto* reply = m_network.get(requestOf(server, path));
    QObject::connect(reply, &QNetworkReply::finished, &m_network, [reply, done = std::move(done)] {
        const bool fine = reply->attribute(QNetworkRequest::HttpStatusCodeAttribute).toInt() == 200;
        const auto body = fine ? reply->readAll() : QByteArray();
        reply->deleteLater();
        done(body);
    });
}

std::optional<Books> readBooks(const QByteArray& verdict, const QByteArray& ledger)
{
    auto report = protocol::parseVerdict(std::string_view(verdict.constData(), static_cast<std::size_t>(verdict.size())));
    const auto object = QJsonDocument::fromJson(ledger).object();
    const auto charges = countStatus(object, QLatin1String("charges"), QLatin1String("approved"));
    const auto orders = countStatus(object, QLatin1String("orders"), QLatin1String("paid"));
    if (!report || !charges || !orders)
        return {};
    return Books{std::move(*report), *charges, *orders};
}

} // namespace payonce::checkout
