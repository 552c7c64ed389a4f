// Listens on a TCP port, reads HTTP/1.1 requests and hands each to one handler (docs/contract.md, HTTP).
#pragma once

#include "http/connection_host.h"
#include "protocol/fields.h"
#include "values/result.h"
#include "values/uuid.h"

#include <QtCore/QObject>
#include <QtCore/QSet>
#include <QtCore/QTimer>
#include <QtNetwork/QHostAddress>

#include <memory>

class QTcpServer;

namespace payonce::http {

class Connection;

enum class ListenError { AddressInUse, NotAllowed, Failed };

/// problem+json of protocol/answer.h. Echoes the action ID where the head was complete and its Idempotency-Key well-formed.
/// The well-formed key of a request, for the echo; whether it may be used is not asked.
[[nodiscard]] std::optional<values::ActionId> actionIdOf(const Request& head, protocol::KeyForm form);

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

    /// Port 0: the system chooses. Also raises the process's limit of open files as far as it may.
    [[nodiscard]] values::Result<void, ListenError> listen(quint16 port, const QHostAddress& address = QHostAddress::LocalHost);
    [[nodiscard]] quint16 port() const;
    [[nodiscard]] int connectionCount() const { return static_cast<int>(m_connections.size()); }
    /// Requests that wait for their answer.
    [[nodiscard]] int heldCount() const { return m_host.held; }

private:
    void accept(qintptr descriptor);
    void tick();

    ConnectionHost m_host;
    std::unique_ptr<QTcpServer> m_server;
    QSet<Connection*> m_connections;
    QTimer m_tick;
    quint64 m_lastConnection = 0;
};

} // namespace payonce::http
