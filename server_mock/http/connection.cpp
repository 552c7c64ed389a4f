#include "http/connection.h"

#include "http/connection_exchange.h"
#include "http/socket_end.h"

#include <QtCore/QTimer>

#include <utility>

namespace payonce::http {

namespace {

constexpr std::chrono::milliseconds kDeliveryPoll{2};

} // namespace

Connection::Connection(qintptr descriptor, quint64 number, ConnectionHost& host) : m_host(host), m_number(number)
{
    connect(&m_socket, &QTcpSocket::readyRead, this, &Connection::readMore);
    connect(&m_socket, &QTcpSocket::bytesWritten, this, [this] {
        if (!m_isFlushing && m_state == State::Writing && m_socket.bytesToWrite() == 0)
            afterWrite();
    });
    connect(&m_socket, &QTcpSocket::disconnected, this, &Connection::becomeGone);
    m_socket.setReadBufferSize(m_host.limits.readAhead);
    if (!m_socket.setSocketDescriptor(descriptor)) {
        QMetaObject::invokeMethod(this, &Connection::becomeGone, Qt::QueuedConnection);
        return;
    }
    m_socket.setSocketOption(QAbstractSocket::LowDelayOption, 1);
    setDeadline(m_host.limits.idle);
}

void Connection::begin()
{
    if (m_state == State::Reading)
        static_cast<void>(stopAtGate(AtGate::Accepted));
}

Connection::~Connection()
{
    m_socket.disconnect(this);
    m_state = State::Gone; // before what is kept for the simulator lets go of its exchanges
    letGo();
    m_out.forget();
}

/// No other state has a deadline.
void Connection::checkDeadline(Instant now)
{
    if (now < m_deadline)
        return;
    if (m_state == State::Reading && m_reader)
        refuse({idempotency::ProblemCode::Timeout, "The request was not complete in time."});
    else if (m_state == State::Reading)
        linger();
    else if (m_state == State::Writing || m_state == State::Delivering)
        sendRst(m_socket);
    else if (m_state == State::Lingering)
        m_socket.abort();
}

void Connection::makeMine(Request& request)
{
    request.connection = m_number;
    request.number = m_request = ++m_host.lastRequest;
}

bool Connection::isMine(quint64 request) const
{
    return request == m_request && m_state != State::Gone;
}

bool Connection::isWaitingFor(quint64 request) const
{
    return isMine(request) && (m_state == State::InFlight || (m_state == State::Holding && m_gate != AtGate::No));
}

bool Connection::isHeldBy(quint64 request) const
{
    return isMine(request) && (m_state == State::InFlight || m_state == State::Holding);
}

void Connection::answer(quint64 request, const Response& response, const std::optional<ByteFault>& fault)
{
    if (!isWaitingFor(request))
        return;
    letGo();
    writeAnswer(response, fault);
}

void Connection::end(quint64 request, End end)
{
    if (!isHeldBy(request) && !(isMine(request) && (m_state == State::Silent || m_state == State::Pausing)))
        return;
    letGo();
    switch (end) {
    case End::Fin: return linger();
    case End::Rst: return startReset();
    }
}

void Connection::silence(quint64 request)
{
    if (!isHeldBy(request))
        return;
    letGo();
    becomeSilent();
}

void Connection::halfClose(quint64 request)
{
    if (!isHeldBy(request))
        return;
    letGo();
    sendFin(m_socket);
    becomeSilent();
}

void Connection::sendRaw(quint64 request, const QByteArray& bytes)
{
    if (!isHeldBy(request))
        return;
    const bool isInstead = isWaitingFor(request);
    letGo();
    m_gate = AtGate::No;
    m_out.beginRaw(isInstead || m_afterwards == Afterwards::Close ? Then::Fin : Then::NextRequest);
    send(bytes);
}

void Connection::resume(quint64 request)
{
    if (!isMine(request) || m_state != State::Holding)
        return;
    if (m_gate != AtGate::No)
        return goOnReading();
    send(m_out.everythingElse());
}

void Connection::endIfIdle()
{
    if (m_state == State::Reading && !m_reader && m_in.isEmpty() && m_socket.bytesAvailable() == 0)
        linger();
}

/// In every other state the bytes wait in the socket, which stops at its bound.
void Connection::readMore()
{
    if (m_state == State::Reading)
        serve();
    else if (m_state == State::Lingering)
        drain();
    else if (m_state == State::Silent)
        m_socket.readAll(); // so that its end is seen behind them
}

/// Serves what is there; a handler that answers at once comes back here through startNext(), which must not recurse.
void Connection::serve()
{
    if (m_isServing)
        return;
    m_isServing = true;
    int served = 0;
    while (m_state == State::Reading && served < m_host.limits.burst && serveOne())
        ++served;
    m_isServing = false;
    if (m_state == State::Reading && served == m_host.limits.burst)
        QMetaObject::invokeMethod(this, &Connection::readMore, Qt::QueuedConnection);
}

/// False where more bytes are needed.
bool Connection::serveOne()
{
    if (m_in.isEmpty() || m_reader)
        m_in += m_socket.readAll();
    if (m_in.isEmpty())
        return false;
    if (!m_reader) {
        m_reader.emplace(m_host.limits);
        setDeadline(m_host.limits.request);
    }
    switch (m_reader->take(m_in)) {
    case RequestReader::State::Head: return m_socket.bytesAvailable() > 0;
    case RequestReader::State::Body:
        if (!std::exchange(m_hasPassedHead, true) && !stopAtGate(AtGate::HeadRead))
            askForBody();
        return m_state == State::Reading && m_socket.bytesAvailable() > 0;
    case RequestReader::State::Complete:
        if (std::exchange(m_hasPassedHead, true) || !stopAtGate(AtGate::HeadRead))
            handOver();
        return true;
    case RequestReader::State::Refused: refuse(m_reader->refusal()); return true;
    }
    return false;
}

void Connection::askForBody()
{
    if (m_reader->expectsContinue() && m_in.isEmpty())
        m_socket.write("HTTP/1.1 100 Continue\r\n\r\n");
}

/// False where nobody stands there.
bool Connection::stopAtGate(AtGate at)
{
    const auto& gate = at == AtGate::Accepted ? m_host.accepted : m_host.headRead;
    if (!gate.isWatched || !gate.isWatched())
        return false;
    Request known;
    if (at == AtGate::HeadRead) {
        known = m_reader->request();
        m_isHeadMethod = m_reader->isHeadMethod();
    }
    makeMine(known);
    m_afterwards = Afterwards::Close; // whatever is answered here: what the client still sends is no request
    m_gate = at;
    m_state = State::Holding;
    m_deadline = Instant::max();
    gate.reached(std::make_shared<ConnectionExchange>(*this, std::move(known)));
    return true;
}

void Connection::goOnReading()
{
    const auto gate = std::exchange(m_gate, AtGate::No);
    m_state = State::Reading;
    m_request = 0; // the exchange of the gate has nothing to do with what comes now
    setDeadline(gate == AtGate::Accepted ? m_host.limits.idle : m_host.limits.request);
    if (gate == AtGate::HeadRead && m_reader->state() == RequestReader::State::Complete) {
        handOver();
        if (m_state == State::Reading)
            serve();
        return;
    }
    if (gate == AtGate::HeadRead)
        askForBody();
    serve();
}

void Connection::handOver()
{
    const bool isFull = m_host.held >= m_host.limits.held;
    if (isFull && !(m_host.atOnce && m_host.atOnce(m_reader->request())))
        return refuse({idempotency::ProblemCode::RateLimited, "Too many requests wait for their answer."});
    auto& request = m_reader->request();
    makeMine(request);
    m_isHeadMethod = m_reader->isHeadMethod();
    m_afterwards = request.keepsConnection ? Afterwards::KeepOpen : Afterwards::Close;
    auto exchange = std::make_shared<ConnectionExchange>(*this, std::move(request));
    m_reader.reset();
    m_hasPassedHead = false;
    m_deadline = Instant::max();
    m_state = State::InFlight;
    m_isHeld = true;
    ++m_host.held;
    m_host.handler(std::move(exchange));
}

void Connection::refuse(const Refusal& refusal)
{
    m_afterwards = Afterwards::Close;
    m_isHeadMethod = m_reader->isHeadMethod();
    auto& head = m_reader->request();
    makeMine(head);
    const auto response = m_host.problem(refusal, head);
    m_reader.reset();
    m_hasPassedHead = false;
    writeAnswer(response, {});
}

void Connection::writeAnswer(const Response& response, const std::optional<ByteFault>& fault)
{
    m_gate = AtGate::No;
    send(m_out.begin(response, m_host.clock(), fault, m_afterwards,
                     m_isHeadMethod ? OutgoingAnswer::Method::Head : OutgoingAnswer::Method::Get));
}

void Connection::send(const QByteArray& bytes)
{
    m_state = State::Writing;
    setDeadline(m_host.limits.take);
    m_isFlushing = true;
    m_socket.write(bytes);
    m_socket.flush(); // saves a turn of the event loop
    m_isFlushing = false;
    if (m_state == State::Writing && m_socket.bytesToWrite() == 0)
        afterWrite();
}

void Connection::afterWrite()
{
    if (const auto flushed = m_out.takeFlushed())
        return hold(flushed);
    switch (m_out.then()) {
    case Then::NextRequest: return startNext();
    case Then::Fin: return linger();
    case Then::Rst: return startReset();
    case Then::Silence: return becomeSilent();
    case Then::HalfClose: sendFin(m_socket); return becomeSilent();
    case Then::Pause: return startPause();
    case Then::Hold: return hold(m_out.takeReached());
    }
}

void Connection::hold(const std::function<void()>& reached)
{
    m_state = State::Holding;
    m_deadline = Instant::max();
    reached(); // may resume, or end the connection
}

/// The bytes before it arrive: an RST would discard what the client has not got yet.
void Connection::startReset()
{
    m_state = State::Delivering;
    setDeadline(m_host.limits.delivery);
    deliverThenReset();
}

void Connection::becomeSilent()
{
    m_state = State::Silent;
    m_deadline = Instant::max();
    m_in.clear();
    m_out.forget();
    m_socket.readAll();
}

void Connection::startNext()
{
    m_state = State::Reading;
    setDeadline(m_host.limits.idle);
    if (!m_in.isEmpty() || m_socket.bytesAvailable() > 0)
        serve();
}

void Connection::startPause()
{
    m_state = State::Pausing;
    m_deadline = Instant::max();
    QTimer::singleShot(m_out.pause(), Qt::PreciseTimer, this, [this] {
        if (m_state != State::Pausing)
            return;
        send(m_out.nextPiece());
    });
}

void Connection::deliverThenReset()
{
    if (m_state != State::Delivering)
        return;
    if (isDelivered(m_socket))
        return sendRst(m_socket);
    QTimer::singleShot(kDeliveryPoll, this, &Connection::deliverThenReset);
}

/// A close the client can read up to: FIN, then its bytes are read away, or else the kernel would answer them with an RST
/// that destroys the answer on its side (RFC 9112, 9.6).
void Connection::linger()
{
    m_state = State::Lingering;
    setDeadline(m_host.limits.linger);
    m_in.clear();
    m_out.forget();
    m_reader.reset();
    sendFin(m_socket);
    drain();
}

void Connection::drain()
{
    m_drained += m_socket.readAll().size();
    if (m_drained > m_host.limits.lingerBytes)
        m_socket.abort();
}

void Connection::becomeGone()
{
    if (m_state == State::Gone)
        return;
    m_state = State::Gone;
    m_deadline = Instant::max();
    letGo();
    m_out.forget();
    Q_EMIT ended();
}

void Connection::letGo()
{
    if (std::exchange(m_isHeld, false))
        --m_host.held;
}

void Connection::setDeadline(std::chrono::milliseconds time)
{
    m_deadline = std::chrono::steady_clock::now() + time;
}

} // namespace payonce::http
