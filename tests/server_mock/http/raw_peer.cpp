#include "server_mock/http/raw_peer.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
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
    takeIn();
    return m_received;
}

RawPeer::Ending RawPeer::ending()
{
    takeIn();
    return m_ending;
}

void RawPeer::close()
{
    if (m_socket >= 0)
        ::close(std::exchange(m_socket, -1));
}

void RawPeer::takeIn()
{
    std::array<char, 65'536> chunk{};
    while (m_socket >= 0 && m_ending == Ending::Open) {
        const auto size = ::recv(m_socket, chunk.data(), chunk.size(), 0);
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
