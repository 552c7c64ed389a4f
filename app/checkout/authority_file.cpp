#include "checkout/authority_file.h"

#include "storage/plain_file.h"

#include <QtNetwork/QSslCertificate>

namespace payonce::checkout {

namespace {

/// Several times the bundle of a whole system.
constexpr qint64 kLongest = 4LL * 1024 * 1024;

tl::unexpected<QString> refuse(const QString& path, const QString& words)
{
    return values::Failure(QStringLiteral("--ca-file: %1: %2").arg(path, words));
}

} // namespace

values::Result<QSslConfiguration, QString> trustOnly(const QString& path)
{
    const auto text = storage::readPlainFile(path, kLongest);
    if (!text)
        return refuse(path, text.error().words);
    const auto wanted = text->count("-----BEGIN CERTIFICATE-----");
    if (wanted == 0)
        return refuse(path, QStringLiteral("there is no certificate in PEM form in it"));
    // Qt leaves out what it cannot read.
    const auto certificates = QSslCertificate::fromData(*text, QSsl::Pem);
    if (certificates.size() != wanted || certificates.contains(QSslCertificate()))
        return refuse(path, QStringLiteral("a certificate in it is damaged"));
    auto tls = QSslConfiguration::defaultConfiguration();
    tls.setCaCertificates(certificates);
    return tls;
}

} // namespace payonce::checkout
