#include "simulation/options.h"

#include <charconv>
#include <cstring>
#include <sstream>

namespace payonce::simulation {

const char* const kUsage = "usage: payonce-simulation [--lives N] [--first-seed S] [--jobs J] [--progress]\n"
                           "                          [--seed S [--trace | --shrink]]\n"
                           "                          [--planted FAULT] [--storm MICROSECONDS] [--without MEMBER,...]\n";

namespace {

bool takeNumber(const char* text, std::uint64_t& into)
{
    const char* end = text + std::strlen(text);
    const auto [stop, error] = std::from_chars(text, end, into);
    return error == std::errc() && stop == end;
}

bool takeMembers(const std::string& names, Cuts& cuts)
{
    std::istringstream rest(names);
    for (std::string name; std::getline(rest, name, ',');) {
        bool isKnown = false;
        for (std::size_t i = 0; i < kWeatherMembers.size(); ++i) {
            if (kWeatherMembers.at(i).name != name)
                continue;
            cuts.without.set(i);
            isKnown = true;
        }
        if (!isKnown)
            return false;
    }
    return true;
}

bool takeValue(const std::string& flag, const char* value, Options& options)
{
    std::uint64_t number = 0;
    if (flag == "--planted") {
        const auto planted = plantedOf(value);
        options.planted = planted.value_or(Planted::Nothing);
        return planted.has_value();
    }
    if (flag == "--without")
        return takeMembers(value, options.cuts);
    if (!takeNumber(value, number))
        return false;
    if (flag == "--first-seed")
        options.firstSeed = number;
    else if (flag == "--seed")
        options.seed = number;
    else if (flag == "--storm")
        options.cuts.storm = Micros(static_cast<Micros::rep>(number));
    else if (flag == "--lives" && number > 0)
        options.lives = number;
    else if (flag == "--jobs" && number > 0 && number <= 1024)
        options.jobs = static_cast<unsigned>(number);
    else
        return false;
    return true;
}

} // namespace

std::optional<Options> parseOptions(const std::vector<const char*>& words)
{
    Options options;
    for (std::size_t i = 0; i < words.size(); ++i) {
        const std::string flag = words[i];
        if (flag == "--trace")
            options.tracing = World::Tracing::On;
        else if (flag == "--shrink")
            options.isCutShort = true;
        else if (flag == "--progress")
            options.isProgressShown = true;
        else if (++i == words.size() || !takeValue(flag, words[i], options))
            return {};
    }
    return options;
}

std::string replayLine(const Script& script)
{
    std::ostringstream line;
    line << "payonce-simulation --seed " << script.seed;
    if (script.planted != Planted::Nothing)
        line << " --planted " << nameOf(script.planted);
    if (script.cuts.storm)
        line << " --storm " << script.cuts.storm->count();
    const char* between = " --without ";
    for (std::size_t i = 0; i < kWeatherMembers.size(); ++i) {
        if (!script.cuts.without.test(i))
            continue;
        line << between << kWeatherMembers.at(i).name;
        between = ",";
    }
    line << " --trace";
    return line.str();
}

} // namespace payonce::simulation
