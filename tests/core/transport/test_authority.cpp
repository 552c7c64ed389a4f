#include "core/transport/test_authority.h"

#include <QtCore/QFile>
#include <QtCore/QProcess>
#include <QtCore/QStringList>
#include <QtNetwork/QSslCertificate>

#include <utility>

namespace payonce::wiretest {

namespace {

constexpr int kOpensslPatience = 30'000;
const QString kOwn = QStringLiteral("own");
const QString kIssued = QStringLiteral("issued");

/// File names are relative, so that no path has to be quoted.
bool openssl(const QTemporaryDir& directory, const QString& arguments)
{
    QProcess program;
    program.setWorkingDirectory(directory.path());
    program.start(QStringLiteral("openssl"), arguments.split(QLatin1Char(' ')));
    return program.waitForFinished(kOpensslPatience) && program.exitCode() == 0;
}

QByteArray contentsOf(const QTemporaryDir& directory, const QString& name)
{
    QFile file(directory.filePath(name));
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

Identity identityIn(const QTemporaryDir& directory, const QString& name)
{
    return {.certificate = contentsOf(directory, name + QLatin1String(".pem")),
            .key = contentsOf(directory, name + QLatin1String(".key"))};
}

/// A fresh key and, in one go, a certificate or the request for one.
bool makeKey(const QTemporaryDir& directory, const QString& name, const QString& more)
{
    const QString key = QStringLiteral("req -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -keyout %1.key %2");
    return openssl(directory, key.arg(name, more));
}

bool signItself(const QTemporaryDir& directory, const QString& subject)
{
    return makeKey(directory, kOwn, QStringLiteral("-x509 -days 2 -out own.pem ") + subject);
}

} // namespace

std::optional<Identity> makeIdentity()
{
    const QTemporaryDir directory;
    if (!signItself(directory, QStringLiteral("-subj /CN=127.0.0.1 -addext subjectAltName=IP:127.0.0.1"))) {
        return std::nullopt;
    }
    return identityIn(directory, kOwn);
}

std::optional<TestAuthority> TestAuthority::make()
{
    auto directory = std::make_unique<QTemporaryDir>();
    if (!signItself(*directory, QStringLiteral("-subj /CN=TestAuthority"))) {
        return std::nullopt;
    }
    return TestAuthority(std::move(directory));
}

QByteArray TestAuthority::certificate() const
{
    return identityIn(*m_directory, kOwn).certificate;
}

QString TestAuthority::certificateFile() const
{
    return m_directory->filePath(kOwn + QLatin1String(".pem"));
}

std::optional<Identity> TestAuthority::issue(const QString& name, int days) const
{
    QFile extensions(m_directory->filePath(QStringLiteral("extensions")));
    if (!extensions.open(QIODevice::WriteOnly) || extensions.write("subjectAltName=" + name.toLatin1()) < 0) {
        return std::nullopt;
    }
    extensions.close();
    const QString sign = QStringLiteral("x509 -req -in issued.csr -CA own.pem -CAkey own.key -CAcreateserial -days %1 "
                                        "-extfile extensions -out issued.pem");
    if (!makeKey(*m_directory, kIssued, QStringLiteral("-subj /CN=server -out issued.csr")) ||
        !openssl(*m_directory, sign.arg(days))) {
        return std::nullopt;
    }
    return identityIn(*m_directory, kIssued);
}

QSslConfiguration trusting(const QByteArray& certificate)
{
    QSslConfiguration tls = QSslConfiguration::defaultConfiguration();
    tls.setCaCertificates({QSslCertificate(certificate)});
    return tls;
}

} // namespace payonce::wiretest
