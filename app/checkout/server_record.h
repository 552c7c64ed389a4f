// ServerRecord: what a payonce-server says about itself, on its ready line and in DATA_DIR/server.json.
#pragma once

#include <QtCore/QByteArray>
#include <QtCore/QString>
#include <QtCore/QUrl>

#include <optional>

namespace payonce::checkout {

struct ServerRecord
{
    QUrl shop;
    QUrl control;
    QString accountTokenFile;
    QString controlTokenFile;
    qint64 pid = 0;
    friend bool operator==(const ServerRecord&, const ServerRecord&) = default;
};

/// Longer is no ready line.
inline constexpr qint64 kLongestServerRecord = 65536;

/// Empty if a member is missing, of a wrong type, or no loopback address.
[[nodiscard]] std::optional<ServerRecord> parseServerRecord(const QByteArray& json);
/// DATA_DIR/server.json, which a server that was killed leaves behind. Empty: there is none, or it cannot be understood.
[[nodiscard]] std::optional<ServerRecord> readServerRecord(const QString& dataDir);

/// The process exists and has not ended; one that has ended and was not collected yet counts as ended.
[[nodiscard]] bool isAlive(qint64 pid);

/// The bare token in `file`; empty if it cannot be read or is no token (docs/contract.md, the ready line).
[[nodiscard]] QByteArray readToken(const QString& file);

} // namespace payonce::checkout
