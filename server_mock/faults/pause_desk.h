// POST /await and POST /release of the control API: waits until work is paused at a point, and lets it go on.
#pragma once

#include "faults/control_orders.h"
#include "faults/held_work.h"
#include "http/exchange.h"

#include <QtCore/QObject>

#include <map>
#include <memory>
#include <set>

namespace payonce::faults {

/// Who waits for a pause at once; beyond: 429.
inline constexpr std::size_t kMostAwaiting = 64;

/// Each paused work is given to one who awaits it. `work` outlives it.
class PauseDesk final : public QObject
{
    Q_OBJECT

public:
    explicit PauseDesk(HeldWork& work, QObject* parent = nullptr);

    void await(const std::shared_ptr<http::Exchange>& exchange);
    void release(const std::shared_ptr<http::Exchange>& exchange);

private:
    struct Waiter
    {
        std::shared_ptr<http::Exchange> exchange;
        AwaitOrder order;
    };

    void hasPaused(HeldWork::Token token);
    void end(quint64 number);

    HeldWork& m_work;
    std::set<HeldWork::Token> m_given;   // of what is paused
    std::map<quint64, Waiter> m_waiters; // the oldest first
    quint64 m_lastWaiter = 0;
};

} // namespace payonce::faults
