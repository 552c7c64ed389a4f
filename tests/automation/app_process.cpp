#include "automation/app_process.h"

#include "automation/commands.h"

#include <QtTest/QTest>

namespace payonce::support {

namespace {

constexpr int kPatienceMs = static_cast<int>(AutomationClient::kPatience.count());

} // namespace

AppProcess::AppProcess(QString socket, QStringList arguments) : m_socket(std::move(socket)), m_arguments(std::move(arguments))
{
    auto environment = QProcessEnvironment::systemEnvironment();
    environment.insert(QStringLiteral("QT_QPA_PLATFORM"), QStringLiteral("offscreen"));
    m_process.setProcessEnvironment(environment);
    m_process.setProcessChannelMode(QProcess::MergedChannels);
}

AppProcess::~AppProcess()
{
    killHard();
}

bool AppProcess::start()
{
    m_process.start(QStringLiteral(PAYONCE_PROGRAM),
                    QStringList{QStringLiteral("--no-animations"), QStringLiteral("--automation"), m_socket} + m_arguments);
    return QTest::qWaitFor([this] { return m_client.connectTo(m_socket, std::chrono::milliseconds(0)) || !isRunning(); },
                           kPatienceMs) &&
           isRunning();
}

void AppProcess::killHard()
{
    m_process.kill();
    m_process.waitForFinished(kPatienceMs);
}

bool AppProcess::quit()
{
    if (!isRunning())
        return true;
    static_cast<void>(ask(command("quit")));
    if (waitForEnd())
        return true;
    killHard();
    return false;
}

bool AppProcess::waitForEnd()
{
    return QTest::qWaitFor([this] { return !isRunning(); }, kPatienceMs);
}

QJsonObject AppProcess::ask(const QJsonObject& command)
{
    return m_client.ask(command);
}

QJsonObject AppProcess::askUntilDone(const QJsonObject& command)
{
    QJsonObject answer;
    static_cast<void>(QTest::qWaitFor(
        [&] {
            answer = ask(command);
            const auto error = text(answer, "error");
            const bool mayPass = error == QLatin1String("hidden") || error == QLatin1String("disabled") ||
                                 error == QLatin1String("covered") || error == QLatin1String("not_found");
            return !mayPass || !isRunning();
        },
        kPatienceMs));
    return answer;
}

QJsonObject AppProcess::state()
{
    return isRunning() ? ask(command("state")).value(QLatin1String("state")).toObject() : QJsonObject();
}

QByteArray AppProcess::output()
{
    m_output += m_process.readAll();
    return m_output;
}

} // namespace payonce::support
