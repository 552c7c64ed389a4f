#include "bank/http_event_post.h"

#include <QtNetwork/QNetworkReply>
#include <QtNetwork/QNetworkRequest>

#include <utility>

namespace payonce::bank {

void HttpEventPost::post(const SignedEvent& event, std::function<void(Posted)> done)
{
    QNetworkRequest request(m_url);
    request.setHeader(QNetworkRequest::ContentTypeHeader, QByteArray("application/json"));
    request.setRawHeader("webhook-id", QByteArray::fromStdString(event.head.id));
    request.setRawHeader("webhook-timestamp", QByteArray::fromStdString(event.head.timestamp));
    request.setRawHeader("webhook-signature", QByteArray::fromStdString(event.head.signature));
    request.setAttribute(QNetworkRequest::RedirectPolicyAttribute, QNetworkRequest::ManualRedirectPolicy);
    request.setTransferTimeout(static_cast<int>(std::chrono::milliseconds(kPostLimit).count()));
    QNetworkReply* const reply = m_network.post(request, QByteArray::fromStdString(event.body));
    QObject::connect(reply, &QNetworkReply::finished, reply, [reply, done = std::move(done)] {
        constexpr int kFirstGood = 200;
        constexpr int kFirstOther = 300;
        const int status = reply->attribute(QNetworkRequest::HttpStatusCodeAttribute).toInt();
        const bool isWhole = reply->error() == QNetworkReply::NoError;
        reply->deleteLater();
        done(isWhole && status >= kFirstGood && status < kFirstOther ? Posted::Taken : Posted::NotTaken);
    });
}

} // namespace payonce::bank
