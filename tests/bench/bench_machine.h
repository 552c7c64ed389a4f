// What the rules themselves cost: ActionMachine without disk, network or event loop.
#pragma once

#include "bench/figures.h"

namespace payonce::bench {

/// Transitions a second of processor time over whole lives of payments: clean ones, and ones whose reply is lost.
[[nodiscard]] std::vector<Figure> benchMachine();

} // namespace payonce::bench
