// The journal's saves beside a bare SQLite commit that is as durable.
#pragma once

#include "bench/figures.h"

namespace payonce::bench {

[[nodiscard]] std::vector<Figure> benchJournal();

} // namespace payonce::bench
