// Life: one cart from the first press to the end of everything that could still happen.
#pragma once

#include "simulation/world.h"

#include <set>

namespace payonce::simulation {

/// All that a life depends on.
struct Script
{
    std::uint64_t seed = 1;
    Planted planted = Planted::Nothing;
    Cuts cuts{};
};

struct LifeReport
{
    std::string violation;      ///< empty: every rule held
    std::string end;            ///< the state and cause it ended in
    std::set<std::string> seen; ///< every state and cause that was shown
    Micros storm{};
    int charges = 0;
    int posts = 0;
    int probes = 0;
    int appCrashes = 0;
    int purchases = 0;
};

[[nodiscard]] LifeReport live(const Script& script, World::Tracing tracing);

} // namespace payonce::simulation
