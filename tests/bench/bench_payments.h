// Whole payments against a real server: clean, and with the reply lost in two ways.
#pragma once

#include "bench/figures.h"

namespace payonce::bench {

/// Click to Paid beside two bare POSTs to the same server and two bare durable commits, turn by turn.
[[nodiscard]] std::vector<Figure> benchCleanPayment();
/// Reply lost by close, by reset, and by a connection that hangs: time until the client knows.
[[nodiscard]] std::vector<Figure> benchLostReplies();

} // namespace payonce::bench
