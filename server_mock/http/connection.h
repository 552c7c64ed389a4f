// One client connection: reads requests one after the other, hands each to the handler, writes its one answer.
#pragma once

#include "http/connection_host.h"
#include "http/response_writer.h"

#include <QtCore/QObject>
#include <QtNetwork/QTcpSocket>

#include <chrono>
#include <optional>

namespace payonce::http {

using Instant = std::chrono::steady_clock::time_point;

/// Emits ended() once, when the socket is gone; the listener then deletes it. At most one request is in flight: the bytes
/// behind it wait, at most Limits::readAhead of them.
class Connection final : public QObject
{
    Q_OBJECT

public:
    /// Takes over `descriptor`, an accepted socket.
    Connection(qintptr descriptor, quint64 number, ConnectionHost& host);
    ~Connection() override;
    Connection(const Connection&) = delete;
    Connection& operator=(const Connection&) = delete;
    Connection(Connection&&) = delete;
    Connection& operator=(Connection&&) = delete;

    /// Ends what has lasted too long. The listener calls it at every tick.
    void checkDeadline(Instant now);

    /// The calls of an Exchange; each does nothing unless `request` is the one in flight.
    [[nodiscard]] bool isWaitingFor(quint64 request) const;
    void answer(quint64 request, const Response& response, const std::optional<ByteFault>& fault);
    void end(quint64 request, End end);
    void silence(quint64 request);

Q_SIGNALS:
    void ended();

private:
    enum class State {
        Reading,
        InFlight, // the handler has the request
        Writing,
        Pausing,    // inside an answer, by a fault
        Silent,     // by a fault, for ever
        Delivering, // waits for the bytes before a planned RST to arrive
        Lingering,  // FIN sent; what still comes is thrown away
        Gone,
    };
    enum class Then { NextRequest, Fin, Rst, Silence, Pause };

    void readMore();
    void pull();
    void serve();
    bool serveOne();
    void handOver();
    void refuse(const Refusal& refusal);
    void writeAnswer(const Response& response, const std::optional<ByteFault>& fault);
    void planFault(const ByteFault& fault);
    void send(const QByteArray& bytes);
    void afterWrite();
    void becomeSilent();
    void startNext();
    void startPause();
    void deliverThenReset();
    void linger();
    void drain();
    void becomeGone();
    void letGo();
    void setDeadline(std::chrono::milliseconds time);
    [[nodiscard]] bool isMine(quint64 request) const;

    ConnectionHost& m_host;
    const quint64 m_number;
    QTcpSocket m_socket;
    State m_state = State::Reading;
    std::optional<RequestReader> m_reader;
    QByteArray m_in;       // read, not yet taken by a request
    QByteArray m_rest;     // of an answer, after a pause
    quint64 m_request = 0; // the newest request's number
    Instant m_deadline = Instant::max();
    std::chrono::milliseconds m_pause{0};
    qsizetype m_drained = 0;
    Then m_then = Then::NextRequest;
    Afterwards m_afterwards = Afterwards::KeepOpen;
    bool m_isHeadMethod = false;
    bool m_isServing = false;
    bool m_isFlushing = false;
    bool m_isHeld = false; // counted in m_host.held
};

} // namespace payonce::http
