// RunSummary: the last line of a headless run, and whether everything held.
#pragma once

#include "checkout/control_client.h"
#include "checkout/headless_run.h"

#include <QtCore/QStringList>

#include <optional>

namespace payonce::checkout {

struct RunSummary
{
    QByteArray line; ///< one line of JSON, its members as in docs/automation.md
    bool holds = false;
    QStringList unmet; ///< why it does not hold, a sentence each
};

/// Holds if the simulator's verdict does and the client ended in `expectedState` (empty: in any final state).
/// Without books nothing is proven: `verdict` and its companions are null, and it does not hold.
[[nodiscard]] RunSummary summarise(const HeadlessResult& result, const std::optional<Books>& books,
                                   const QString& expectedState);

} // namespace payonce::checkout
