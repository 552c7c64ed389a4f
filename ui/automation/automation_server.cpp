#include "automation/automation_server.h"

#include <QtCore/QDir>
#include <QtCore/QFileInfo>

namespace payonce::automation {

namespace {

/// Loopback: whoever is there answers at once.
constexpr int kAnswerLimitMs = 1000;

bool isAlive(const QString& name)
{
    QLocalSocket socket;
    socket.connectToServer(name);
    return socket.waitForConnected(kAnswerLimitMs);
}

} // namespace

AutomationServer::AutomationServer(QObject* parent) : QObject(parent)
{
    m_server.setSocketOptions(QLocalServer::UserAccessOption);
    m_server.setMaxPendingConnections(kMostClients);
    connect(&m_server, &QLocalServer::newConnection, this, &AutomationServer::welcome);
}

values::Result<void, QString> AutomationServer::listen(const QString& name)
{
    // Looked at first: a server with limited access is moved into place, over whatever is there.
    const QFileInfo place(QDir(QDir::tempPath()).filePath(name));
    if (place.isFile() || place.isDir())
        return values::Failure(tr("%1 is no socket").arg(place.filePath()));
    if (isAlive(name))
        return values::Failure(tr("%1 is in use by another program").arg(name));
    QLocalServer::removeServer(name);
    if (m_server.listen(name))
        return {};
    return values::Failure(tr("%1 cannot be listened on: %2").arg(name, m_server.errorString()));
}

void AutomationServer::welcome()
{
    while (auto* socket = m_server.nextPendingConnection()) {
        if (m_clients >= kMostClients) {
            socket->abort();
            socket->deleteLater();
            continue;
        }
        ++m_clients;
        auto* connection = new Connection(socket, m_screen, this);
        connect(connection, &Connection::quitWanted, this, &AutomationServer::quitWanted);
        connect(connection, &Connection::ended, this, [this, connection] {
            --m_clients;
            connection->deleteLater();
        });
    }
}

} // namespace payonce::automation
