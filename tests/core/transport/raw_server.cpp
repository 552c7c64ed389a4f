#include "core/transport/raw_server.h"

#include "protocol/digest.h"

#include <QtCore/QRegularExpression>
#include <QtNetwork/QSslKey>
#include <QtNetwork/QSslSocket>
#include <QtNetwork/QTcpSocket>
#include <QtTest/QTest>

#include <sys/socket.h>

#include <utility>

namespace payonce::wiretest {

namespace {

/// FIN is what abort() sends by itself; a lingering time of zero makes it RST.
void resetOnClose(QTcpSocket& socket)
{
    const linger immediately{.l_onoff = 1, .l_linger = 0};
    ::setsockopt(static_cast<int>(socket.socketDescriptor()), SOL_SOCKET, SO_LINGER, &immediately, sizeof(immediately));
}

} // namespace

QByteArray Arrival::field(const QByteArray& name) const
{
    const QByteArray wanted = name.toLower() + ':';
    const QList<QByteArray> lines = head.split('\n');
    for (const QByteArray& line : lines) {
        if (line.toLower().startsWith(wanted)) {
            return line.mid(wanted.size()).trimmed();
        }
    }
    return {};
}

QByteArray wholeAnswer(int status, const QByteArray& body, const QByteArray& extra)
{
    return "HTTP/1.1 " + QByteArray::number(status) +
           " Some Words\r\nContent-Type: application/json\r\nContent-Length: " + QByteArray::number(body.size()) +
           "\r\nContent-Digest: " + QByteArray::fromStdString(protocol::contentDigest(body.toStdString())) +
           "\r\nDate: Mon, 30 Nov 2026 10:00:00 GMT\r\n" + extra + "\r\n" + body;
}

void failOnWarnings()
{
    QTest::failOnWarning(QRegularExpression(QStringLiteral("^(?!QNetworkReplyImplPrivate::error: Internal problem, )")));
}

/// Reads the requests of one connection.
class RawServer::Connection : public QObject
{
public:
    Connection(RawServer& server, QTcpSocket* socket, int number)
        : QObject(socket), m_server(server), m_socket(*socket), m_number(number)
    {
        connect(socket, &QTcpSocket::readyRead, this, &Connection::read);
        connect(socket, &QTcpSocket::disconnected, socket, &QObject::deleteLater);
    }

private:
    void read()
    {
        m_bytes += m_socket.readAll();
        if (m_arrival < 0 && !readHead()) {
            return;
        }
        if (m_bytes.size() < m_length) {
            return;
        }
        m_server.m_arrivals[m_arrival].body = m_bytes.left(m_length);
        m_bytes.remove(0, m_length);
        m_arrival = -1;
        if (m_reaction.moment == Moment::AfterBody) {
            react(m_socket, m_reaction);
        }
    }

    /// False: the head is not whole yet, or the connection ended with it.
    bool readHead()
    {
        const qsizetype end = m_bytes.indexOf("\r\n\r\n");
        if (end < 0) {
            return false;
        }
        const Arrival arrival{.connection = m_number, .head = m_bytes.left(end), .body = {}};
        m_bytes.remove(0, end + 4);
        m_length = arrival.field("Content-Length").toLongLong();
        m_arrival = m_server.m_arrivals.size();
        m_server.m_arrivals.append(arrival);
        m_reaction = m_server.m_rule(arrival);
        if (m_reaction.moment == Moment::AfterHead) {
            react(m_socket, m_reaction);
            return false;
        }
        return true;
    }

    RawServer& m_server;
    QTcpSocket& m_socket;
    int m_number;
    Reaction m_reaction; ///< to the request being read
    QByteArray m_bytes;
    qsizetype m_arrival = -1; ///< index of the request being read
    qsizetype m_length = 0;
};

RawServer::RawServer(std::optional<Identity> identity) : m_identity(std::move(identity))
{
    setReaction({});
    listen(QHostAddress::LocalHost);
}

RawServer::~RawServer() = default;

void RawServer::setReaction(const Reaction& reaction)
{
    m_rule = [reaction](const Arrival& /*arrival*/) { return reaction; };
}

QUrl RawServer::url() const
{
    return QUrl(QStringLiteral("%1://127.0.0.1:%2")
                    .arg(m_identity ? QStringLiteral("https") : QStringLiteral("http"))
                    .arg(serverPort()));
}

int RawServer::posts() const
{
    int count = 0;
    for (const Arrival& arrival : m_arrivals) {
        count += arrival.head.startsWith("POST ") ? 1 : 0;
    }
    return count;
}

void RawServer::incomingConnection(qintptr descriptor)
{
    QTcpSocket* socket = nullptr;
    if (m_identity) {
        auto* secure = new QSslSocket(this);
        secure->setSocketDescriptor(descriptor);
        secure->setLocalCertificate(QSslCertificate(m_identity->certificate));
        secure->setPrivateKey(QSslKey(m_identity->key, QSsl::Ec));
        secure->startServerEncryption();
        socket = secure;
    } else {
        socket = new QTcpSocket(this);
        socket->setSocketDescriptor(descriptor);
    }
    new Connection(*this, socket, ++m_connections); // the socket's child
}

void RawServer::react(QTcpSocket& socket, const Reaction& reaction)
{
    socket.write(reaction.bytes);
    switch (reaction.ending) {
    case Ending::KeepOpen: return;
    case Ending::Close: socket.disconnectFromHost(); return;
    case Ending::Reset:
        socket.flush();
        resetOnClose(socket);
        socket.abort();
        return;
    case Ending::HalfClose:
        socket.flush();
        ::shutdown(static_cast<int>(socket.socketDescriptor()), SHUT_WR);
        return;
    }
}

} // namespace payonce::wiretest
