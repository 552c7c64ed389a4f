// AutomationServer: the automation socket of an application (docs/automation.md).
#pragma once

#include "automation/connection.h"
#include "automation/screen.h"

#include <QtCore/QObject>
#include <QtNetwork/QLocalServer>

namespace payonce::automation {

/// Lives on the GUI thread. Nothing listens before listen().
class AutomationServer : public QObject
{
    Q_OBJECT

public:
    static constexpr int kMostClients = 4; ///< one more is let go at once

    explicit AutomationServer(QObject* parent = nullptr);

    /// A name in the directory of temporary files, or the path of a socket. Only this user may connect. A socket that a killed
    /// process left is taken over. The error is a sentence.
    [[nodiscard]] values::Result<void, QString> listen(const QString& name);
    /// Where windows are announced; Screen::changed is whoever owns the window to emit.
    [[nodiscard]] Screen& screen() { return m_screen; }

Q_SIGNALS:
    /// A client asks for the end of the application; it has its answer.
    void quitWanted();

private:
    void welcome();

    Screen m_screen;
    QLocalServer m_server;
    int m_clients = 0;
};

} // namespace payonce::automation
