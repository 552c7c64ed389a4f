#include "transport/request_factory.h"

#include "protocol/answer.h"
#include "protocol/fields.h"

#include <QtNetwork/QSslSocket>

#include <utility>

namespace payonce::transport {

namespace {

QByteArray bytes(const std::string& text)
{
    return QByteArray::fromStdString(text);
}

/// The shop rebuilds answers below its watermark by kind; of other kinds it knows no orders.
QString kindQuery(retry::Kind kind)
{
    return kind == retry::Kind::Other ? QString() : QStringLiteral("?kind=%1").arg(QLatin1String(retry::nameOf(kind)));
}

void addAttempt(QNetworkRequest& request, const retry::AttemptNote& note, int waitSeconds)
{
    request.setRawHeader("Action-Attempt", bytes(protocol::formatAttempt(note)));
    request.setRawHeader("Prefer", bytes(protocol::formatWait(std::chrono::seconds(waitSeconds))));
}

/// A configuration that nobody set holds no authority at all, and Qt would take it as it is.
QSslConfiguration verifying(const QSslConfiguration& asked)
{
    QSslConfiguration tls = asked.isNull() ? QSslConfiguration::defaultConfiguration() : asked;
    tls.setPeerVerifyMode(QSslSocket::VerifyPeer);
    return tls;
}

} // namespace

RequestFactory::RequestFactory(ShopAddress address, const retry::Numbers& numbers)
    : m_address(std::move(address)), m_numbers(numbers)
{
    m_address.tls = verifying(m_address.tls);
}

QNetworkRequest RequestFactory::action(const retry::PostRequest& request) const
{
    QNetworkRequest made = upload(QString::fromStdString(request.path), static_cast<qint64>(request.body.size()));
    made.setRawHeader("Idempotency-Key", bytes(protocol::quoted(request.id)));
    addAttempt(made, request.note, m_numbers.postWaitSeconds);
    return made;
}

QNetworkRequest RequestFactory::probe(const retry::ProbeRequest& request) const
{
    QNetworkRequest made =
        get(QStringLiteral("/v1/actions/%1%2").arg(QString::fromStdString(request.id.toString()), kindQuery(request.kind)));
    addAttempt(made, request.note, m_numbers.probeWaitSeconds);
    return made;
}

QNetworkRequest RequestFactory::fence(const retry::ProbeRequest& request) const
{
    const QString id = QString::fromStdString(request.id.toString());
    QNetworkRequest made = upload(QStringLiteral("/v1/actions/%1/abandon%2").arg(id, kindQuery(request.kind)), 0);
    addAttempt(made, request.note, m_numbers.probeWaitSeconds);
    return made;
}

QNetworkRequest RequestFactory::report(const values::ActionId& id, qint64 bodySize) const
{
    return upload(QStringLiteral("/v1/actions/%1/report").arg(QString::fromStdString(id.toString())), bodySize);
}

QNetworkRequest RequestFactory::cardExchange(qint64 bodySize) const
{
    return upload(QStringLiteral("/v1/payment-methods"), bodySize);
}

QNetworkRequest RequestFactory::get(const QString& path) const
{
    QString prefix = m_address.base.path();
    while (prefix.endsWith(QLatin1Char('/'))) {
        prefix.chop(1);
    }
    QUrl url = m_address.base.resolved(QUrl(prefix + path));
    QNetworkRequest request(url);
    request.setSslConfiguration(m_address.tls);
    request.setRawHeader("Authorization", "Bearer " + m_address.token);
    request.setRawHeader("Accept", "application/json, application/problem+json");
    // By itself Qt asks for compression, and then drops the length that completeness is judged by.
    request.setRawHeader("Accept-Encoding", "identity");
    request.setHeader(QNetworkRequest::UserAgentHeader, QStringLiteral("payonce/" PAYONCE_VERSION));
    request.setAttribute(QNetworkRequest::RedirectPolicyAttribute, QNetworkRequest::ManualRedirectPolicy);
    request.setAttribute(QNetworkRequest::CacheLoadControlAttribute, QNetworkRequest::AlwaysNetwork);
    request.setAttribute(QNetworkRequest::CacheSaveControlAttribute, false);
    request.setAttribute(QNetworkRequest::CookieLoadControlAttribute, QNetworkRequest::Manual);
    request.setAttribute(QNetworkRequest::CookieSaveControlAttribute, QNetworkRequest::Manual);
    request.setAttribute(QNetworkRequest::AuthenticationReuseAttribute, QNetworkRequest::Manual);
    return request;
}

QNetworkRequest RequestFactory::upload(const QString& path, qint64 bodySize) const
{
    QNetworkRequest request = get(path);
    request.setHeader(QNetworkRequest::ContentTypeHeader, QLatin1String(protocol::kJsonType));
    request.setHeader(QNetworkRequest::ContentLengthHeader, bodySize);
    request.setAttribute(QNetworkRequest::DoNotBufferUploadDataAttribute, true);
    return request;
}

} // namespace payonce::transport
