// What the simulator costs a shop that plays no scenario.
#pragma once

#include "bench/figures.h"

#include <vector>

namespace payonce::bench {

/// Fresh payments of a shop with the simulator's points and journal, beside the same shop with points at which nothing is, in
/// turns. Met where the two differ by less than the turns without it do among themselves.
[[nodiscard]] std::vector<Figure> benchFaultLayer(int payments);

} // namespace payonce::bench
