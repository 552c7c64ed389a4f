#include "program/json_log.h"

#include <QtCore/QDateTime>
#include <QtCore/QJsonDocument>
#include <QtCore/QJsonObject>

#include <unistd.h>

#include <array>
#include <atomic>
#include <chrono>
#include <utility>

namespace payonce::program {

namespace {

constexpr std::array<std::pair<LogLevel, const char*>, 4> kLevels = {
    {{LogLevel::Error, "error"}, {LogLevel::Warning, "warning"}, {LogLevel::Info, "info"}, {LogLevel::Debug, "debug"}}};
// Qt's message handler is a bare function, so what it looks at cannot live in an object.
LogLevel mostSaid = LogLevel::Warning;
std::atomic<LineWriter*> writer{nullptr};
constexpr std::chrono::milliseconds kLastWords{1000};

QString textOf(std::string_view text)
{
    return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

LogLevel levelOf(QtMsgType type)
{
    switch (type) {
    case QtDebugMsg:
    case QtInfoMsg: return LogLevel::Debug;
    case QtWarningMsg: return LogLevel::Warning;
    case QtCriticalMsg:
    case QtFatalMsg: return LogLevel::Error;
    }
    return LogLevel::Error;
}

QJsonObject lineOf(LogLevel level, const QString& category)
{
    return {{QStringLiteral("level"), QString::fromLatin1(kLevels.at(static_cast<std::size_t>(level)).second)},
            {QStringLiteral("category"), category}};
}

QByteArray bytesOf(QJsonObject line)
{
    line.insert(QStringLiteral("at"), QDateTime::currentDateTimeUtc().toString(Qt::ISODateWithMs));
    return QJsonDocument(line).toJson(QJsonDocument::Compact) + '\n';
}

void writeLine(const QJsonObject& line)
{
    if (LineWriter* const to = writer.load())
        to->write(bytesOf(line));
}

QByteArray droppedLine(std::int64_t lines)
{
    QJsonObject line = lineOf(LogLevel::Warning, QStringLiteral("log"));
    line.insert(QStringLiteral("message"), QStringLiteral("lines were dropped, because nobody read them"));
    line.insert(QStringLiteral("dropped"), static_cast<qint64>(lines));
    return bytesOf(line);
}

void handleMessage(QtMsgType type, const QMessageLogContext& context, const QString& message)
{
    if (!isLogged(levelOf(type)))
        return;
    QJsonObject line = lineOf(levelOf(type), QString::fromLatin1(context.category));
    line.insert(QStringLiteral("message"), message);
    writeLine(line);
    LineWriter* const to = writer.load();
    if (type == QtFatalMsg && to != nullptr) // the process ends behind it
        to->flush(kLastWords);
}

} // namespace

std::optional<LogLevel> logLevelOf(const QString& name)
{
    for (const auto& [level, known] : kLevels)
        if (name == QLatin1String(known))
            return level;
    return {};
}

JsonLog::JsonLog(LogLevel level) : m_writer(STDERR_FILENO, droppedLine)
{
    mostSaid = level;
    writer = &m_writer;
    qInstallMessageHandler(handleMessage);
}

JsonLog::~JsonLog()
{
    qInstallMessageHandler(nullptr);
    writer = nullptr;
}

bool isLogged(LogLevel level)
{
    return level <= mostSaid;
}

void logWarning(const shop::LogEvent& event)
{
    if (!isLogged(LogLevel::Warning))
        return;
    QJsonObject line = lineOf(LogLevel::Warning, QStringLiteral("shop"));
    line.insert(QStringLiteral("message"), textOf(event.words));
    if (!event.actionId.empty())
        line.insert(QStringLiteral("action_id"), QString::fromStdString(event.actionId));
    if (!event.attempt.empty())
        line.insert(QStringLiteral("attempt"), QString::fromStdString(event.attempt));
    writeLine(line);
}

void logRequest(const shop::RequestEnd& end)
{
    constexpr double kMicrosecondsOfOne = 1000;
    QJsonObject line = lineOf(LogLevel::Info, QStringLiteral("request"));
    line.insert(QStringLiteral("operation"), textOf(end.operation));
    line.insert(QStringLiteral("status"), end.status);
    line.insert(QStringLiteral("left"), textOf(nameOf(end.leaving)));
    line.insert(QStringLiteral("replayed"), end.isReplay);
    line.insert(QStringLiteral("connection"), static_cast<qint64>(end.connection));
    line.insert(QStringLiteral("request"), static_cast<qint64>(end.request));
    if (end.took)
        line.insert(QStringLiteral("duration_ms"), static_cast<double>(end.took->count()) / kMicrosecondsOfOne);
    for (const auto& [member, text] :
         {std::pair("action_id", &end.actionId), std::pair("attempt", &end.attempt), std::pair("code", &end.code)})
        if (!text->empty())
            line.insert(QLatin1String(member), QString::fromStdString(*text));
    writeLine(line);
}

} // namespace payonce::program
