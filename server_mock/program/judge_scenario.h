// Which faults a server plays, and what it says to the person who started a judge.
#pragma once

#include "console/scenario.h"
#include "program/data_dir.h"
#include "program/options.h"

#include <optional>
#include <variant>

namespace payonce::program {

/// The one in --scenario; of a judge without one "reply lost after the charge". An Ending where it cannot be used, and where a
/// judge that dies of it could not be started again.
[[nodiscard]] std::variant<std::optional<console::Scenario>, Ending> scenarioFor(const Options& options);

/// What a judge does, where, and how to send it a payment: some lines.
[[nodiscard]] QString greetingOf(const judge::JudgeSettings& settings, const std::optional<console::Scenario>& scenario,
                                 const QString& shopUrl, const DataDir& dir);

} // namespace payonce::program
