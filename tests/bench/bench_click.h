// Click on Pay to the first painted "Processing…", also while the disk stalls.
#pragma once

#include "bench/figures.h"

namespace payonce::bench {

[[nodiscard]] std::vector<Figure> benchClick();

} // namespace payonce::bench
