// GET /journal of the control API: shows rows, and holds who waits for the next one (docs/faults.md, Control API).
#pragma once

#include "faults/control_json.h"
#include "faults/scenario_engine.h"
#include "http/exchange.h"

#include <QtCore/QObject>

#include <chrono>
#include <map>
#include <memory>

namespace payonce::faults {

/// Readers of the journal that wait for a row at once; beyond: 429.
inline constexpr std::size_t kMostWaiters = 64;

/// Journal and engine outlive it.
class JournalReaders final : public QObject
{
    Q_OBJECT

public:
    JournalReaders(ArrivalJournal& journal, ScenarioEngine& engine, QObject* parent = nullptr);

    /// `?after=&action=&until=&wait=`. While somebody waits until a point, every passage of it is written down.
    void show(const std::shared_ptr<http::Exchange>& exchange);

private:
    struct Waiter
    {
        std::shared_ptr<http::Exchange> exchange;
        RowFilter filter;
    };

    [[nodiscard]] RowsBody rows(const RowFilter& filter) const;
    void hold(const std::shared_ptr<http::Exchange>& exchange, RowFilter filter, std::chrono::seconds wait);
    void forgetWhoLeft();
    void serve();
    void end(quint64 number);
    void tell(const Waiter& waiter);

    ArrivalJournal& m_journal;
    ScenarioEngine& m_engine;
    std::map<quint64, Waiter> m_waiters; // the oldest first
    quint64 m_lastWaiter = 0;
};

} // namespace payonce::faults
