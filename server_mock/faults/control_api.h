// The simulator's remote control: its own port and token, so that faults never hit it (docs/faults.md, Control API).
#pragma once

#include "faults/journal_readers.h"
#include "faults/ledger_source.h"
#include "faults/pause_desk.h"
#include "faults/scenario_engine.h"
#include "faults/server_clock.h"
#include "http/listener.h"

#include <QtCore/QObject>

#include <array>
#include <functional>
#include <map>
#include <memory>

namespace payonce::faults {

/// GET|PUT|DELETE /scenario, POST /rules, DELETE /rules/{id}, GET /points, /journal, /ledger, /verdict, /snapshot, POST /await,
/// /release, /clock, /reset. Every request carries `Authorization: Bearer TOKEN`. Its parts outlive it; a ledger that answers
/// after its end is not heard.
class ControlApi final : public QObject
{
    Q_OBJECT

public:
    struct Parts
    {
        ScenarioEngine& engine;
        ArrivalJournal& journal;
        LedgerSource& ledger;
        ServerClock& clock;
    };

    ControlApi(Parts parts, QByteArray token, QObject* parent = nullptr);

    [[nodiscard]] values::Result<void, http::ListenError> listen(quint16 port) { return m_listener.listen(port); }
    [[nodiscard]] quint16 port() const { return m_listener.port(); }

private:
    using Shared = std::shared_ptr<http::Exchange>;
    struct Route
    {
        QByteArrayView method;
        QByteArrayView path; ///< one that ends in a slash goes on with a name
        void (ControlApi::*serve)(const Shared&);
    };
    static const std::array<Route, 14>& routes();
    [[nodiscard]] bool isAllowed(const http::Request& request) const;
    void route(const Shared& exchange);
    void showScenario(const Shared& exchange);
    void putScenario(const Shared& exchange);
    void dropScenario(const Shared& exchange);
    void addRule(const Shared& exchange);
    void removeRule(const Shared& exchange);
    void showPoints(const Shared& exchange);
    void showJournal(const Shared& exchange) { m_readers.show(exchange); }
    void showLedger(const Shared& exchange);
    void showVerdict(const Shared& exchange);
    void showSnapshot(const Shared& exchange);
    void await(const Shared& exchange) { m_pauses.await(exchange); }
    void release(const Shared& exchange) { m_pauses.release(exchange); }
    void moveClock(const Shared& exchange);
    void reset(const Shared& exchange);
    void emptyLedger(const Shared& exchange);
    using Render = std::function<QByteArray(const LedgerView&)>;
    /// `prepare` runs on this thread once the ledger is read; what it gives must not need this thread.
    void readLedger(const Shared& exchange, std::function<Render()> prepare);
    void renderAside(const Shared& exchange, std::function<QByteArray()> render);

    Parts m_parts;
    const QByteArray m_token;
    JournalReaders m_readers;
    PauseDesk m_pauses;
    std::map<quint64, Shared> m_rendered; ///< by who asked
    quint64 m_lastRendered = 0;
    http::Listener m_listener; // last: its connections end first
};

} // namespace payonce::faults
