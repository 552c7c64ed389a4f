// The simulator's remote control: its own port and token, so that faults never hit it (docs/faults.md, Control API).
#pragma once

#include "faults/control_json.h"
#include "faults/ledger_source.h"
#include "faults/scenario_engine.h"
#include "http/listener.h"

#include <QtCore/QObject>

#include <array>
#include <deque>
#include <functional>
#include <map>
#include <memory>

namespace payonce::faults {

/// Readers of the journal that wait for a row at once; beyond: 429.
inline constexpr std::size_t kMostWaiters = 64;

/// GET|PUT|DELETE /scenario, GET /points, /journal, /ledger, /verdict, POST /reset. Every request carries
/// `Authorization: Bearer TOKEN`. Engine, journal and ledger outlive it; a ledger that answers after its end is not heard.
class ControlApi final : public QObject
{
    Q_OBJECT

public:
    struct Parts
    {
        ScenarioEngine& engine;
        ArrivalJournal& journal;
        LedgerSource& ledger;
    };

    ControlApi(Parts parts, QByteArray token, QObject* parent = nullptr);

    [[nodiscard]] values::Result<void, http::ListenError> listen(quint16 port) { return m_listener.listen(port); }
    [[nodiscard]] quint16 port() const { return m_listener.port(); }

private:
    using Shared = std::shared_ptr<http::Exchange>;
    struct Route
    {
        QByteArrayView method;
        QByteArrayView path;
        void (ControlApi::*serve)(const Shared&);
    };
    struct Waiter
    {
        Shared exchange;
        RowFilter filter;
        quint64 number = 0;
    };

    static const std::array<Route, 8>& routes();
    [[nodiscard]] bool isAllowed(const http::Request& request) const;
    void route(const Shared& exchange);
    void showScenario(const Shared& exchange);
    void putScenario(const Shared& exchange);
    void dropScenario(const Shared& exchange);
    void showPoints(const Shared& exchange);
    void showJournal(const Shared& exchange);
    void showLedger(const Shared& exchange);
    void showVerdict(const Shared& exchange);
    void reset(const Shared& exchange);
    using Render = std::function<QByteArray(const LedgerView&)>;
    /// `prepare` runs on this thread once the ledger is read; what it gives must not need this thread.
    void readLedger(const Shared& exchange, std::function<Render()> prepare);
    void renderAside(const Shared& exchange, std::function<QByteArray()> render);
    void waitForRows(const Shared& exchange, RowFilter filter, std::chrono::seconds wait);
    void serveWaiters();
    void endWait(quint64 number);

    Parts m_parts;
    const QByteArray m_token;
    std::deque<Waiter> m_waiters;
    quint64 m_lastWaiter = 0;
    std::map<quint64, Shared> m_rendered; ///< by who asked
    quint64 m_lastRendered = 0;
    http::Listener m_listener; // last: its connections end first
};

} // namespace payonce::faults
