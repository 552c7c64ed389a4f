#include "bench/load_client.h"

#include "values/check.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <memory>

namespace payonce::bench {

namespace {

constexpr std::size_t kReadMost = 16384;
constexpr qsizetype kStatusPlace = 9; // `HTTP/1.1 201`

/// The whole length of the answer at the start of `bytes`; 0 while its head is not whole.
qsizetype lengthOfAnswer(const QByteArray& bytes)
{
    const auto headEnd = bytes.indexOf("\r\n\r\n");
    if (headEnd < 0)
        return 0;
    const QByteArray name("content-length:");
    const auto place = bytes.left(headEnd).toLower().indexOf(name);
    CHECK(place >= 0);
    const auto from = place + name.size();
    const auto lineEnd = bytes.indexOf('\r', from);
    return headEnd + 4 + bytes.mid(from, lineEnd - from).trimmed().toLongLong();
}

class Client
{
public:
    explicit Client(quint16 port) : m_socket(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0))
    {
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_port = htons(port);
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        CHECK(::connect(m_socket, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0);
        const int on = 1;
        CHECK(::setsockopt(m_socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on) == 0);
    }
    Client(const Client&) = delete;
    Client& operator=(const Client&) = delete;
    Client(Client&&) = delete;
    Client& operator=(Client&&) = delete;
    ~Client() { ::close(m_socket); }

    void send(const QByteArray& request)
    {
        m_isBusy = true;
        m_started = BenchClock::now();
        CHECK(::send(m_socket, request.constData(), static_cast<std::size_t>(request.size()), MSG_NOSIGNAL) == request.size());
    }
    /// True once the answer is whole.
    [[nodiscard]] bool read()
    {
        std::array<char, kReadMost> bytes{};
        const auto got = ::recv(m_socket, bytes.data(), bytes.size(), MSG_DONTWAIT);
        CHECK(got > 0 || (got < 0 && (errno == EAGAIN || errno == EINTR))); // the server keeps the connection
        if (got > 0)
            m_received.append(bytes.data(), static_cast<qsizetype>(got));
        const auto length = lengthOfAnswer(m_received);
        return length > 0 && m_received.size() >= length;
    }
    [[nodiscard]] int takeStatus()
    {
        const int status = m_received.mid(kStatusPlace, 3).toInt();
        m_received.clear();
        m_isBusy = false;
        return status;
    }
    [[nodiscard]] Microseconds time() const { return since(m_started); }
    [[nodiscard]] bool isBusy() const { return m_isBusy; }
    [[nodiscard]] int socket() const { return m_socket; }

private:
    int m_socket;
    QByteArray m_received;
    BenchClock::time_point m_started;
    bool m_isBusy = false;
};

} // namespace

double LoadResult::perSecond() const
{
    return static_cast<double>(times.count()) * 1e6 / static_cast<double>(whole.count());
}

LoadResult runLoad(const Load& load)
{
    std::vector<std::unique_ptr<Client>> clients;
    std::vector<pollfd> waiting;
    for (int n = 0; n < load.connections; ++n) {
        clients.push_back(std::make_unique<Client>(load.port));
        waiting.push_back({clients.back()->socket(), POLLIN, 0});
    }
    const int patience = load.waiting == Waiting::Awake ? 0 : -1;
    LoadResult result;
    std::size_t sent = 0;
    int inFlight = 0;
    const auto start = BenchClock::now();
    for (;;) {
        for (auto& client : clients)
            if (!client->isBusy() && sent < load.requests.size()) {
                client->send(load.requests[sent++]);
                ++inFlight;
            }
        if (inFlight == 0)
            break;
        CHECK(::poll(waiting.data(), waiting.size(), patience) >= 0);
        for (std::size_t n = 0; n < clients.size(); ++n)
            if ((waiting[n].revents & POLLIN) != 0 && clients[n]->read()) {
                result.times.add(clients[n]->time());
                result.refused += clients[n]->takeStatus() == load.expectedStatus ? 0 : 1;
                --inFlight;
            }
    }
    result.whole = since(start);
    return result;
}

} // namespace payonce::bench
