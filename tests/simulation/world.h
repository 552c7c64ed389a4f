// World: simulated time, seeded chance, and what goes on in it.
#pragma once

#include "simulation/planted.h"
#include "simulation/weather.h"

#include "values/uuid.h"

#include <functional>
#include <string>
#include <vector>

namespace payonce::simulation {

class World
{
public:
    enum class Tracing { Off, On };

    World(std::uint64_t seed, Planted planted, Tracing tracing, const Cuts& cuts);

    [[nodiscard]] Planted planted() const { return m_planted; }
    [[nodiscard]] bool has(Planted planted) const { return m_planted == planted; }
    [[nodiscard]] const Weather& weather() const { return m_weather; }
    [[nodiscard]] bool isStormy() const { return m_now < m_weather.storm; }

    [[nodiscard]] Micros now() const { return m_now; }
    /// The clock of the shop's database, and of the bank.
    [[nodiscard]] values::WallTime wall() const;
    /// Sets that clock forward or back until the storm is over.
    void stepClock(std::chrono::milliseconds offset) { m_clockOffset = offset; }
    /// What a clock that nobody steps would show.
    [[nodiscard]] values::WallTime trueWall() const;
    /// A step of a clock as they happen: seconds of a correction, an hour of daylight saving, a day of a wrong date.
    [[nodiscard]] std::chrono::milliseconds clockStep();

    [[nodiscard]] std::uint64_t draw();
    [[nodiscard]] values::UuidRandom randomBytes();
    [[nodiscard]] Micros between(Micros low, Micros high);
    /// Always false once the storm is over.
    [[nodiscard]] bool strikes(double probability);
    /// Also when it is quiet.
    [[nodiscard]] bool chance(double probability);

    void after(Micros delay, std::function<void()> task);
    /// Runs the next task. False: nothing is left before `limit`.
    bool runNext(Micros limit);

    [[nodiscard]] bool isTraced() const { return m_tracing == Tracing::On; }
    void trace(const std::string& who, const std::string& what) const;

private:
    struct Task
    {
        Micros at;
        std::uint64_t order;
        std::function<void()> run;
    };
    /// For a heap whose front is the earliest.
    static bool isLater(const Task& left, const Task& right)
    {
        return left.at != right.at ? left.at > right.at : left.order > right.order;
    }

    std::uint64_t m_random;
    Planted m_planted;
    Tracing m_tracing;
    Weather m_weather;
    Micros m_now{};
    std::chrono::milliseconds m_clockOffset{};
    std::uint64_t m_order = 0;
    std::vector<Task> m_tasks;
};

} // namespace payonce::simulation
