// ServerSupervisor: the bundled payonce-server of one data directory (docs/client.md, "The bundled server").
#pragma once

#include "checkout/exit_status.h"
#include "checkout/health_check.h"
#include "checkout/server_record.h"
#include "storage/presence.h"

#include <QtCore/QObject>
#include <QtCore/QProcess>
#include <QtCore/QTimer>

#include <memory>
#include <optional>

namespace payonce::checkout {

struct SupervisorSetup
{
    QString program; ///< path of payonce-server
    QString dataDir;
    QString scenarioFile; ///< empty: none; only a server started here gets it
};

/// One that can outlive this process.
class ChildProcess : public QProcess
{
public:
    /// It is not ended with this object.
    void letGo() { setProcessState(NotRunning); }
};

/// Finds, starts, restarts and stops. A live server of this directory is used as it is; else one is started. One that
/// dies is started again on the same ports. Several of these on one directory use one server; it outlives all but the last.
/// If this process is killed the server lives on and is found the next time.
class ServerSupervisor : public QObject
{
    Q_OBJECT

public:
    explicit ServerSupervisor(SupervisorSetup setup, QObject* parent = nullptr);
    /// Stops, as stop() does, unless somebody else uses the server.
    ~ServerSupervisor() override;

    void start();
    /// SIGTERM to a server that a payonce started; waits for our own child up to five seconds, then kills it.
    void stop();

    [[nodiscard]] const std::optional<ServerRecord>& record() const { return m_record; }
    /// The server was found running, so it was not started with the scenario of the setup.
    [[nodiscard]] bool isAdopted() const { return m_record && m_child.state() == QProcess::NotRunning; }

Q_SIGNALS:
    /// It answers; again after every restart, then with the same addresses.
    void serverReady(const payonce::checkout::ServerRecord& record);
    void serverDied();
    /// It cannot be started; nothing more is tried. `sentence` is its own last line where it left one.
    void serverFailed(const QString& sentence, payonce::checkout::ExitStatus status);

private:
    void adopt(const ServerRecord& record);
    [[nodiscard]] bool isWhereExpected(const ServerRecord& record) const;
    void launch();
    void readReadyLine();
    void childEnded(int exitCode, QProcess::ExitStatus how);
    void startFailed(int exitCode);
    /// Somebody else stops it.
    void leaveRunning();
    void fail(const QString& sentence, ExitStatus status);
    void watchAdopted();
    [[nodiscard]] QStringList arguments() const;
    [[nodiscard]] QString pathOf(const char* name) const;
    [[nodiscard]] QString lastWords() const;

    SupervisorSetup m_setup;
    HealthCheck m_health;
    ChildProcess m_child;
    std::shared_ptr<storage::Presence> m_presence; ///< among those who use the server; none: there can be no such file
    QTimer m_again;
    QTimer m_watch;
    QByteArray m_line;
    std::optional<ServerRecord> m_record; ///< the newest that answered
    std::optional<ServerRecord> m_ports;  ///< where a start should listen
    bool m_addressGiven = false;          ///< somebody uses m_ports: they must not change any more
    bool m_oldPortsRefused = false;       ///< a start on the ports of the last run failed
    bool m_readySeen = false;             ///< of the present child
    int m_failedStarts = 0;               ///< in a row
};

} // namespace payonce::checkout
