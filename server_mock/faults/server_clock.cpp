#include "faults/server_clock.h"

#include "values/check.h"

#include <algorithm>
#include <utility>

namespace payonce::faults {

ServerClock::ServerClock(Base base, QObject* parent) : QObject(parent), m_base(std::move(base))
{
    m_next.setSingleShot(true);
    m_next.setTimerType(Qt::PreciseTimer);
    connect(&m_next, &QTimer::timeout, this, &ServerClock::runDue);
}

void ServerClock::advance(ms time)
{
    CHECK(time >= ms(0));
    m_advanced += time;
    runDue();
    Q_EMIT moved();
}

void ServerClock::step(ms by)
{
    m_stepped += by;
    Q_EMIT moved();
}

void ServerClock::after(ms time, QObject* context, std::function<void()> then)
{
    const auto due = uptime() + time;
    const bool isNext = m_timers.empty() || due < m_timers.begin()->first;
    m_timers.emplace(due, Timer{context, std::move(then)});
    if (isNext)
        wait();
}

/// Only what is due at the beginning: a timer that starts another one of no time does not keep the others waiting.
void ServerClock::runDue()
{
    const auto now = uptime();
    while (!m_timers.empty() && m_timers.begin()->first <= now) {
        const auto due = m_timers.extract(m_timers.begin());
        if (due.mapped().context)
            due.mapped().then();
    }
    wait();
}

void ServerClock::wait()
{
    if (!m_timers.empty())
        m_next.start(std::max(m_timers.begin()->first - uptime(), ms(0)));
}

} // namespace payonce::faults
