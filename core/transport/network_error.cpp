#include "transport/network_error.h"

#include <algorithm>
#include <array>
#include <utility>

namespace payonce::transport {

using retry::TransportError;

namespace {

/// Qt derives these from an HTTP status (the last one from 400 and 418), and an HTTP/2 reset is dressed up as one of them.
constexpr std::array kSpeakOfStatus = {
    QNetworkReply::ContentAccessDenied,          QNetworkReply::ContentOperationNotPermittedError,
    QNetworkReply::ContentNotFoundError,         QNetworkReply::AuthenticationRequiredError,
    QNetworkReply::ContentConflictError,         QNetworkReply::ContentGoneError,
    QNetworkReply::UnknownContentError,          QNetworkReply::InternalServerError,
    QNetworkReply::OperationNotImplementedError, QNetworkReply::ServiceUnavailableError,
    QNetworkReply::UnknownServerError,           QNetworkReply::ProtocolInvalidOperationError,
};

constexpr std::array<std::pair<QNetworkReply::NetworkError, TransportError>, 14> kNames = {{
    {QNetworkReply::NoError, TransportError::None},
    {QNetworkReply::ConnectionRefusedError, TransportError::ConnectionRefused},
    {QNetworkReply::RemoteHostClosedError, TransportError::RemoteClosed},
    {QNetworkReply::HostNotFoundError, TransportError::HostNotFound},
    {QNetworkReply::TimeoutError, TransportError::Timeout},
    {QNetworkReply::OperationCanceledError, TransportError::Cancelled},
    {QNetworkReply::SslHandshakeFailedError, TransportError::TlsFailed},
    {QNetworkReply::TemporaryNetworkFailureError, TransportError::NetworkDown},
    {QNetworkReply::NetworkSessionFailedError, TransportError::NetworkDown},
    {QNetworkReply::BackgroundRequestNotAllowedError, TransportError::NetworkDown},
    {QNetworkReply::TooManyRedirectsError, TransportError::RedirectRefused},
    {QNetworkReply::InsecureRedirectError, TransportError::RedirectRefused},
    {QNetworkReply::ContentReSendError, TransportError::ResendBlocked},
    {QNetworkReply::ProtocolFailure, TransportError::Protocol},
}};

bool isProxyError(QNetworkReply::NetworkError error)
{
    return error >= QNetworkReply::ProxyConnectionRefusedError && error <= QNetworkReply::UnknownProxyError;
}

} // namespace

TransportError transportErrorOf(QNetworkReply::NetworkError error, bool hasStatus)
{
    if (std::find(kSpeakOfStatus.begin(), kSpeakOfStatus.end(), error) != kSpeakOfStatus.end()) {
        return hasStatus ? TransportError::None : TransportError::Protocol;
    }
    if (isProxyError(error)) {
        return TransportError::Proxy;
    }
    const auto* found = std::find_if(kNames.begin(), kNames.end(), [error](const auto& name) { return name.first == error; });
    // Qt's enum grows; what is not known is never good.
    return found == kNames.end() ? TransportError::Other : found->second;
}

} // namespace payonce::transport
