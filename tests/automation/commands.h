// What a test says at the automation socket, and how it reads the answers.
#pragma once

#include <QtCore/QAnyStringView>
#include <QtCore/QJsonObject>
#include <QtCore/QString>

namespace payonce::support {

[[nodiscard]] inline QJsonObject command(const char* verb, QJsonObject members = {})
{
    members.insert(QStringLiteral("do"), QLatin1String(verb));
    return members;
}

/// A command about one widget.
[[nodiscard]] inline QJsonObject on(const char* verb, QAnyStringView name)
{
    return command(verb, {{QStringLiteral("name"), name.toString()}});
}

[[nodiscard]] inline QJsonObject typed(QAnyStringView name, const QString& text)
{
    return command("type", {{QStringLiteral("name"), name.toString()}, {QStringLiteral("text"), text}});
}

/// Answered a little before the client loses patience.
[[nodiscard]] inline QJsonObject waitFor(QAnyStringView state, int timeoutMs = 19'000)
{
    return command("waitFor", {{QStringLiteral("state"), state.toString()}, {QStringLiteral("timeout_ms"), timeoutMs}});
}

[[nodiscard]] inline bool isOk(const QJsonObject& answer)
{
    return answer.value(QLatin1String("ok")).toBool();
}

/// A text member; empty if there is none.
[[nodiscard]] inline QString text(const QJsonObject& object, const char* member)
{
    return object.value(QLatin1String(member)).toString();
}

} // namespace payonce::support
