// Listens on a TCP port, reads HTTP/1.1 requests and hands each to one handler (docs/contract.md, HTTP).
#pragma once

#include "http/connection_host.h"
#include "protocol/answer.h"
#include "protocol/fields.h"
#include "values/result.h"
#include "values/uuid.h"

#include <QtCore/QObject>
#include <QtCore/QSet>
#include <QtCore/QTimer>
#include <QtNetwork/QHostAddress>

#include <chrono>
#include <memory>

class QTcpServer;

namespace payonce::http {

class Connection;

enum class ListenError { AddressInUse, NotAllowed, Failed };

/// problem+json of protocol/answer.h, with the echo of the action and Retry-After.
[[nodiscard]] Response responseOf(const protocol::Problem& problem);
/// The well-formed key of a request, for the echo; whether it may be used is not asked.
[[nodiscard]] std::optional<values::ActionId> actionIdOf(const Request& head, protocol::KeyForm form);

/// Echoes the action ID where the head was complete and its Idempotency-Key well-formed.
[[nodiscard]] Response renderProblem(const Refusal& refusal, const Request& head);
/// The same for a shop that takes keys of any form.
[[nodiscard]] Response renderProblemOfAnyKey(const Refusal& refusal, const Request& head);

/// Lives on one thread, with its event loop. Never has more than Limits::connections open. Deleting it ends every connection;
/// exchanges that are still held stay valid and do nothing.
class Listener final : public QObject
{
    Q_OBJECT

public:
    explicit Listener(Handler handler, const Limits& limits = {}, ProblemRenderer problem = renderProblem,
                      QObject* parent = nullptr);
    ~Listener() override;
    Listener(const Listener&) = delete;
    Listener& operator=(const Listener&) = delete;
    Listener(Listener&&) = delete;
    Listener& operator=(Listener&&) = delete;

    /// Requests that the handler answers before it returns: Limits::held is not for them. Before listen().
    void serveAlways(AtOnce atOnce) { m_host.atOnce = std::move(atOnce); }
    /// The clock of the answers' `Date`, by default this machine's.
    void setClock(Clock clock) { m_host.clock = std::move(clock); }
    /// Port 0: the system chooses. Also raises the process's limit of open files as far as it may.
    [[nodiscard]] values::Result<void, ListenError> listen(quint16 port, const QHostAddress& address = QHostAddress::LocalHost);
    /// The port it listens on, also while it refuses.
    [[nodiscard]] quint16 port() const { return m_port; }
    /// What stands before every connection and every request; for the simulator.
    void setGates(Gate accepted, Gate headRead);
    /// Closes the port for so long and ends the connections that are between two requests. Again: for the longer of both.
    void refuseFor(std::chrono::milliseconds time);
    [[nodiscard]] int connectionCount() const { return static_cast<int>(m_connections.size()); }
    /// Requests that wait for their answer.
    [[nodiscard]] int heldCount() const { return m_host.held; }

private:
    void accept(qintptr descriptor);
    void tick();
    void listenAgain();

    ConnectionHost m_host;
    std::unique_ptr<QTcpServer> m_server;
    QSet<Connection*> m_connections;
    QTimer m_tick;
    QTimer m_refusing; // runs while the port is closed
    QHostAddress m_address;
    quint16 m_port = 0;
    quint64 m_lastConnection = 0;
};

} // namespace payonce::http
