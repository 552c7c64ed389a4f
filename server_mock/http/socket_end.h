// The ends of a TCP connection that QTcpSocket cannot express.
#pragma once

#include <QtNetwork/QTcpSocket>

namespace payonce::http {

/// Sends a FIN and keeps reading (shutdown of the writing half). Written bytes must have been flushed.
void sendFin(QTcpSocket& socket);
/// A real RST: SO_LINGER with zero time, then abort(). Without the option, abort() sends a FIN.
void sendRst(QTcpSocket& socket);
/// All written bytes were acknowledged by the other side (an RST would discard the others). True where it cannot be told.
[[nodiscard]] bool isDelivered(const QTcpSocket& socket);

} // namespace payonce::http
