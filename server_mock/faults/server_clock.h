// The clocks of the server, which the control API and clock_step move: wall time, monotonic time, and the timers that follow.
#pragma once

#include "values/time.h"

#include <QtCore/QObject>
#include <QtCore/QPointer>
#include <QtCore/QTimer>

#include <chrono>
#include <functional>
#include <map>

namespace payonce::faults {

/// Lives on the server's main thread, and is read there.
class ServerClock final : public QObject
{
    Q_OBJECT

public:
    using ms = std::chrono::milliseconds;
    /// What runs beneath, unmoved. `uptime`: monotonic.
    struct Base
    {
        std::function<values::WallTime()> wall;
        std::function<ms()> uptime;
    };

    explicit ServerClock(Base base, QObject* parent = nullptr);

    [[nodiscard]] values::WallTime wall() const { return m_base.wall() + m_advanced + m_stepped; }
    [[nodiscard]] ms uptime() const { return m_base.uptime() + m_advanced; }

    /// Time goes on by `time` at once, on both clocks: what is due by then runs before this returns.
    void advance(ms time);
    /// The wall clock alone jumps, as when somebody sets it.
    void step(ms by);
    /// Undoes every step(); what advance() added stays, as time does not go back.
    void setRight() { step(-m_stepped); }
    /// Runs `then` once, when `time` has passed on the monotonic clock, unless `context` is gone by then.
    void after(ms time, QObject* context, std::function<void()> then);

Q_SIGNALS:
    /// After every advance() and step().
    void moved();

private:
    struct Timer
    {
        QPointer<QObject> context;
        std::function<void()> then;
    };

    void runDue();
    void wait();

    Base m_base;
    ms m_advanced{0};
    ms m_stepped{0};
    std::multimap<ms, Timer> m_timers; // by when they are due
    QTimer m_next;
};

} // namespace payonce::faults
