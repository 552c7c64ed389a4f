#include "server_mock/http/raw_peer.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <limits>
#include <utility>

namespace payonce::tests {

namespace {

int connectTo(quint16 port)
{
    const int socket = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (socket < 0)
        return -1;
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    // The sockets interface of C. NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast)
    if (::connect(socket, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) {
        ::close(socket);
        return -1;
    }
    // NOLINTNEXTLINE(cppcoreguidelines-pro-type-vararg)
    ::fcntl(socket, F_SETFL, O_NONBLOCK);
    return socket;
}

} // namespace

RawPeer::RawPeer(quint16 port) : m_socket(connectTo(port)) {}

RawPeer::RawPeer(RawPeer&& other) noexcept
    : m_socket(std::exchange(other.m_socket, -1)), m_received(std::move(other.m_received)), m_ending(other.m_ending)
{
}

RawPeer::~RawPeer()
{
    close();
}

qsizetype RawPeer::send(const QByteArray& bytes)
{
    const auto taken = ::send(m_socket, bytes.constData(), static_cast<std::size_t>(bytes.size()), MSG_NOSIGNAL);
    return taken < 0 ? 0 : static_cast<qsizetype>(taken);
}

const QByteArray& RawPeer::received()
{
    takeIn(std::numeric_limits<qsizetype>::max());
    return m_received;
}

RawPeer::Ending RawPeer::ending()
{
    takeIn(std::numeric_limits<qsizetype>::max());
    return m_ending;
}

void RawPeer::close()
{
    if (m_socket >= 0)
        ::close(std::exchange(m_socket, -1));
}

void RawPeer::reset()
{
    const ::linger atOnce{1, 0};
    if (m_socket >= 0)
        ::setsockopt(m_socket, SOL_SOCKET, SO_LINGER, &atOnce, sizeof atOnce);
    close();
}

qsizetype RawPeer::receiveUpTo(qsizetype most)
{
    takeIn(most - m_received.size());
    return m_received.size();
}

void RawPeer::takeIn(qsizetype most)
{
    std::array<char, 65'536> chunk{};
    for (qsizetype left = most; left > 0 && m_socket >= 0 && m_ending == Ending::Open;) {
        const auto wanted = std::min(static_cast<std::size_t>(left), chunk.size());
        const auto size = ::recv(m_socket, chunk.data(), wanted, 0);
        left -= std::max<qsizetype>(size, 0);
        if (size > 0)
            m_received.append(chunk.data(), static_cast<qsizetype>(size));
        else if (size == 0)
            m_ending = Ending::Fin;
        else if (errno == ECONNRESET)
            m_ending = Ending::Reset;
        else
            return; // nothing there yet
    }
}

} // namespace payonce::tests
