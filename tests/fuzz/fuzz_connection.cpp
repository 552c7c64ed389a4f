// The state machine of one connection, against a plain reading of the same bytes.
//
// Input: a byte that says what the shop does with requests, a byte for the size of the pieces that the bytes come in (0: all at
// once), then what the client sends. Whatever that is: each request gets one answer, in order, one at a time, and what is
// refused is refused once and last.
#include "fuzz/fuzz_target.h"
#include "http/connection.h"
#include "http/listener.h"
#include "values/check.h"

#include <QtCore/QCoreApplication>

#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <deque>
#include <memory>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

namespace payonce::fuzz {

namespace {

using http::RequestReader;

/// Small, so that short inputs reach them.
http::Limits smallLimits()
{
    http::Limits limits;
    limits.head = 512;
    limits.body = 1'024;
    limits.readAhead = 256;
    limits.burst = 4;
    limits.lingerBytes = 64 * 1024;
    return limits;
}

constexpr std::size_t kMostInput = 8'192;
constexpr qsizetype kMostPieces = 64;

/// What a reading of all the bytes at once says must happen.
struct Expected
{
    struct Request
    {
        QByteArray path;
        bool isHead = false;
    };
    std::vector<Request> requests;
    std::optional<idempotency::ProblemCode> refusal;
    bool isRefusedHead = false; ///< the refused request was a HEAD
    bool isHalfRead = false;    ///< a request began and its end is missing
    bool closes = false;        ///< after the last of `requests`
};

Expected expectedOf(QByteArray bytes, const http::Limits& limits)
{
    Expected expected;
    while (!bytes.isEmpty() && !expected.closes) {
        RequestReader reader(limits);
        const auto state = reader.take(bytes);
        if (state == RequestReader::State::Refused) {
            expected.refusal = reader.refusal().code;
            expected.isRefusedHead = reader.isHeadMethod();
            return expected;
        }
        if (state != RequestReader::State::Complete) {
            expected.isHalfRead = true;
            expected.isRefusedHead = reader.isHeadMethod();
            return expected;
        }
        expected.requests.push_back({reader.request().path, reader.isHeadMethod()});
        expected.closes = !reader.request().keepsConnection;
    }
    return expected;
}

/// What the shop does with a request.
enum class Manner { AnswerAtOnce, AnswerLater, AnswerTwice, LetGo };

/// A connection and both ends of its socket.
class Rig
{
public:
    explicit Rig(Manner manner) : m_manner(manner)
    {
        m_host.limits = smallLimits();
        m_host.handler = [this](std::shared_ptr<http::Exchange> exchange) { handle(std::move(exchange)); };
        m_host.problem = http::renderProblem;
        std::array<int, 2> ends{};
        CHECK(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, ends.data()) == 0);
        m_peer = ends[0];
        m_connection = std::make_unique<http::Connection>(ends[1], 1, m_host);
        QObject::connect(m_connection.get(), &http::Connection::ended, m_connection.get(), [this] { ++m_ended; });
    }
    ~Rig()
    {
        if (m_peer >= 0)
            ::close(m_peer);
    }
    Rig(const Rig&) = delete;
    Rig& operator=(const Rig&) = delete;
    Rig(Rig&&) = delete;
    Rig& operator=(Rig&&) = delete;

    void send(const QByteArray& bytes)
    {
        qsizetype sent = 0;
        while (sent < bytes.size()) {
            const auto taken =
                ::send(m_peer, bytes.constData() + sent, static_cast<std::size_t>(bytes.size() - sent), MSG_NOSIGNAL);
            if (taken < 0 && (errno == EPIPE || errno == ECONNRESET))
                return;
            sent += std::max<qsizetype>(taken, 0);
            settle();
        }
    }
    /// Until nothing moves any more.
    void settle()
    {
        for (int still = 0; still < 2;) {
            const auto before = std::tuple(m_received.size(), m_paths.size(), m_ended, m_isPeerEnded);
            QCoreApplication::processEvents();
            CHECK(m_host.held <= 1 && m_open.size() <= 1);
            answerOpen();
            takeIn();
            still = before == std::tuple(m_received.size(), m_paths.size(), m_ended, m_isPeerEnded) ? still + 1 : 0;
        }
    }
    void letTimePass()
    {
        m_connection->checkDeadline(http::Instant::max());
        settle();
    }
    void leave()
    {
        ::close(std::exchange(m_peer, -1));
        for (int i = 0; i < 4 && m_ended == 0; ++i)
            QCoreApplication::processEvents();
        m_connection->checkDeadline(http::Instant::max());
        CHECK(m_ended == 1 && m_host.held == 0);
    }

    [[nodiscard]] const QByteArray& received() const { return m_received; }
    [[nodiscard]] const std::vector<QByteArray>& paths() const { return m_paths; }
    [[nodiscard]] bool isPeerEnded() const { return m_isPeerEnded; }

private:
    void handle(std::shared_ptr<http::Exchange> exchange)
    {
        CHECK(exchange->isOpen() && m_open.empty());
        CHECK(exchange->request().body.size() <= m_host.limits.body);
        m_paths.push_back(exchange->request().path);
        switch (m_manner) {
        case Manner::AnswerAtOnce: return exchange->answer(answerTo(*exchange));
        case Manner::AnswerLater:
        case Manner::AnswerTwice: m_open.push_back(std::move(exchange)); return;
        case Manner::LetGo: return;
        }
    }
    void answerOpen()
    {
        while (!m_open.empty()) {
            const auto exchange = std::move(m_open.front());
            m_open.pop_front();
            exchange->answer(answerTo(*exchange));
            if (m_manner == Manner::AnswerTwice)
                exchange->answer(answerTo(*exchange));
        }
    }
    [[nodiscard]] static http::Response answerTo(const http::Exchange& exchange)
    {
        http::Response response;
        response.body = exchange.request().path;
        return response;
    }
    void takeIn()
    {
        std::array<char, 65'536> chunk{};
        for (;;) {
            const auto size = m_peer < 0 ? -1 : ::recv(m_peer, chunk.data(), chunk.size(), 0);
            if (size == 0)
                m_isPeerEnded = true;
            if (size <= 0)
                return;
            m_received.append(chunk.data(), static_cast<qsizetype>(size));
        }
    }

    const Manner m_manner;
    http::ConnectionHost m_host;
    std::deque<std::shared_ptr<http::Exchange>> m_open;
    std::unique_ptr<http::Connection> m_connection;
    int m_peer = -1;
    int m_ended = 0;
    bool m_isPeerEnded = false;
    QByteArray m_received;
    std::vector<QByteArray> m_paths;
};

/// Takes one answer from the front and checks it; `body` is what it must carry where it is not a problem.
void takeAnswer(QByteArray& bytes, const QByteArray& status, bool isHead, const QByteArray* body)
{
    constexpr auto kContinue = "HTTP/1.1 100 Continue\r\n\r\n";
    while (bytes.startsWith(kContinue))
        bytes.remove(0, static_cast<qsizetype>(qstrlen(kContinue)));
    CHECK(bytes.startsWith("HTTP/1.1 " + status));
    const auto headSize = bytes.indexOf("\r\n\r\n") + 4;
    CHECK(headSize > 4);
    const auto head = bytes.first(headSize);
    const auto length = head.indexOf("\r\nContent-Length: ") + 18;
    const auto size = head.mid(length, head.indexOf('\r', length) - length).toLongLong();
    CHECK(length > 18 && head.count("\r\nContent-Length: ") == 1 && head.count("\r\nContent-Digest: sha-256=:") == 1);
    bytes.remove(0, headSize);
    if (isHead)
        return;
    CHECK(bytes.size() >= size && (body == nullptr || bytes.first(size) == *body));
    bytes.remove(0, size);
}

/// Everything the connection said, against what it had to say.
void compare(const Rig& rig, const Expected& expected, bool isTimeUp)
{
    CHECK(rig.paths().size() == expected.requests.size());
    QByteArray bytes = rig.received();
    for (std::size_t i = 0; i < expected.requests.size(); ++i) {
        CHECK(rig.paths()[i] == expected.requests[i].path);
        takeAnswer(bytes, "200 ", expected.requests[i].isHead, &expected.requests[i].path);
    }
    if (!expected.closes && expected.refusal)
        takeAnswer(bytes, QByteArray::number(idempotency::ruleOf(*expected.refusal).status), expected.isRefusedHead, nullptr);
    else if (!expected.closes && expected.isHalfRead && isTimeUp)
        takeAnswer(bytes, "408 ", expected.isRefusedHead, nullptr);
    while (bytes.startsWith("HTTP/1.1 100 Continue\r\n\r\n"))
        bytes.remove(0, 25);
    CHECK(bytes.isEmpty());
    CHECK(rig.isPeerEnded() == (expected.closes || expected.refusal || isTimeUp));
}

QCoreApplication& application()
{
    static int count = 1;
    static char name[] = "fuzz";
    static std::array<char*, 2> arguments{name, nullptr};
    static QCoreApplication application(count, arguments.data());
    return application;
}

} // namespace

void tryOne(std::string_view input)
{
    static_cast<void>(application());
    constexpr std::size_t kControl = 2;
    if (input.size() < kControl)
        return;
    const auto control = static_cast<unsigned char>(input[0]);
    const auto manner = static_cast<Manner>(control % 4U);
    const auto piece = static_cast<unsigned char>(input[1]);
    const auto bytes =
        QByteArray(input.data() + kControl, static_cast<qsizetype>(std::min(input.size() - kControl, kMostInput)));

    Rig rig(manner);
    const auto size =
        piece == 0 ? std::max<qsizetype>(bytes.size(), 1) : std::max<qsizetype>(piece, bytes.size() / kMostPieces);
    for (qsizetype at = 0; at < bytes.size(); at += size)
        rig.send(bytes.mid(at, size));
    rig.settle();
    const bool isTimeUp = (control & 4U) != 0;
    if (isTimeUp)
        rig.letTimePass();
    if (manner != Manner::LetGo)
        compare(rig, expectedOf(bytes, smallLimits()), isTimeUp);
    rig.leave();
}

} // namespace payonce::fuzz
