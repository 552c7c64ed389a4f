// TestAuthority: certificates of a test, good and bad, made with the openssl program.
#pragma once

#include <QtCore/QByteArray>
#include <QtCore/QString>
#include <QtCore/QTemporaryDir>
#include <QtNetwork/QSslConfiguration>

#include <memory>
#include <optional>

namespace payonce::wiretest {

/// What a server shows, and its key.
struct Identity
{
    QByteArray certificate;
    QByteArray key;
};

/// A certificate for 127.0.0.1 that signs itself. Empty if openssl made none.
[[nodiscard]] std::optional<Identity> makeIdentity();

/// A private certificate authority in a temporary directory.
class TestAuthority
{
public:
    /// Empty if openssl made none.
    [[nodiscard]] static std::optional<TestAuthority> make();

    /// Its own certificate, PEM.
    [[nodiscard]] QByteArray certificate() const;
    [[nodiscard]] QString certificateFile() const;
    /// Signs a certificate for `name` (`IP:127.0.0.1`, `DNS:shop.example`) that ends in `days`; negative: it has ended.
    [[nodiscard]] std::optional<Identity> issue(const QString& name, int days = 2) const;

private:
    explicit TestAuthority(std::unique_ptr<QTemporaryDir> directory) : m_directory(std::move(directory)) {}

    std::unique_ptr<QTemporaryDir> m_directory;
};

/// What a client says that trusts `certificate` (PEM) and nobody else.
[[nodiscard]] QSslConfiguration trusting(const QByteArray& certificate);

} // namespace payonce::wiretest
