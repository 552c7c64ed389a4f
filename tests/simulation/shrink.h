// Shrink: a life that breaks a rule, with less and less going on in it, for as long as it still breaks one.
#pragma once

#include "simulation/life.h"

namespace payonce::simulation {

/// The shortest storm with the fewest kinds of faults that was found.
[[nodiscard]] Script shrunk(const Script& failing);

} // namespace payonce::simulation
