#include "http/connection.h"

#include "http/connection_exchange.h"
#include "http/socket_end.h"

#include <QtCore/QTimer>

#include <algorithm>
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

Connection::~Connection()
{
    m_socket.disconnect(this);
    letGo();
}

void Connection::checkDeadline(Instant now)
{
    if (now < m_deadline)
        return;
    switch (m_state) {
    case State::Reading:
        if (m_reader)
            refuse({idempotency::ProblemCode::Timeout, "The request was not complete in time."});
        else
            linger();
        return;
    case State::Writing:
    case State::Delivering: return sendRst(m_socket);
    case State::Lingering: return m_socket.abort();
    case State::InFlight:
    case State::Pausing:
    case State::Silent:
    case State::Gone: return;
    }
}

bool Connection::isMine(quint64 request) const
{
    return request == m_request && m_state != State::Gone;
}

bool Connection::isWaitingFor(quint64 request) const
{
    return isMine(request) && m_state == State::InFlight;
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
    if (!isMine(request) || (m_state != State::InFlight && m_state != State::Silent && m_state != State::Pausing))
        return;
    letGo();
    switch (end) {
    case End::Fin: return linger();
    case End::Rst: return sendRst(m_socket);
    }
}

void Connection::silence(quint64 request)
{
    if (!isWaitingFor(request))
        return;
    letGo();
    becomeSilent();
}

void Connection::readMore()
{
    switch (m_state) {
    case State::Reading: return serve();
    case State::Lingering: return drain();
    case State::Silent: // thrown away, so that its end is seen behind them
        m_socket.readAll();
        return;
    case State::InFlight:
    case State::Writing:
    case State::Pausing:
    case State::Delivering:
    case State::Gone: return; // the bytes wait in the socket, which stops at its bound
    }
}

void Connection::pull()
{
    if (m_in.isEmpty())
        m_in = m_socket.readAll();
    else
        m_in += m_socket.readAll();
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
        pull();
    if (m_in.isEmpty())
        return false;
    if (!m_reader) {
        m_reader.emplace(m_host.limits);
        setDeadline(m_host.limits.request);
    }
    const auto before = m_reader->state();
    switch (m_reader->take(m_in)) {
    case RequestReader::State::Head: return m_socket.bytesAvailable() > 0;
    case RequestReader::State::Body:
        if (before == RequestReader::State::Head && m_reader->expectsContinue() && m_in.isEmpty())
            m_socket.write("HTTP/1.1 100 Continue\r\n\r\n");
        return m_socket.bytesAvailable() > 0;
    case RequestReader::State::Complete: handOver(); return true;
    case RequestReader::State::Refused: refuse(m_reader->refusal()); return true;
    }
    return false;
}

void Connection::handOver()
{
    if (m_host.held >= m_host.limits.held)
        return refuse({idempotency::ProblemCode::RateLimited, "Too many requests wait for their answer."});
    auto& request = m_reader->request();
    request.connection = m_number;
    request.number = ++m_host.lastRequest;
    m_request = request.number;
    m_isHeadMethod = m_reader->isHeadMethod();
    m_afterwards = request.keepsConnection ? Afterwards::KeepOpen : Afterwards::Close;
    auto exchange = std::make_shared<ConnectionExchange>(*this, std::move(request));
    m_reader.reset();
    m_deadline = Instant::max();
    m_state = State::InFlight;
    m_isHeld = true;
    ++m_host.held;
    m_host.handler(std::move(exchange));
}

void Connection::refuse(const Refusal& refusal)
{
    m_request = ++m_host.lastRequest;
    m_afterwards = Afterwards::Close;
    m_isHeadMethod = m_reader->isHeadMethod();
    auto& head = m_reader->request();
    head.connection = m_number;
    head.number = m_request;
    const auto response = m_host.problem(refusal, head);
    m_reader.reset();
    writeAnswer(response, {});
}

void Connection::writeAnswer(const Response& response, const std::optional<ByteFault>& fault)
{
    auto bytes = encodeHead(response, m_afterwards);
    const auto headSize = bytes.size();
    if (!m_isHeadMethod && mayHaveBody(response))
        bytes.append(response.body);
    m_then = m_afterwards == Afterwards::Close ? Then::Fin : Then::NextRequest;
    if (fault) {
        const bool isInHead = fault->part == ByteFault::Part::Head;
        const auto partSize = isInHead ? headSize : bytes.size() - headSize;
        const auto first = (isInHead ? 0 : headSize) + std::clamp<qsizetype>(fault->offset, 0, partSize);
        m_rest = bytes.sliced(first);
        bytes.truncate(first);
        planFault(*fault);
    }
    send(bytes);
}

void Connection::planFault(const ByteFault& fault)
{
    switch (fault.kind) {
    case ByteFault::Kind::End: m_then = fault.end == End::Fin ? Then::Fin : Then::Rst; return;
    case ByteFault::Kind::Silence: m_then = Then::Silence; return;
    case ByteFault::Kind::Pause:
        m_then = Then::Pause;
        m_pause = fault.pause;
        return;
    }
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
    switch (m_then) {
    case Then::NextRequest: return startNext();
    case Then::Fin: return linger();
    case Then::Rst:
        m_state = State::Delivering;
        setDeadline(m_host.limits.delivery);
        return deliverThenReset();
    case Then::Silence: return becomeSilent();
    case Then::Pause: return startPause();
    }
}

void Connection::becomeSilent()
{
    m_state = State::Silent;
    m_deadline = Instant::max();
    m_in.clear();
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
    QTimer::singleShot(m_pause, Qt::PreciseTimer, this, [this] {
        if (m_state != State::Pausing)
            return;
        m_then = m_afterwards == Afterwards::Close ? Then::Fin : Then::NextRequest;
        send(std::exchange(m_rest, {}));
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
    m_rest.clear();
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
