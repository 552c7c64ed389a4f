// ClockWatch: notices that the wall clock jumped or that the computer slept.
#pragma once

#include "runner/environment.h"

#include <QtCore/QTimer>

#include <functional>

namespace payonce::runner {

/// Once a second it compares how far the two clocks moved. The monotonic clock stands still in sleep on Linux, so a sleep
/// shows as a jump of the wall clock (docs/client.md, invariant 12).
class ClockWatch
{
public:
    static constexpr std::chrono::milliseconds kTick{1000};
    /// A smaller difference is a clock being slewed or a late tick.
    static constexpr std::chrono::milliseconds kJump{5000};

    /// `jumped` runs on the thread that made this object. `environment` must outlive it.
    ClockWatch(Environment& environment, std::function<void()> jumped);

    void start();
    /// One look at the clocks; the tick calls it.
    void look();

private:
    Environment& m_environment;
    std::function<void()> m_jumped;
    QTimer m_tick;
    values::Now m_last;
};

} // namespace payonce::runner
