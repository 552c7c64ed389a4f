// The directory of one server: private, used by one process at a time, with its token files and server.json.
#pragma once

#include "program/exit_status.h"
#include "storage/lock_file.h"

#include <QtCore/QByteArray>
#include <QtCore/QString>

#include <memory>
#include <variant>

namespace payonce::program {

class DataDir
{
public:
    /// Makes the directory (0700) if it is missing and locks it, until the process ends, however it ends.
    [[nodiscard]] static std::variant<std::unique_ptr<DataDir>, Ending> open(const QString& path);

    [[nodiscard]] QString path() const { return m_path; }
    [[nodiscard]] QString file(const QString& name) const { return m_path + QLatin1Char('/') + name; }

    /// The token in `tokens/NAME`: 256 random bits in base64url, made (0600) at the first call, the same ever after.
    [[nodiscard]] std::variant<QByteArray, Ending> token(const QString& name) const;
    /// `tokens/webhook`, made and kept alike: `whsec_` and 256 random bits in base64, as Standard Webhooks writes a secret.
    [[nodiscard]] std::variant<QByteArray, Ending> webhookSecret() const;
    /// The random name of this directory, made at the first call, the same ever after.
    [[nodiscard]] std::variant<QByteArray, Ending> home() const;
    [[nodiscard]] QString tokenFile(const QString& name) const;

    /// Replaces server.json (0600): readers see the old content or the new, never a part.
    [[nodiscard]] bool announce(const QByteArray& readyLine) const;
    void withdraw() const;

private:
    explicit DataDir(const QString& path);
    /// The content of the file; `fresh` at the first call.
    [[nodiscard]] static std::variant<QByteArray, Ending> keptText(const QString& path, const QByteArray& fresh);

    QString m_path; ///< absolute
    std::unique_ptr<storage::LockFile> m_lock;
};

} // namespace payonce::program
