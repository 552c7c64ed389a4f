#include "runner/machine_timers.h"

#include <algorithm>
#include <utility>

namespace payonce::runner {

MachineTimers::MachineTimers(std::function<void(retry::TimerKind)> fired) : m_fired(std::move(fired))
{
    for (std::size_t index = 0; index < kKinds; ++index) {
        QTimer& timer = m_timers.at(index);
        timer.setSingleShot(true);
        timer.setTimerType(Qt::PreciseTimer);
        QObject::connect(&timer, &QTimer::timeout, &timer, [this, index] { m_fired(static_cast<retry::TimerKind>(index)); });
    }
}

void MachineTimers::start(retry::TimerKind kind, std::chrono::milliseconds delay)
{
    timer(kind).start(std::max(delay, std::chrono::milliseconds::zero()));
}

void MachineTimers::stop(retry::TimerKind kind)
{
    timer(kind).stop();
}

QTimer& MachineTimers::timer(retry::TimerKind kind)
{
    return m_timers.at(static_cast<std::size_t>(kind));
}

} // namespace payonce::runner
