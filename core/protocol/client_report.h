// The client's own facts about an action: the body of POST /v1/actions/{id}/report.
#pragma once

#include "retry/snapshot.h"

#include <string>

namespace payonce::protocol {

/// Attempts, presses and the last state that was shown. No card, token or body is in it. `clockOffset`: server minus local.
/// `snapshot.action` must be there.
[[nodiscard]] std::string buildReport(const retry::Snapshot& snapshot, std::chrono::milliseconds clockOffset);

} // namespace payonce::protocol
