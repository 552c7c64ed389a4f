#include "storage/database_clock.h"

#include "machine/machine_clock.h"

#include <ctime>

namespace payonce::storage {

std::chrono::milliseconds uptime()
{
    timespec time{};
    clock_gettime(CLOCK_BOOTTIME, &time);
    return std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::seconds(time.tv_sec) +
                                                                 std::chrono::nanoseconds(time.tv_nsec));
}

values::WallTime DatabaseClock::now() const
{
    const std::lock_guard lock(m_mutex);
    if (m_anchor)
        return m_anchor->wall + (uptime() - m_anchor->uptime);
    return machine::wallTime();
}

void DatabaseClock::observe(const std::optional<values::WallTime>& atDatabase)
{
    const std::lock_guard lock(m_mutex);
    if (atDatabase)
        m_anchor = Anchor{*atDatabase, uptime()};
    else
        m_anchor.reset();
}

} // namespace payonce::storage
