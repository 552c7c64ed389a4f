#include "runner/system_environment.h"

#include <QtCore/QRandomGenerator>

#include <chrono>

namespace payonce::runner {

using std::chrono::duration_cast;

SystemEnvironment::SystemEnvironment(std::optional<std::uint64_t> seed)
{
    if (seed) {
        m_seeded.emplace(*seed);
    }
}

values::Now SystemEnvironment::now()
{
    const auto wall = std::chrono::system_clock::now();
    const auto mono = std::chrono::steady_clock::now().time_since_epoch();
    return {.wall = std::chrono::time_point_cast<values::WallTime::duration>(wall),
            .mono = values::MonotonicTime(duration_cast<values::MonotonicClock::duration>(mono))};
}

std::uint64_t SystemEnvironment::draw()
{
    return m_seeded ? (*m_seeded)() : QRandomGenerator::system()->generate64();
}

} // namespace payonce::runner
