#include "checkout/server_record.h"

#include "storage/plain_file.h"

#include <QtCore/QDir>
#include <QtCore/QJsonDocument>
#include <QtCore/QJsonObject>
#include <QtNetwork/QHostAddress>

#include <csignal>

namespace payonce::checkout {

namespace {

constexpr qint64 kLongestToken = 1024;

/// At most `limit` bytes; null if the file cannot be read or is longer.
QByteArray readShort(const QString& path, qint64 limit)
{
    auto content = storage::readPlainFile(path, limit + 1);
    return !content || content->size() > limit ? QByteArray() : *content;
}

bool isLoopback(const QUrl& url)
{
    return url.isValid() && url.port() > 0 && QHostAddress(url.host()).isLoopback();
}

} // namespace

std::optional<ServerRecord> parseServerRecord(const QByteArray& json)
{
    const auto object = QJsonDocument::fromJson(json).object();
    const auto tokens = object.value(QLatin1String("tokens")).toObject();
    ServerRecord record;
    record.shop = QUrl(object.value(QLatin1String("shop")).toString(), QUrl::StrictMode);
    record.control = QUrl(object.value(QLatin1String("control")).toString(), QUrl::StrictMode);
    record.accountTokenFile = tokens.value(QLatin1String("account")).toString();
    record.controlTokenFile = tokens.value(QLatin1String("control")).toString();
    record.pid = object.value(QLatin1String("pid")).toInteger();
    const bool whole = object.value(QLatin1String("ready")).toBool() && isLoopback(record.shop) && isLoopback(record.control) &&
                       !record.accountTokenFile.isEmpty() && !record.controlTokenFile.isEmpty() && record.pid > 0;
    return whole ? std::optional(record) : std::nullopt;
}

std::optional<ServerRecord> readServerRecord(const QString& dataDir)
{
    return parseServerRecord(readShort(QDir(dataDir).filePath(QStringLiteral("server.json")), kLongestServerRecord));
}

bool isAlive(qint64 pid)
{
    if (pid <= 0 || ::kill(static_cast<pid_t>(pid), 0) != 0)
        return false;
    // "PID (NAME) STATE ...": the name may hold anything, so the state is looked for behind the last bracket.
    const auto stat = readShort(QStringLiteral("/proc/%1/stat").arg(pid), 4096);
    const auto state = stat.mid(stat.lastIndexOf(')') + 2, 1);
    return state != "Z" && state != "X";
}

QByteArray readToken(const QString& file)
{
    auto token = readShort(file, kLongestToken).trimmed();
    for (const char byte : token)
        if (byte <= ' ' || byte > '~')
            return {};
    return token;
}

} // namespace payonce::checkout
