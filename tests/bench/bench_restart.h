// The real program, killed with its payment on the way, and started again.
#pragma once

#include "bench/figures.h"

namespace payonce::bench {

/// From the second start of the process to the window that says Paid.
[[nodiscard]] std::vector<Figure> benchRestart();

} // namespace payonce::bench
