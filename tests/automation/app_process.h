// One real `payonce` on Qt's offscreen platform, driven through its automation socket.
#pragma once

#include "automation/automation_client.h"

#include <QtCore/QJsonObject>
#include <QtCore/QProcess>
#include <QtCore/QStringList>

namespace payonce::support {

class AppProcess
{
public:
    /// `socket`: the path for its automation socket. `arguments` are added.
    AppProcess(QString socket, QStringList arguments);
    AppProcess(const AppProcess&) = delete;
    AppProcess& operator=(const AppProcess&) = delete;
    AppProcess(AppProcess&&) = delete;
    AppProcess& operator=(AppProcess&&) = delete;
    /// Kills what still runs.
    ~AppProcess();

    /// Starts it and waits for its socket. False: it ended at once, or nobody listened.
    [[nodiscard]] bool start();
    void killHard();
    /// Asks it to close, and waits. False: it had to be killed.
    bool quit();
    [[nodiscard]] bool waitForEnd();
    [[nodiscard]] bool isRunning() const { return m_process.state() != QProcess::NotRunning; }

    [[nodiscard]] qint64 pid() const { return m_process.processId(); }

    /// Sends a command without waiting; its number for answerTo().
    [[nodiscard]] int begin(const QJsonObject& command) { return m_client.send(command); }
    [[nodiscard]] QJsonObject answerTo(int number) { return m_client.answerTo(number); }
    /// The answer; empty if it ended instead.
    [[nodiscard]] QJsonObject ask(const QJsonObject& command);
    /// Tries again while the widget is hidden, disabled or covered. The last answer.
    [[nodiscard]] QJsonObject askUntilDone(const QJsonObject& command);
    /// The stateJson; empty if there is none.
    [[nodiscard]] QJsonObject state();

    /// All of stdout and stderr so far.
    [[nodiscard]] QByteArray output();

private:
    QString m_socket;
    QStringList m_arguments;
    QProcess m_process;
    AutomationClient m_client;
    QByteArray m_output;
};

} // namespace payonce::support
