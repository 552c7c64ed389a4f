#include "checkout/server_supervisor.h"

#include <QtCore/QDir>
#include <QtCore/QFile>

#include <algorithm>
#include <chrono>
#include <csignal>

namespace payonce::checkout {

namespace {

using std::chrono::milliseconds;

/// A dead server is noticed and started again within half a second.
constexpr milliseconds kRestartDelay{150};
/// Once somebody uses the ports, the pause doubles up to this: whoever has one of them now may let it go.
constexpr milliseconds kLongestRestartDelay{5000};
constexpr milliseconds kWatchEvery{200};
constexpr int kMostFailedStarts = 10;
constexpr milliseconds kStopLimit{5000};
constexpr qint64 kMostLastWords = 4096;

/// What a server's exit status means for us. Trying again helps nothing but a lock that is about to be let go.
ExitStatus meaningOf(int exitCode)
{
    if (exitCode == static_cast<int>(ExitStatus::Locked))
        return ExitStatus::Locked;
    return exitCode == static_cast<int>(ExitStatus::Storage) ? ExitStatus::Storage : ExitStatus::Configuration;
}

bool isHopeless(int exitCode)
{
    return exitCode == static_cast<int>(ExitStatus::Usage) || exitCode == static_cast<int>(ExitStatus::Configuration);
}

} // namespace

ServerSupervisor::ServerSupervisor(SupervisorSetup setup, QObject* parent) : QObject(parent), m_setup(std::move(setup))
{
    m_again.setSingleShot(true);
    m_watch.setInterval(kWatchEvery);
    connect(&m_again, &QTimer::timeout, this, &ServerSupervisor::start);
    connect(&m_watch, &QTimer::timeout, this, &ServerSupervisor::watchAdopted);
    connect(&m_child, &QProcess::readyReadStandardOutput, this, &ServerSupervisor::readReadyLine);
    connect(&m_child, &QProcess::finished, this, &ServerSupervisor::childEnded);
    connect(&m_child, &QProcess::errorOccurred, this, [this](QProcess::ProcessError error) {
        if (error == QProcess::FailedToStart)
            fail(tr("%1 cannot be started: %2").arg(m_setup.program, m_child.errorString()), ExitStatus::Configuration);
    });
}

ServerSupervisor::~ServerSupervisor()
{
    if (!m_presence || m_presence->leave())
        stop();
    else
        leaveRunning();
}

// Also again: another payonce may have been faster.
void ServerSupervisor::start()
{
    if (!m_presence)
        m_presence = storage::Presence::take(pathOf("bundled-server.lock")).value_or(nullptr);
    const auto found = readServerRecord(m_setup.dataDir);
    if (!m_addressGiven)
        m_ports = m_oldPortsRefused ? std::nullopt : found;
    if (!found || !isAlive(found->pid))
        return launch();
    m_health.ask(found->shop, [this, found](HealthCheck::Health health) {
        if (health == HealthCheck::Health::Answers && isWhereExpected(*found))
            adopt(*found);
        else
            launch();
    });
}

void ServerSupervisor::stop()
{
    m_again.stop();
    m_watch.stop();
    m_child.disconnect(this);
    if (m_child.state() != QProcess::NotRunning) {
        m_child.terminate();
        if (!m_child.waitForFinished(static_cast<int>(kStopLimit.count()))) {
            m_child.kill();
            m_child.waitForFinished(static_cast<int>(kStopLimit.count()));
        }
    } else if (m_record && isAlive(m_record->pid)) {
        // Found running: ours if an earlier payonce started it, and was killed; somebody's own otherwise.
        QFile marker(pathOf("bundled-server.pid"));
        if (marker.open(QIODevice::ReadOnly) && marker.read(32).trimmed().toLongLong() == m_record->pid)
            ::kill(static_cast<pid_t>(m_record->pid), SIGTERM);
    }
    m_record.reset();
}

void ServerSupervisor::leaveRunning()
{
    m_child.disconnect(this);
    m_child.letGo();
}

bool ServerSupervisor::isWhereExpected(const ServerRecord& record) const
{
    return !m_addressGiven || (record.shop == m_ports->shop && record.control == m_ports->control);
}

void ServerSupervisor::adopt(const ServerRecord& record)
{
    m_record = m_ports = record;
    m_addressGiven = true;
    m_failedStarts = 0;
    m_watch.start();
    Q_EMIT serverReady(record);
}

void ServerSupervisor::launch()
{
    m_line.clear();
    m_readySeen = false;
    // Into a file, not a pipe: if this process is killed the server must not die of writing to nobody.
    m_child.setStandardErrorFile(pathOf("server.log"));
    m_child.start(m_setup.program, arguments(), QIODevice::ReadOnly);
}

void ServerSupervisor::readReadyLine()
{
    m_line += m_child.readAllStandardOutput();
    const auto end = m_line.indexOf('\n');
    if (m_readySeen || (end < 0 && m_line.size() < kLongestServerRecord))
        return;
    const auto record = parseServerRecord(m_line.left(end));
    if (!record || !isWhereExpected(*record)) {
        fail(tr("%1 does not say where it listens").arg(m_setup.program), ExitStatus::Configuration);
        return;
    }
    m_readySeen = true;
    m_failedStarts = 0;
    m_record = m_ports = record;
    m_addressGiven = true;
    QFile marker(pathOf("bundled-server.pid"));
    if (marker.open(QIODevice::WriteOnly))
        marker.write(QByteArray::number(record->pid));
    Q_EMIT serverReady(*record);
}

void ServerSupervisor::childEnded(int exitCode, QProcess::ExitStatus how)
{
    if (!m_readySeen) {
        startFailed(how == QProcess::NormalExit ? exitCode : -1);
        return;
    }
    m_record.reset();
    m_again.start(kRestartDelay);
    Q_EMIT serverDied();
}

void ServerSupervisor::startFailed(int exitCode)
{
    ++m_failedStarts;
    const bool onOldPorts = m_ports && !m_addressGiven && exitCode != static_cast<int>(ExitStatus::Locked);
    // What has run here before with the same arguments fails for what may pass, even where it calls that configuration.
    const bool mayPass = m_addressGiven || !isHopeless(exitCode);
    if (onOldPorts)
        m_oldPortsRefused = true; // they may belong to somebody else by now, and nobody uses them yet
    else if (m_failedStarts >= kMostFailedStarts || !mayPass)
        return fail(lastWords(), meaningOf(exitCode));
    if (exitCode == static_cast<int>(ExitStatus::Locked))
        m_again.start(std::min(kRestartDelay * m_failedStarts, kLongestRestartDelay)); // whoever was faster is not ready yet
    else
        m_again.start(m_addressGiven ? std::min(kRestartDelay * (1 << m_failedStarts), kLongestRestartDelay) : kRestartDelay);
}

void ServerSupervisor::fail(const QString& sentence, ExitStatus status)
{
    m_record.reset();
    stop();
    Q_EMIT serverFailed(sentence, status);
}

void ServerSupervisor::watchAdopted()
{
    if (m_record && isAlive(m_record->pid))
        return;
    m_watch.stop();
    m_record.reset();
    m_again.start(kRestartDelay);
    Q_EMIT serverDied();
}

QStringList ServerSupervisor::arguments() const
{
    QStringList arguments = {QStringLiteral("--data-dir"), m_setup.dataDir};
    if (m_ports)
        arguments << QStringLiteral("--port") << QString::number(m_ports->shop.port()) << QStringLiteral("--control-port")
                  << QString::number(m_ports->control.port());
    if (!m_setup.scenarioFile.isEmpty())
        arguments << QStringLiteral("--scenario") << m_setup.scenarioFile;
    return arguments;
}

QString ServerSupervisor::pathOf(const char* name) const
{
    return QDir(m_setup.dataDir).filePath(QLatin1String(name));
}

QString ServerSupervisor::lastWords() const
{
    QFile log(pathOf("server.log"));
    if (!log.open(QIODevice::ReadOnly))
        return tr("%1 ended without a word").arg(m_setup.program);
    log.seek(qMax(qint64(0), log.size() - kMostLastWords));
    const auto lines = log.read(kMostLastWords).trimmed().split('\n');
    const auto last = QString::fromUtf8(lines.constLast()).trimmed();
    return last.isEmpty() ? tr("%1 ended without a word").arg(m_setup.program) : last;
}

} // namespace payonce::checkout
