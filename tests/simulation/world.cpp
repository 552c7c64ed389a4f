#include "simulation/world.h"

#include <algorithm>
#include <array>
#include <iostream>

namespace payonce::simulation {

World::World(std::uint64_t seed, Planted planted, Tracing tracing, const Cuts& cuts)
    : m_random(seed), m_planted(planted), m_tracing(tracing)
{
    (void)draw();
    m_weather = drawWeather([this] { return draw(); }, cuts);
}

values::WallTime World::trueWall() const
{
    constexpr auto kStart = values::WallTime(std::chrono::milliseconds(1'796'040'000'000)); // 2026-11-30T12:00:00Z
    return kStart + std::chrono::floor<std::chrono::milliseconds>(m_now);
}

values::WallTime World::wall() const
{
    return trueWall() + (isStormy() ? m_clockOffset : std::chrono::milliseconds::zero());
}

std::chrono::milliseconds World::clockStep()
{
    using namespace std::chrono_literals;
    constexpr std::array<std::chrono::milliseconds, 8> kSteps = {0s, 0s, 10s, -10s, 1h, -1h, 24h, -24h};
    return kSteps.at(draw() % kSteps.size());
}

std::uint64_t World::draw()
{
    m_random += 0x9E3779B97F4A7C15U;
    std::uint64_t mixed = m_random;
    mixed = (mixed ^ (mixed >> 30U)) * 0xBF58476D1CE4E5B9U;
    mixed = (mixed ^ (mixed >> 27U)) * 0x94D049BB133111EBU;
    return mixed ^ (mixed >> 31U);
}

values::UuidRandom World::randomBytes()
{
    values::UuidRandom bytes{};
    for (auto& byte : bytes)
        byte = static_cast<std::uint8_t>(draw());
    return bytes;
}

Micros World::between(Micros low, Micros high)
{
    const auto span = static_cast<std::uint64_t>((high - low).count()) + 1;
    return low + Micros(static_cast<Micros::rep>(draw() % span));
}

bool World::strikes(double probability)
{
    return isStormy() && chance(probability);
}

bool World::chance(double probability)
{
    return static_cast<double>(draw() % 1'000'000) < probability * 1'000'000;
}

void World::after(Micros delay, std::function<void()> task)
{
    m_tasks.push_back(Task{m_now + delay, m_order++, std::move(task)});
    std::push_heap(m_tasks.begin(), m_tasks.end(), isLater);
}

bool World::runNext(Micros limit)
{
    if (m_tasks.empty() || m_tasks.front().at > limit)
        return false;
    std::pop_heap(m_tasks.begin(), m_tasks.end(), isLater);
    const Task task = std::move(m_tasks.back());
    m_tasks.pop_back();
    m_now = task.at;
    task.run();
    return true;
}

void World::trace(const std::string& who, const std::string& what) const
{
    if (m_tracing == Tracing::Off)
        return;
    constexpr std::size_t kSecondsWidth = 4;
    constexpr std::size_t kFractionWidth = 6;
    constexpr std::size_t kNameWidth = 9;
    const auto micros = m_now.count();
    const auto padded = [](const std::string& text, std::size_t width, char fill) {
        return std::string(text.size() < width ? width - text.size() : 0, fill) + text;
    };
    std::cout << padded(std::to_string(micros / 1'000'000), kSecondsWidth, ' ') << '.'
              << padded(std::to_string(micros % 1'000'000), kFractionWidth, '0') << "  " << who
              << std::string(who.size() < kNameWidth ? kNameWidth - who.size() : 1, ' ') << what << '\n';
}

} // namespace payonce::simulation
