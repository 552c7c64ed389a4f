// The command line of payonce-server.
#pragma once

#include "judge/judge.h"
#include "program/exit_status.h"
#include "program/json_log.h"
#include "protocol/fields.h"
#include "storage/location.h"

#include <QtCore/QStringList>

#include <optional>
#include <variant>

namespace payonce::program {

struct Options
{
    quint16 port = 0;        ///< 0: the system chooses
    quint16 controlPort = 0; ///< 0: the system chooses
    QString dataDir{};       ///< empty: a fresh one, which ends with the server
    QString scenarioFile{};  ///< empty: no faults
    int rateLimit = 0;       ///< requests an account and second; 0: no limit
    protocol::KeyForm keys = protocol::KeyForm::UuidV7;
    LogLevel logLevel = LogLevel::Warning;
    std::optional<storage::Location> database{}; ///< of the shop, always PostgreSQL; none: shop.sqlite in the data directory
    std::optional<storage::Location> bank{};     ///< none: bank.sqlite in the data directory
    std::optional<judge::JudgeSettings> judge{}; ///< none: a plain server
};

/// `arguments` begin with the program's name. An Ending for --help, --version and every mistake, which its words name.
[[nodiscard]] std::variant<Options, Ending> readOptions(const QStringList& arguments);

} // namespace payonce::program
