// The log on stderr: one JSON object a line. Never a body, a card or a token.
#pragma once

#include "shop/request_log.h"
#include "shop/shop_parts.h"

#include <QtCore/QString>

#include <optional>

namespace payonce::program {

/// Each includes those before it. Info: one line a request. Debug: also what Qt itself says.
enum class LogLevel { Error, Warning, Info, Debug };
/// `error`, `warning`, `info`, `debug`.
[[nodiscard]] std::optional<LogLevel> logLevelOf(const QString& name);

/// Once, before anything is logged. Qt's own messages become lines too.
void installJsonLog(LogLevel level);
[[nodiscard]] bool isLogged(LogLevel level);
/// A shop::Warn.
void logWarning(const shop::LogEvent& event);
/// A shop::RequestLog.
void logRequest(const shop::RequestEnd& end);

} // namespace payonce::program
