#include "checkout/health_check.h"

#include <QtNetwork/QNetworkReply>

#include <chrono>

namespace payonce::checkout {

namespace {

constexpr std::chrono::milliseconds kLimit{2000};

} // namespace

void HealthCheck::ask(const QUrl& shop, std::function<void(Health)> done)
{
    auto url = shop;
    url.setPath(QStringLiteral("/healthz"));
    QNetworkRequest request(url);
    request.setTransferTimeout(static_cast<int>(kLimit.count()));
    request.setAttribute(QNetworkRequest::RedirectPolicyAttribute, QNetworkRequest::ManualRedirectPolicy);
    auto* reply = m_network.get(request);
    QObject::connect(reply, &QNetworkReply::finished, &m_network, [reply, done = std::move(done)] {
        const bool fine = reply->attribute(QNetworkRequest::HttpStatusCodeAttribute).toInt() == 200;
        reply->deleteLater();
        done(fine ? Health::Answers : Health::Silent);
    });
}

} // namespace payonce::checkout
