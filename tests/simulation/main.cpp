// payonce-simulation: see README.md.

#include "simulation/census.h"
#include "simulation/shrink.h"

#include <iostream>

namespace {

using namespace payonce::simulation;

constexpr int kFine = 0;
constexpr int kViolated = 1;
constexpr int kWrongUsage = 2;

void tellFailure(const Script& script)
{
    std::cout << "VIOLATED at seed " << script.seed << ": " << live(script, World::Tracing::Off).violation << '\n'
              << "whole:     " << replayLine(script) << std::endl;
    const Script shorter = shrunk(script);
    const std::string broken = live(shorter, World::Tracing::On).violation;
    std::cout << "cut short: " << replayLine(shorter) << '\n' << "which breaks: " << broken << '\n';
}

int liveOne(const Options& options)
{
    const Script script{*options.seed, options.planted, options.cuts};
    const auto report = live(script, options.tracing);
    std::cout << "seed " << *options.seed << " ended " << report.end << ", charges " << report.charges << '\n';
    if (report.violation.empty())
        return kFine;
    if (options.isCutShort)
        tellFailure(script);
    else
        std::cout << "VIOLATED: " << report.violation << '\n';
    return kViolated;
}

int liveMany(const Options& options)
{
    const bool wantsViolation = options.planted != Planted::Nothing;
    const auto census = liveAll(options);
    if (census.failing && wantsViolation) {
        const Script script{*census.failing, options.planted, options.cuts};
        std::cout << "found at seed " << script.seed << ": " << live(script, World::Tracing::Off).violation << '\n';
        return kFine;
    }
    if (census.failing) {
        tellFailure({*census.failing, options.planted, options.cuts});
        return kViolated;
    }
    std::cout << options.lives << " lives from seed " << options.firstSeed << '\n';
    census.totals.print();
    if (wantsViolation)
        std::cout << "the planted fault " << nameOf(options.planted) << " was not found\n";
    return wantsViolation ? kViolated : kFine;
}

} // namespace

int main(int argc, char** argv)
{
    const auto options = parseOptions({argv + 1, argv + argc});
    if (!options) {
        std::cerr << kUsage;
        return kWrongUsage;
    }
    return options->seed ? liveOne(*options) : liveMany(*options);
}
