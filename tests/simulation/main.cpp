// payonce-simulation: see README.md.

#include "simulation/life.h"

#include <charconv>
#include <cstring>
#include <iostream>
#include <map>
#include <optional>
#include <vector>

namespace {

using namespace payonce::simulation;

constexpr int kFine = 0;
constexpr int kViolated = 1;
constexpr int kUsage = 2;

struct Options
{
    std::uint64_t lives = 2500;
    std::uint64_t firstSeed = 1;
    std::optional<std::uint64_t> seed;
    World::Tracing tracing = World::Tracing::Off;
    Planted planted = Planted::Nothing;
};

std::optional<std::uint64_t> numberOf(const char* text)
{
    std::uint64_t number = 0;
    const char* end = text + std::strlen(text);
    const auto [stop, error] = std::from_chars(text, end, number);
    if (error != std::errc() || stop != end)
        return {};
    return number;
}

bool takeNumber(const char* text, std::uint64_t& into)
{
    const auto number = numberOf(text);
    into = number.value_or(0);
    return number.has_value();
}

/// Empty: not understood.
std::optional<Options> parse(const std::vector<const char*>& words)
{
    Options options;
    for (std::size_t i = 0; i < words.size(); ++i) {
        const std::string flag = words[i];
        if (flag == "--trace") {
            options.tracing = World::Tracing::On;
            continue;
        }
        if (++i == words.size())
            return {};
        bool understood = false;
        if (flag == "--lives")
            understood = takeNumber(words[i], options.lives) && options.lives > 0;
        else if (flag == "--first-seed")
            understood = takeNumber(words[i], options.firstSeed);
        else if (flag == "--seed")
            understood = (options.seed = numberOf(words[i])).has_value();
        else if (flag == "--planted") {
            const auto planted = plantedOf(words[i]);
            understood = planted.has_value();
            options.planted = planted.value_or(Planted::Nothing);
        }
        if (!understood)
            return {};
    }
    return options;
}

struct Totals
{
    std::map<std::string, int> ends;
    std::map<std::string, int> seen;
    long charges = 0;
    long posts = 0;
    long probes = 0;
    long appCrashes = 0;
    long purchases = 0;

    void add(const LifeReport& report)
    {
        ++ends[report.end];
        for (const auto& state : report.seen)
            ++seen[state];
        charges += report.charges;
        posts += report.posts;
        probes += report.probes;
        appCrashes += report.appCrashes;
        purchases += report.purchases;
    }

    static void printCounts(const char* title, const std::map<std::string, int>& counts)
    {
        std::cout << title << ':';
        for (const auto& [state, count] : counts)
            std::cout << ' ' << state << ' ' << count;
        std::cout << '\n';
    }

    void print() const
    {
        printCounts("lives ended", ends);
        printCounts("lives that showed", seen);
        std::cout << "purchases " << purchases << ", charges " << charges << ", POSTs " << posts << ", probes " << probes
                  << ", crashes of the app " << appCrashes << '\n';
    }
};

int liveOne(const Options& options)
{
    const auto report = live(*options.seed, options.planted, options.tracing);
    std::cout << "seed " << *options.seed << " ended " << report.end << ", charges " << report.charges << '\n';
    if (report.violation.empty())
        return kFine;
    std::cout << "VIOLATED: " << report.violation << '\n';
    return kViolated;
}

int liveMany(const Options& options)
{
    const bool wantsViolation = options.planted != Planted::Nothing;
    Totals totals;
    for (std::uint64_t seed = options.firstSeed; seed < options.firstSeed + options.lives; ++seed) {
        const auto report = live(seed, options.planted, World::Tracing::Off);
        totals.add(report);
        if (report.violation.empty())
            continue;
        std::cout << (wantsViolation ? "found at seed " : "VIOLATED at seed ") << seed << ": " << report.violation << '\n';
        if (wantsViolation)
            return kFine;
        std::cout << "replay: payonce-simulation --seed " << seed << " --trace\n";
        return kViolated;
    }
    std::cout << options.lives << " lives from seed " << options.firstSeed << '\n';
    totals.print();
    if (wantsViolation)
        std::cout << "the planted fault " << nameOf(options.planted) << " was not found\n";
    return wantsViolation ? kViolated : kFine;
}

} // namespace

int main(int argc, char** argv)
{
    const auto options = parse({argv + 1, argv + argc});
    if (!options) {
        std::cerr << "usage: payonce-simulation [--lives N] [--first-seed S] [--seed S [--trace]] [--planted FAULT]\n";
        return kUsage;
    }
    return options->seed ? liveOne(*options) : liveMany(*options);
}
