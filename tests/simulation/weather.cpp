#include "simulation/weather.h"

#include <algorithm>

namespace payonce::simulation {

Weather drawWeather(const std::function<std::uint64_t()>& draw, const Cuts& cuts)
{
    Weather weather;
    const double roughness = static_cast<double>(1 + draw() % 3);
    weather.storm = std::chrono::seconds(5 + draw() % 100);
    for (std::size_t i = 0; i < kWeatherMembers.size(); ++i) {
        const bool isLeftOut = draw() % 3 == 0;
        const double strength = roughness * static_cast<double>(draw() % 1000) / 3000.0;
        const auto& member = kWeatherMembers.at(i);
        weather.*member.value = isLeftOut || cuts.without.test(i) ? 0.0 : member.most * strength;
    }
    weather.storm = std::min(weather.storm, cuts.storm.value_or(weather.storm));
    return weather;
}

} // namespace payonce::simulation
