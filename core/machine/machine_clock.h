// The clocks of this machine, for who stands at the edge and has to ask: pure code is given the time.
#pragma once

#include "values/time.h"

namespace payonce::machine {

[[nodiscard]] values::WallTime wallTime();
/// Since the machine's start, so that it goes on over a restart of the program.
[[nodiscard]] values::MonotonicTime monotonicTime();
/// Both, read together.
[[nodiscard]] values::Now now();

} // namespace payonce::machine
