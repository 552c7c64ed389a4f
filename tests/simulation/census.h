// Census: many lives, one after the other or on several threads, and what became of them.
#pragma once

#include "simulation/options.h"

#include <map>
#include <optional>

namespace payonce::simulation {

struct Totals
{
    std::map<std::string, std::uint64_t> ends;
    std::map<std::string, std::uint64_t> seen;
    std::uint64_t lives = 0;
    std::uint64_t charges = 0;
    std::uint64_t posts = 0;
    std::uint64_t probes = 0;
    std::uint64_t appCrashes = 0;
    std::uint64_t purchases = 0;

    void add(const LifeReport& report);
    void add(const Totals& more);
    void print() const;
};

struct Census
{
    Totals totals;
    std::optional<std::uint64_t> failing; ///< the seed of a life that broke a rule; none after it are looked for
};

/// Lives `options.lives` lives, or fewer where one fails.
[[nodiscard]] Census liveAll(const Options& options);

} // namespace payonce::simulation
