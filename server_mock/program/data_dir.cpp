#include "program/data_dir.h"

#include "program/private_file.h"
#include "storage/plain_file.h"

#include <QtCore/QDir>
#include <QtCore/QFile>
#include <QtCore/QFileInfo>
#include <QtCore/QRandomGenerator>

#include <sys/stat.h>

#include <array>
#include <cerrno>
#include <cstring>

namespace payonce::program {

namespace {

constexpr int kTokenWords = 8; // of 32 bits
constexpr qint64 kTokenFileMost = 1024;

QString why(const QString& path, const QString& reason)
{
    return QStringLiteral("%1: %2").arg(path, reason);
}

/// Empty, or why not. Parents get the usual mode, the directory itself 0700.
QString makePrivateDir(const QString& path)
{
    constexpr mode_t kMode = 0700;
    if (QFileInfo(path).isDir())
        return {};
    if (!QDir().mkpath(QFileInfo(path).absolutePath()))
        return QStringLiteral("cannot make the directory above it");
    if (::mkdir(QFile::encodeName(path).constData(), kMode) != 0)
        return QString::fromLocal8Bit(std::strerror(errno)); // NOLINT(concurrency-mt-unsafe): one thread so far
    return {};
}

QByteArray randomBytes()
{
    std::array<quint32, kTokenWords> words{};
    QRandomGenerator::system()->fillRange(words.data(), kTokenWords);
    return {reinterpret_cast<const char*>(words.data()), sizeof(words)}; // NOLINT(*-reinterpret-cast): plain bytes
}

QByteArray freshToken()
{
    return randomBytes().toBase64(QByteArray::Base64UrlEncoding | QByteArray::OmitTrailingEquals);
}

} // namespace

DataDir::DataDir(const QString& path) : m_path(QFileInfo(path).absoluteFilePath()) {}

std::variant<std::unique_ptr<DataDir>, Ending> DataDir::open(const QString& path)
{
    std::unique_ptr<DataDir> dir(new DataDir(path)); // NOLINT: the constructor is private
    for (const QString& place : {dir->path(), dir->file(QStringLiteral("tokens"))})
        if (const QString reason = makePrivateDir(place); !reason.isEmpty())
            return Ending{ExitStatus::Storage, why(place, reason)};
    const QString lockPath = dir->file(QStringLiteral("lock"));
    auto lock = storage::LockFile::take(lockPath);
    if (!lock && lock.error().error == storage::LockError::Taken)
        return Ending{ExitStatus::Locked, why(dir->path(), QStringLiteral("in use by %1").arg(lock.error().words))};
    if (!lock)
        return Ending{ExitStatus::Storage, why(lockPath, lock.error().words)};
    dir->m_lock = *std::move(lock);
    return dir;
}

QString DataDir::tokenFile(const QString& name) const
{
    return file(QStringLiteral("tokens/") + name);
}

std::variant<QByteArray, Ending> DataDir::token(const QString& name) const
{
    return keptText(tokenFile(name), freshToken());
}

std::variant<QByteArray, Ending> DataDir::webhookSecret() const
{
    return keptText(tokenFile(QStringLiteral("webhook")), "whsec_" + randomBytes().toBase64());
}

std::variant<QByteArray, Ending> DataDir::home() const
{
    return keptText(file(QStringLiteral("home")), freshToken());
}

std::variant<QByteArray, Ending> DataDir::keptText(const QString& path, const QByteArray& fresh)
{
    if (!QFile::exists(path))
        if (const QString reason = writePrivately(path, fresh); !reason.isEmpty())
            return Ending{ExitStatus::Storage, why(path, reason)};
    const auto kept = storage::readPlainFile(path, kTokenFileMost);
    if (!kept)
        return Ending{ExitStatus::Storage, why(path, kept.error().words)};
    QByteArray text = kept->trimmed();
    if (text.isEmpty())
        return Ending{ExitStatus::Storage, why(path, QStringLiteral("is empty; remove it to get a new one"))};
    return text;
}

bool DataDir::announce(const QByteArray& readyLine) const
{
    return writePrivately(file(QStringLiteral("server.json")), readyLine).isEmpty();
}

void DataDir::withdraw() const
{
    QFile::remove(file(QStringLiteral("server.json")));
}

} // namespace payonce::program
