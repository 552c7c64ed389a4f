#include "support/server_process.h"

#include <QtCore/QFile>
#include <QtCore/QJsonDocument>
#include <QtCore/QUrl>
#include <QtTest/QTest>

namespace payonce::support {

namespace {

const int kPatienceMs = static_cast<int>(std::chrono::milliseconds(kServerPatience).count());

} // namespace

ServerProcess::ServerProcess(QString dataDir, QStringList arguments)
    : m_dataDir(std::move(dataDir)), m_arguments(std::move(arguments))
{
}

ServerProcess::~ServerProcess()
{
    killHard();
}

bool ServerProcess::start(const QStringList& arguments)
{
    m_arguments = arguments;
    return start();
}

bool ServerProcess::start()
{
    m_output.clear();
    m_errorText.clear();
    m_ready = {};
    m_exitCode = -1;
    m_process = std::make_unique<QProcess>();
    m_process->start(QStringLiteral(PAYONCE_SERVER_PROGRAM),
                     QStringList{QStringLiteral("--data-dir"), m_dataDir} + m_arguments);
    const bool spoke = QTest::qWaitFor(
        [this] {
            collect();
            return m_output.contains('\n') || !isRunning();
        },
        kPatienceMs);
    collect();
    if (!spoke || !m_output.contains('\n'))
        return false;
    m_ready = QJsonDocument::fromJson(m_output.left(m_output.indexOf('\n'))).object();
    return m_ready.value(QStringLiteral("ready")).toBool();
}

void ServerProcess::killHard()
{
    if (!m_process)
        return;
    m_process->kill();
    m_process->waitForFinished(kPatienceMs);
    collect();
}

void ServerProcess::stop()
{
    if (!m_process)
        return;
    m_process->terminate();
    m_process->waitForFinished(kPatienceMs);
    collect();
}

bool ServerProcess::waitForEnd()
{
    const bool ended = QTest::qWaitFor([this] { return !isRunning(); }, kPatienceMs);
    collect();
    return ended;
}

bool ServerProcess::isRunning() const
{
    return m_process && m_process->state() != QProcess::NotRunning;
}

void ServerProcess::collect()
{
    m_output += m_process->readAllStandardOutput();
    m_errorText += m_process->readAllStandardError();
    if (!isRunning() && m_process->exitStatus() == QProcess::NormalExit)
        m_exitCode = m_process->exitCode();
}

QByteArray ServerProcess::token(const QString& name) const
{
    QFile file(m_ready.value(QStringLiteral("tokens")).toObject().value(name).toString());
    return file.open(QIODevice::ReadOnly) ? file.readAll().trimmed() : QByteArray();
}

quint16 ServerProcess::portOf(const QString& member) const
{
    return static_cast<quint16>(QUrl(m_ready.value(member).toString()).port(0));
}

} // namespace payonce::support
