// The four assertions over a scenario that was played. Each tells in words what is not as expected; empty: all is.
#pragma once

#include "automation/scenario_run.h"

namespace payonce::support {

/// Charges in the bank's file, orders and mails in the shop's.
[[nodiscard]] QStringList bankProblems(const console::Expectation& expect, const RunResult& result);
/// State and sentence of the window.
[[nodiscard]] QStringList screenProblems(const console::Expectation& expect, const RunResult& result);
/// The verdict, what the server finds unmet besides the rules, and the timeline.
[[nodiscard]] QStringList verdictProblems(const console::Expectation& expect, const RunResult& result);
/// Every rule that is expected to fire did.
[[nodiscard]] QStringList ruleProblems(const console::Expectation& expect, const RunResult& result);

/// All four, and the step that failed.
[[nodiscard]] QStringList problemsOf(const console::Expectation& expect, const RunResult& result);

} // namespace payonce::support
