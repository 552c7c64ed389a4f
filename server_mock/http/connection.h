// One client connection: reads requests one after the other, hands each to the handler, writes its one answer.
#pragma once

#include "http/connection_host.h"
#include "http/outgoing_answer.h"

#include <QtCore/QObject>
#include <QtNetwork/QTcpSocket>

#include <chrono>
#include <functional>
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

    /// Comes to the gate of connections. Call once, when ended() is heard: it may end there at once.
    void begin();
    /// Ends what has lasted too long. The listener calls it at every tick.
    void checkDeadline(Instant now);

    /// The calls of an Exchange; each does nothing unless `request` is the one in flight.
    [[nodiscard]] bool isWaitingFor(quint64 request) const;
    /// Does nothing happen on this connection before somebody says so?
    [[nodiscard]] bool isHeldBy(quint64 request) const;
    void answer(quint64 request, const Response& response, const std::optional<ByteFault>& fault);
    void end(quint64 request, End end);
    void silence(quint64 request);
    void halfClose(quint64 request);
    void sendRaw(quint64 request, const QByteArray& bytes);
    void resume(quint64 request);

    /// Closes it if it is between two requests.
    void endIfIdle();

Q_SIGNALS:
    void ended();

private:
    enum class State {
        Reading,
        InFlight, // the handler has the request
        Writing,
        Pausing,    // inside an answer, by a fault
        Holding,    // until resume(): at a gate, inside an answer or behind it
        Silent,     // by a fault, for ever
        Delivering, // waits for the bytes before a planned RST to arrive
        Lingering,  // FIN sent; what still comes is thrown away
        Gone,
    };
    using Then = OutgoingAnswer::Then;
    enum class AtGate { No, Accepted, HeadRead };

    void readMore();
    void serve();
    bool serveOne();
    void pass();
    bool stopAtGate(AtGate at);
    void goOnReading();
    void askForBody();
    void handOver();
    void refuse(const Refusal& refusal);
    void writeAnswer(const Response& response, const std::optional<ByteFault>& fault);
    void send(const QByteArray& bytes);
    void afterWrite();
    void becomeSilent();
    void startNext();
    void startPause();
    void hold(const std::function<void()>& reached);
    void startReset();
    void deliverThenReset();
    void linger();
    void drain();
    void becomeGone();
    void letGo();
    void setDeadline(std::chrono::milliseconds time);
    /// It is the one in flight now.
    void makeMine(Request& request);
    [[nodiscard]] bool isMine(quint64 request) const;

    ConnectionHost& m_host;
    const quint64 m_number;
    QTcpSocket m_socket;
    State m_state = State::Reading;
    std::optional<RequestReader> m_reader;
    QByteArray m_in;       // read, not yet taken by a request
    quint64 m_request = 0; // the newest request's number
    Instant m_deadline = Instant::max();
    OutgoingAnswer m_out;
    AtGate m_gate = AtGate::No;   // where it holds before there is an answer
    bool m_hasPassedHead = false; // of the request that is being read
    qsizetype m_drained = 0;
    Afterwards m_afterwards = Afterwards::KeepOpen;
    bool m_isHeadMethod = false;
    bool m_isServing = false;
    bool m_isFlushing = false;
    bool m_isHeld = false; // counted in m_host.held
};

} // namespace payonce::http
