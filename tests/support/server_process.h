// A real payonce-server of a test: started, read, killed and started again.
#pragma once

#include <QtCore/QJsonObject>
#include <QtCore/QProcess>
#include <QtCore/QString>
#include <QtCore/QStringList>

#include <chrono>
#include <memory>

namespace payonce::support {

/// Long enough for a loaded machine; a test that waits this long has failed.
inline constexpr std::chrono::seconds kServerPatience{20};

class ServerProcess
{
public:
    /// `dataDir` outlives this object. `arguments` are added to --data-dir.
    explicit ServerProcess(QString dataDir, QStringList arguments = {});
    ServerProcess(const ServerProcess&) = delete;
    ServerProcess& operator=(const ServerProcess&) = delete;
    ServerProcess(ServerProcess&&) = delete;
    ServerProcess& operator=(ServerProcess&&) = delete;
    /// Kills what still runs.
    ~ServerProcess();

    /// Starts it and waits for the ready line. False: it ended, or said something else first (see errorText()).
    [[nodiscard]] bool start();
    /// As start(), with other arguments from now on.
    [[nodiscard]] bool start(const QStringList& arguments);
    /// SIGKILL, and waits until it is gone.
    void killHard();
    /// SIGTERM, and waits until it is gone.
    void stop();
    /// Waits until it has ended by itself; false if it still runs.
    [[nodiscard]] bool waitForEnd();

    [[nodiscard]] bool isRunning() const;
    [[nodiscard]] int exitCode() const { return m_exitCode; }
    [[nodiscard]] const QJsonObject& ready() const { return m_ready; }
    [[nodiscard]] qint64 pid() const { return m_process ? m_process->processId() : 0; }
    [[nodiscard]] quint16 shopPort() const { return portOf(QStringLiteral("shop")); }
    [[nodiscard]] quint16 controlPort() const { return portOf(QStringLiteral("control")); }
    /// The bare token in the file the ready line names.
    [[nodiscard]] QByteArray token(const QString& name) const;
    /// All of stderr so far.
    [[nodiscard]] QByteArray errorText() const { return m_errorText; }

private:
    [[nodiscard]] quint16 portOf(const QString& member) const;
    void collect();

    QString m_dataDir;
    QStringList m_arguments;
    std::unique_ptr<QProcess> m_process;
    QByteArray m_output;
    QByteArray m_errorText;
    QJsonObject m_ready;
    int m_exitCode = -1;
};

} // namespace payonce::support
