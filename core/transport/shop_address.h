// Where the shop is, and as whom we talk to it.
#pragma once

#include <QtCore/QByteArray>
#include <QtCore/QUrl>
#include <QtNetwork/QSslConfiguration>

namespace payonce::transport {

struct ShopAddress
{
    QUrl base;        ///< http or https, with host; a path in it is kept in front of /v1
    QByteArray token; ///< bearer token of the account; never logged, never saved
    /// Whom to trust at https. The certificate is verified whatever stands here.
    QSslConfiguration tls = QSslConfiguration::defaultConfiguration();
};

} // namespace payonce::transport
