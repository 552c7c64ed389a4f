// Transitions: which state may follow which, within one process and for one action.
#pragma once

#include "retry/action.h"

namespace payonce::simulation {

[[nodiscard]] bool mayFollow(retry::State before, retry::State after);

} // namespace payonce::simulation
