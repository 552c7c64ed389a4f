#include "http/socket_end.h"

#include <linux/sockios.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

namespace payonce::http {

void sendFin(QTcpSocket& socket)
{
    // It fails only where the connection is gone already.
    static_cast<void>(::shutdown(static_cast<int>(socket.socketDescriptor()), SHUT_WR));
}

void sendRst(QTcpSocket& socket)
{
    const ::linger atOnce{1, 0};
    static_cast<void>(::setsockopt(static_cast<int>(socket.socketDescriptor()), SOL_SOCKET, SO_LINGER, &atOnce, sizeof atOnce));
    socket.abort();
}

bool isDelivered(const QTcpSocket& socket)
{
    int waiting = 0;
    // A C interface. NOLINTNEXTLINE(cppcoreguidelines-pro-type-vararg)
    const int failed = ::ioctl(static_cast<int>(socket.socketDescriptor()), SIOCOUTQ, &waiting);
    return failed != 0 || waiting == 0;
}

} // namespace payonce::http
