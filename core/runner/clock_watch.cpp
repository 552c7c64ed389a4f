#include "runner/clock_watch.h"

#include <utility>

namespace payonce::runner {

ClockWatch::ClockWatch(Environment& environment, std::function<void()> jumped)
    : m_environment(environment), m_jumped(std::move(jumped)), m_last(environment.now())
{
    QObject::connect(&m_tick, &QTimer::timeout, &m_tick, [this] { look(); });
}

void ClockWatch::start()
{
    m_last = m_environment.now();
    m_tick.start(kTick);
}

void ClockWatch::look()
{
    const values::Now now = m_environment.now();
    const auto gap = std::chrono::abs((now.wall - m_last.wall) - (now.mono - m_last.mono));
    m_last = now;
    if (gap > kJump) {
        m_jumped();
    }
}

} // namespace payonce::runner
