#include "automation/automation_client.h"

#include <QtCore/QDeadlineTimer>
#include <QtCore/QJsonDocument>
#include <QtTest/QTest>

namespace payonce::support {

namespace {

int milliseconds(std::chrono::milliseconds time)
{
    return static_cast<int>(time.count());
}

} // namespace

bool AutomationClient::connectTo(const QString& name, std::chrono::milliseconds patience)
{
    return QTest::qWaitFor(
        [&] {
            if (m_socket.state() == QLocalSocket::UnconnectedState) {
                m_buffer.clear();
                m_socket.connectToServer(name);
            }
            return isConnected();
        },
        milliseconds(patience));
}

int AutomationClient::send(QJsonObject command)
{
    command.insert(QLatin1String("id"), ++m_lastId);
    sendLine(QJsonDocument(std::move(command)).toJson(QJsonDocument::Compact));
    return m_lastId;
}

void AutomationClient::sendLine(const QByteArray& line)
{
    m_socket.write(line + '\n');
    m_socket.flush();
}

QJsonObject AutomationClient::answerTo(int id, std::chrono::milliseconds patience)
{
    static_cast<void>(QTest::qWaitFor(
        [&] {
            read();
            return m_answers.contains(id) || !isConnected();
        },
        milliseconds(patience)));
    return m_answers.take(id);
}

QJsonObject AutomationClient::ask(QJsonObject command, std::chrono::milliseconds patience)
{
    return answerTo(send(std::move(command)), patience);
}

QJsonObject AutomationClient::nextRefusal()
{
    static_cast<void>(QTest::qWaitFor(
        [&] {
            read();
            return !m_withoutId.isEmpty() || !isConnected();
        },
        milliseconds(kPatience)));
    return m_withoutId.isEmpty() ? QJsonObject() : m_withoutId.takeFirst();
}

bool AutomationClient::waitForEnd()
{
    return QTest::qWaitFor([&] { return m_socket.state() == QLocalSocket::UnconnectedState; }, milliseconds(kPatience));
}

void AutomationClient::read()
{
    m_buffer += m_socket.readAll();
    for (auto end = m_buffer.indexOf('\n'); end >= 0; end = m_buffer.indexOf('\n')) {
        const auto answer = QJsonDocument::fromJson(m_buffer.left(end)).object();
        m_buffer.remove(0, end + 1);
        const auto id = answer.value(QLatin1String("id"));
        if (id.isDouble())
            m_answers.insert(id.toInt(), answer);
        else
            m_withoutId.append(answer);
    }
}

} // namespace payonce::support
