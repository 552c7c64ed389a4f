// The line Saved - Sent - Checking - Confirmed: how far a payment is known to have come.
#pragma once

#include "retry/action_machine.h"

#include <QtCore/QString>

#include <vector>

namespace payonce::viewmodels {

/// Stopped: it failed here. Closed: it ended here, and nothing failed.
enum class StepStatus { Done, Current, Ahead, Stopped, Closed };

struct Step
{
    QString text;
    StepStatus status;
};

/// Always four steps; the last is named after the end where it is another one ("Declined").
[[nodiscard]] std::vector<Step> stepsFor(const retry::Snapshot& snapshot);

} // namespace payonce::viewmodels
