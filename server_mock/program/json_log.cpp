#include "program/json_log.h"

#include <QtCore/QDateTime>
#include <QtCore/QJsonDocument>
#include <QtCore/QJsonObject>

#include <cstdio>

namespace payonce::program {

namespace {

void writeLine(QJsonObject line)
{
    line.insert(QStringLiteral("at"), QDateTime::currentDateTimeUtc().toString(Qt::ISODateWithMs));
    const QByteArray bytes = QJsonDocument(line).toJson(QJsonDocument::Compact) + '\n';
    std::fwrite(bytes.constData(), 1, static_cast<std::size_t>(bytes.size()), stderr);
}

void handleMessage(QtMsgType type, const QMessageLogContext& context, const QString& message)
{
    if (type == QtDebugMsg || type == QtInfoMsg)
        return;
    const auto level = type == QtWarningMsg ? QStringLiteral("warning") : QStringLiteral("error");
    writeLine({{QStringLiteral("level"), level},
               {QStringLiteral("category"), QString::fromLatin1(context.category)},
               {QStringLiteral("message"), message}});
}

} // namespace

void installJsonLog()
{
    qInstallMessageHandler(handleMessage);
}

void logWarning(const shop::LogEvent& event)
{
    QJsonObject line{
        {QStringLiteral("level"), QStringLiteral("warning")},
        {QStringLiteral("category"), QStringLiteral("shop")},
        {QStringLiteral("message"), QString::fromUtf8(event.words.data(), static_cast<qsizetype>(event.words.size()))}};
    if (!event.actionId.empty())
        line.insert(QStringLiteral("action_id"), QString::fromStdString(event.actionId));
    if (!event.attempt.empty())
        line.insert(QStringLiteral("attempt"), QString::fromStdString(event.attempt));
    writeLine(line);
}

} // namespace payonce::program
