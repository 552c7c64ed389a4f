// A program at the automation socket of a window (docs/automation.md).
#pragma once

#include <QtCore/QHash>
#include <QtCore/QJsonObject>
#include <QtCore/QString>
#include <QtNetwork/QLocalSocket>

#include <chrono>

namespace payonce::support {

class AutomationClient
{
public:
    static constexpr std::chrono::milliseconds kPatience{20'000};

    /// Tries again until somebody listens there. False: nobody did.
    [[nodiscard]] bool connectTo(const QString& name, std::chrono::milliseconds patience = kPatience);
    [[nodiscard]] bool isConnected() const { return m_socket.state() == QLocalSocket::ConnectedState; }

    /// Sends one command under the next id, which is returned.
    int send(QJsonObject command);
    /// One raw line.
    void sendLine(const QByteArray& line);
    /// The answer to it; empty: none came, or the connection ended.
    [[nodiscard]] QJsonObject answerTo(int id, std::chrono::milliseconds patience = kPatience);
    [[nodiscard]] QJsonObject ask(QJsonObject command, std::chrono::milliseconds patience = kPatience);
    /// The next answer without an id.
    [[nodiscard]] QJsonObject nextRefusal();
    [[nodiscard]] bool waitForEnd();

private:
    void read();

    QLocalSocket m_socket;
    QByteArray m_buffer;
    QHash<int, QJsonObject> m_answers;
    QList<QJsonObject> m_withoutId;
    int m_lastId = 0;
};

} // namespace payonce::support
