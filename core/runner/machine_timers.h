// MachineTimers: the timers of ActionMachine, one of each kind.
#pragma once

#include "retry/event.h"

#include <QtCore/QTimer>

#include <array>
#include <functional>

namespace payonce::runner {

/// Single shots on the monotonic clock, to the millisecond. Starting a kind again replaces it.
class MachineTimers
{
public:
    /// `fired` runs on the thread that made this object.
    explicit MachineTimers(std::function<void(retry::TimerKind)> fired);

    void start(retry::TimerKind kind, std::chrono::milliseconds delay);
    void stop(retry::TimerKind kind);

private:
    static constexpr std::size_t kKinds = static_cast<std::size_t>(retry::TimerKind::FenceDue) + 1;

    [[nodiscard]] QTimer& timer(retry::TimerKind kind);

    std::function<void(retry::TimerKind)> m_fired;
    std::array<QTimer, kKinds> m_timers;
};

} // namespace payonce::runner
