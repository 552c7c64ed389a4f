// stateJson: the one machine-readable state of the window (docs/automation.md).
#pragma once

#include "retry/action_machine.h"

#include <QtCore/QJsonObject>

#include <optional>

namespace payonce::viewmodels {

/// What the client knows, without what only the screen knows (`primary`, `cancel`, `sentence`, `revision`).
/// `cartAmount` is told while there is no action yet. `next_try_ms` is left out: it moves by itself.
[[nodiscard]] QJsonObject stateFacts(const retry::Snapshot& snapshot, const std::optional<values::Money>& cartAmount);
/// none, not_sent, unknown, paid, declined, not_charged, cancelled or conflict.
[[nodiscard]] QString outcomeOf(const retry::Snapshot& snapshot);
/// What the action is about, or was charged; none where nobody here knows, and where nothing is paid.
[[nodiscard]] std::optional<values::Money> amountOf(const retry::Snapshot& snapshot);
/// Milliseconds until the next try, never negative; null where there is none.
[[nodiscard]] QJsonValue nextTryOf(const retry::Snapshot& snapshot, values::MonotonicTime now);

} // namespace payonce::viewmodels
