// Options: the command line, and the line that replays one life.
#pragma once

#include "simulation/life.h"

#include <optional>
#include <string>
#include <vector>

namespace payonce::simulation {

struct Options
{
    std::uint64_t lives = 2500;
    std::uint64_t firstSeed = 1;
    unsigned jobs = 1;
    std::optional<std::uint64_t> seed; ///< only this life
    World::Tracing tracing = World::Tracing::Off;
    bool isCutShort = false; ///< that life, if it fails
    bool isProgressShown = false;
    Planted planted = Planted::Nothing;
    Cuts cuts;
};

extern const char* const kUsage;

/// Empty: not understood.
[[nodiscard]] std::optional<Options> parseOptions(const std::vector<const char*>& words);
[[nodiscard]] std::string replayLine(const Script& script);

} // namespace payonce::simulation
