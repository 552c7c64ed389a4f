// How fast support finds one action among many, and reads its story (docs/contract.md, Support).
#pragma once

#include "bench/figures.h"

namespace payonce::bench {

inline constexpr int kSupportActions = 1'000'000;

/// Each kind of search through HTTP, one at a time, with so many paid actions behind it; then the story of one action.
[[nodiscard]] std::vector<Figure> benchSupport(int actions);

} // namespace payonce::bench
