#include "http/listener.h"

#include "http/connection.h"
#include "protocol/answer.h"
#include "protocol/fields.h"

#include <QtNetwork/QTcpServer>

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <utility>

namespace payonce::http {

namespace {

constexpr int kBacklog = 512;
constexpr rlim_t kSpareFiles = 256;
constexpr std::chrono::milliseconds kLongestTick{250};
constexpr std::chrono::milliseconds kShortestTick{10};
constexpr std::chrono::milliseconds kListenAgain{50};

/// QTcpServer that passes on the bare descriptor.
class AcceptingServer final : public QTcpServer
{
public:
    explicit AcceptingServer(std::function<void(qintptr)> accept) : m_accept(std::move(accept)) {}

protected:
    void incomingConnection(qintptr descriptor) override { m_accept(descriptor); }

private:
    std::function<void(qintptr)> m_accept;
};

/// A tenth of the shortest limit, so that a deadline is kept to within that.
std::chrono::milliseconds tickOf(const Limits& limits)
{
    const auto shortest = std::min({limits.idle, limits.request, limits.take, limits.linger, limits.delivery});
    return std::clamp(shortest / 10, kShortestTick, kLongestTick);
}

/// The usual soft limit of 1,024 files is less than Limits::connections.
void raiseFileLimit(int connections)
{
    rlimit limit{};
    const auto wanted = static_cast<rlim_t>(connections) + kSpareFiles;
    if (::getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur >= wanted)
        return;
    limit.rlim_cur = std::min(wanted, limit.rlim_max);
    static_cast<void>(::setrlimit(RLIMIT_NOFILE, &limit)); // where refused, accept() fails later and is tried again
}

ListenError errorOf(QAbstractSocket::SocketError error)
{
    if (error == QAbstractSocket::AddressInUseError)
        return ListenError::AddressInUse;
    if (error == QAbstractSocket::SocketAccessError)
        return ListenError::NotAllowed;
    return ListenError::Failed;
}

Response problemResponse(const Refusal& refusal, const Request& head, protocol::KeyForm form)
{
    protocol::Problem problem{refusal.code, refusal.detail.toStdString()};
    problem.instance = head.path.toStdString();
    problem.actionId = actionIdOf(head, form);
    if (refusal.code == idempotency::ProblemCode::RateLimited)
        problem.retryAfter = std::chrono::seconds(1);
    return responseOf(problem);
}

} // namespace

Response responseOf(const protocol::Problem& problem)
{
    const auto answer = protocol::answerOf(problem);
    Response response;
    response.status = answer.status;
    response.contentType = QByteArray::fromStdString(answer.contentType);
    response.body = QByteArray::fromStdString(answer.body);
    if (problem.actionId)
        response.headers.emplaceBack("Action-Id", QByteArray::fromStdString(protocol::quoted(*problem.actionId)));
    if (answer.retryAfter)
        response.headers.emplaceBack("Retry-After", QByteArray::number(static_cast<qint64>(answer.retryAfter->count())));
    return response;
}

std::optional<values::ActionId> actionIdOf(const Request& head, protocol::KeyForm form)
{
    std::vector<std::string> lines;
    for (const auto& line : head.values("Idempotency-Key"))
        lines.push_back(line.toStdString());
    // Well-formed is enough: one whose time lies too far ahead is named too, so no clock is asked.
    const auto key = protocol::parseKey(lines, {}, std::chrono::hours(24), form);
    return key ? std::optional(*key) : key.error().id;
}

Response renderProblem(const Refusal& refusal, const Request& head)
{
    return problemResponse(refusal, head, protocol::KeyForm::UuidV7);
}

Response renderProblemOfAnyKey(const Refusal& refusal, const Request& head)
{
    return problemResponse(refusal, head, protocol::KeyForm::Any);
}

Listener::Listener(Handler handler, const Limits& limits, ProblemRenderer problem, QObject* parent)
    : QObject(parent),
      m_host{limits, std::move(handler), std::move(problem)},
      m_server(std::make_unique<AcceptingServer>([this](qintptr descriptor) { accept(descriptor); }))
{
    m_server->setListenBacklogSize(kBacklog);
    m_tick.setInterval(tickOf(limits));
    connect(&m_tick, &QTimer::timeout, this, &Listener::tick);
    m_refusing.setSingleShot(true);
    m_refusing.setTimerType(Qt::PreciseTimer);
    connect(&m_refusing, &QTimer::timeout, this, &Listener::listenAgain);
}

Listener::~Listener()
{
    m_server->close();
    qDeleteAll(std::exchange(m_connections, {}));
}

values::Result<void, ListenError> Listener::listen(quint16 port, const QHostAddress& address)
{
    raiseFileLimit(m_host.limits.connections);
    if (!m_server->listen(address, port))
        return values::Failure(errorOf(m_server->serverError()));
    m_address = address;
    m_port = m_server->serverPort();
    m_tick.start();
    return {};
}

void Listener::setGates(Gate accepted, Gate headRead)
{
    m_host.accepted = std::move(accepted);
    m_host.headRead = std::move(headRead);
}

void Listener::refuseFor(std::chrono::milliseconds time)
{
    m_server->close();
    if (!m_refusing.isActive() || m_refusing.remainingTimeAsDuration() < time)
        m_refusing.start(time);
    const auto connections = m_connections; // a connection may leave the set while it is asked
    for (auto* connection : connections)
        connection->endIfIdle();
}

/// Somebody may have taken the port meanwhile: then it is tried again.
void Listener::listenAgain()
{
    if (!m_server->isListening() && !m_server->listen(m_address, m_port))
        m_refusing.start(kListenAgain);
}

void Listener::accept(qintptr descriptor)
{
    if (connectionCount() >= m_host.limits.connections) {
        ::close(static_cast<int>(descriptor));
        return;
    }
    auto* connection = new Connection(descriptor, ++m_lastConnection, m_host);
    m_connections.insert(connection);
    connect(connection, &Connection::ended, this, [this, connection] {
        m_connections.remove(connection);
        connection->deleteLater();
    });
    connection->begin();
}

void Listener::tick()
{
    if (m_server->isListening())
        m_server->resumeAccepting(); // QTcpServer stops where a file or memory was missing
    const auto now = std::chrono::steady_clock::now();
    const auto connections = m_connections; // a connection may leave the set while it is asked
    for (auto* connection : connections)
        connection->checkDeadline(now);
}

} // namespace payonce::http
