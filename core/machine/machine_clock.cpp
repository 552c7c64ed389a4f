#include "machine/machine_clock.h"

#include <chrono>

namespace payonce::machine {

values::WallTime wallTime()
{
    return std::chrono::floor<values::WallTime::duration>(std::chrono::system_clock::now());
}

values::MonotonicTime monotonicTime()
{
    const auto sinceStart = std::chrono::steady_clock::now().time_since_epoch();
    return values::MonotonicTime(std::chrono::duration_cast<values::MonotonicClock::duration>(sinceStart));
}

values::Now now()
{
    return {.wall = wallTime(), .mono = monotonicTime()};
}

} // namespace payonce::machine
