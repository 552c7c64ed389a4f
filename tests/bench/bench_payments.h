// Whole payments against a real server: clean, and with the request or its reply lost.
#pragma once

#include "bench/figures.h"

namespace payonce::bench {

/// Click to Paid beside two bare POSTs to the same server and two bare durable commits, turn by turn.
[[nodiscard]] std::vector<Figure> benchCleanPayment();
/// Reply lost by close, by reset, and by a connection that hangs; request that hangs before it is looked at: time until the
/// client knows, beside what a bare client knows.
[[nodiscard]] std::vector<Figure> benchLostAnswers();

} // namespace payonce::bench
