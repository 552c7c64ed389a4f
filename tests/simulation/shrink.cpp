#include "simulation/shrink.h"

namespace payonce::simulation {

namespace {

bool fails(const Script& script)
{
    return !live(script, World::Tracing::Off).violation.empty();
}

bool leaveOutMembers(Script& script)
{
    bool isSmaller = false;
    for (std::size_t i = 0; i < kWeatherMembers.size(); ++i) {
        Script less = script;
        less.cuts.without.set(i);
        if (less.cuts == script.cuts || !fails(less))
            continue;
        script = less;
        isSmaller = true;
    }
    return isSmaller;
}

/// By halves: what fails in a storm need not fail in a shorter one that is longer than the shortest.
bool shortenStorm(Script& script)
{
    constexpr Micros kPrecision{1000};
    Micros fine{0};
    Micros failing = live(script, World::Tracing::Off).storm;
    const Micros before = failing;
    while (failing - fine > kPrecision) {
        Script less = script;
        less.cuts.storm = fine + (failing - fine) / 2;
        (fails(less) ? failing : fine) = *less.cuts.storm;
    }
    if (failing == before)
        return false;
    script.cuts.storm = failing;
    return true;
}

} // namespace

Script shrunk(const Script& failing)
{
    Script script = failing;
    bool isSmaller = true;
    while (isSmaller) {
        const bool hasFewer = leaveOutMembers(script);
        isSmaller = shortenStorm(script) || hasFewer;
    }
    return script;
}

} // namespace payonce::simulation
