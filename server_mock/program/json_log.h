// The log on stderr: one JSON object a line. Never a body, a card or a token.
#pragma once

#include "program/line_writer.h"
#include "shop/request_log.h"
#include "shop/shop_parts.h"

#include <QtCore/QString>

#include <optional>

namespace payonce::program {

/// Each includes those before it. Info: one line a request. Debug: also what Qt itself says.
enum class LogLevel { Error, Warning, Info, Debug };
/// `error`, `warning`, `info`, `debug`.
[[nodiscard]] std::optional<LogLevel> logLevelOf(const QString& name);

/// While it lives lines are written, by a thread of its own: a stderr that nobody reads stops nothing. Before anything is
/// logged, and one at a time. Qt's own messages become lines too.
class JsonLog
{
public:
    explicit JsonLog(LogLevel level);
    JsonLog(const JsonLog&) = delete;
    JsonLog& operator=(const JsonLog&) = delete;
    JsonLog(JsonLog&&) = delete;
    JsonLog& operator=(JsonLog&&) = delete;
    ~JsonLog();

private:
    LineWriter m_writer;
};

[[nodiscard]] bool isLogged(LogLevel level);
/// A shop::Warn.
void logWarning(const shop::LogEvent& event);
/// A shop::RequestLog.
void logRequest(const shop::RequestEnd& end);

} // namespace payonce::program
