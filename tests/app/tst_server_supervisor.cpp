// The bundled server: found, started, started again, given up, stopped. Real processes.
#include "checkout/server_supervisor.h"
#include "support/server_process.h"

#include <QtCore/QCoreApplication>
#include <QtCore/QDeadlineTimer>
#include <QtCore/QDir>
#include <QtCore/QElapsedTimer>
#include <QtCore/QFile>
#include <QtCore/QRegularExpression>
#include <QtCore/QTemporaryDir>
#include <QtNetwork/QTcpServer>
#include <QtTest/QSignalSpy>
#include <QtTest/QTest>

#include <csignal>
#include <memory>
#include <thread>

using namespace payonce::checkout;

namespace {

constexpr int kPatience = 20000;

QString serverProgram()
{
    return QDir(QCoreApplication::applicationDirPath()).filePath(QStringLiteral("payonce-server"));
}

/// One supervisor on one directory, with what it said.
struct Rig
{
    explicit Rig(const QString& dataDir, const QString& program = serverProgram(), const QString& scenario = {})
        : supervisor({program, dataDir, scenario})
    {
    }

    ServerSupervisor supervisor;
    QSignalSpy ready{&supervisor, &ServerSupervisor::serverReady};
    QSignalSpy died{&supervisor, &ServerSupervisor::serverDied};
    QSignalSpy failed{&supervisor, &ServerSupervisor::serverFailed};
};

QString scriptIn(const QTemporaryDir& dir, const QByteArray& body)
{
    const auto path = dir.filePath(QStringLiteral("script"));
    QFile file(path);
    if (file.open(QIODevice::WriteOnly))
        file.write("#!/bin/sh\n" + body);
    file.close();
    QFile::setPermissions(path, QFileDevice::ReadOwner | QFileDevice::WriteOwner | QFileDevice::ExeOwner);
    return path;
}

void sendSignal(qint64 pid, int signal)
{
    QCOMPARE(::kill(static_cast<pid_t>(pid), signal), 0);
}

} // namespace

class TestServerSupervisor : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    void freshDirectory_getsAServer_thatStopsWithIt()
    {
        const QTemporaryDir dir;
        qint64 pid = 0;
        {
            Rig rig(dir.path());
            rig.supervisor.start();
            QTRY_COMPARE_WITH_TIMEOUT(rig.ready.count(), 1, kPatience);
            pid = rig.supervisor.record()->pid;
            QVERIFY(isAlive(pid));
            QVERIFY(!readToken(rig.supervisor.record()->accountTokenFile).isEmpty());
        }
        QVERIFY(!isAlive(pid));
    }

    void killedServer_isBackOnTheSamePortsWithinHalfASecond()
    {
        const QTemporaryDir dir;
        Rig rig(dir.path());
        rig.supervisor.start();
        QTRY_COMPARE_WITH_TIMEOUT(rig.ready.count(), 1, kPatience);
        const auto before = *rig.supervisor.record();

        sendSignal(before.pid, SIGKILL);
        QTRY_COMPARE_WITH_TIMEOUT(rig.died.count(), 1, kPatience);
        QTRY_COMPARE_WITH_TIMEOUT(rig.ready.count(), 2, kPatience);

        const auto after = *rig.supervisor.record();
        QCOMPARE(after.shop, before.shop);
        QCOMPARE(after.control, before.control);
        QVERIFY(after.pid != before.pid);
        QCOMPARE(readToken(after.accountTokenFile), readToken(before.accountTokenFile));
    }

    void liveServer_isUsed_andSomebodysOwnIsLeftAlone()
    {
        const QTemporaryDir dir;
        payonce::support::ServerProcess server(dir.path());
        QVERIFY(server.start());
        {
            Rig rig(dir.path());
            rig.supervisor.start();
            QTRY_COMPARE_WITH_TIMEOUT(rig.ready.count(), 1, kPatience);
            QCOMPARE(rig.supervisor.record()->pid, server.pid());
        }
        QVERIFY(isAlive(server.pid()));
    }

    void usedServerThatDies_isStartedAgain()
    {
        const QTemporaryDir dir;
        payonce::support::ServerProcess server(dir.path());
        QVERIFY(server.start());
        Rig rig(dir.path());
        rig.supervisor.start();
        QTRY_COMPARE_WITH_TIMEOUT(rig.ready.count(), 1, kPatience);
        const auto shop = rig.supervisor.record()->shop;

        server.killHard();
        QTRY_COMPARE_WITH_TIMEOUT(rig.ready.count(), 2, kPatience);
        QCOMPARE(rig.died.count(), 1);
        QCOMPARE(rig.supervisor.record()->shop, shop);
    }

    void serverOfAKilledPayonce_isFoundAndStopped()
    {
        const QTemporaryDir dir;
        payonce::support::ServerProcess server(dir.path());
        QVERIFY(server.start());
        QFile marker(dir.filePath(QStringLiteral("bundled-server.pid"))); // as the killed payonce left it
        QVERIFY(marker.open(QIODevice::WriteOnly));
        marker.write(QByteArray::number(server.pid()));
        marker.close();
        {
            Rig rig(dir.path());
            rig.supervisor.start();
            QTRY_COMPARE_WITH_TIMEOUT(rig.ready.count(), 1, kPatience);
        }
        QVERIFY(server.waitForEnd());
    }

    void recordOfADeadServer_givesThePorts()
    {
        const QTemporaryDir dir;
        payonce::support::ServerProcess server(dir.path());
        QVERIFY(server.start());
        const auto port = server.shopPort();
        server.killHard();
        Rig rig(dir.path());
        rig.supervisor.start();
        QTRY_COMPARE_WITH_TIMEOUT(rig.ready.count(), 1, kPatience);
        QCOMPARE(rig.supervisor.record()->shop.port(), int(port));
    }

    void portTakenWhileItsServerWasDead_isWaitedFor()
    {
        const QTemporaryDir dir;
        Rig rig(dir.path());
        rig.supervisor.start();
        QTRY_COMPARE_WITH_TIMEOUT(rig.ready.count(), 1, kPatience);
        const auto port = static_cast<quint16>(rig.supervisor.record()->shop.port());
        QTcpServer other;
        sendSignal(rig.supervisor.record()->pid, SIGKILL);
        // No event is handled meanwhile, so the supervisor cannot be faster.
        const QDeadlineTimer patience(kPatience);
        while (!other.listen(QHostAddress::LocalHost, port) && !patience.hasExpired())
            std::this_thread::yield();
        QVERIFY(other.isListening());
        const auto isRefused = [&] {
            QFile log(dir.filePath(QStringLiteral("server.log")));
            return log.open(QIODevice::ReadOnly) && log.readAll().contains("in use");
        };
        QTRY_VERIFY_WITH_TIMEOUT(isRefused(), kPatience);
        QVERIFY(rig.failed.isEmpty());
        other.close();
        QTRY_COMPARE_WITH_TIMEOUT(rig.ready.count(), 2, kPatience);
        QCOMPARE(rig.supervisor.record()->shop.port(), int(port));
        QVERIFY(rig.failed.isEmpty());
    }

    void portsTakenBySomebodyElse_areGivenUp()
    {
        const QTemporaryDir dir;
        const QTemporaryDir otherDir;
        payonce::support::ServerProcess other(otherDir.path());
        QVERIFY(other.start());
        QFile record(dir.filePath(QStringLiteral("server.json"))); // a dead server once had other's ports
        QVERIFY(record.open(QIODevice::WriteOnly));
        record.write(QStringLiteral(R"({"ready":true,"shop":"http://127.0.0.1:%1","control":"http://127.0.0.1:%2",)"
                                    R"("tokens":{"account":"a","control":"c"},"pid":999999999})")
                         .arg(other.shopPort())
                         .arg(other.controlPort())
                         .toUtf8());
        record.close();

        Rig rig(dir.path());
        rig.supervisor.start();
        QTRY_COMPARE_WITH_TIMEOUT(rig.ready.count(), 1, kPatience);
        QVERIFY(rig.supervisor.record()->shop.port() != other.shopPort());
        QVERIFY(rig.failed.isEmpty());
    }

    void wrongFile_isToldAtOnceInTheServersWords()
    {
        const QTemporaryDir dir;
        const auto scenario = dir.filePath(QStringLiteral("scenario.json"));
        QFile file(scenario);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("{}");
        file.close();
        Rig rig(dir.path(), serverProgram(), scenario);
        rig.supervisor.start();
        QTRY_COMPARE_WITH_TIMEOUT(rig.failed.count(), 1, kPatience);
        QVERIFY2(rig.failed[0][0].toString().contains(scenario), qPrintable(rig.failed[0][0].toString()));
        QCOMPARE(rig.failed[0][1].value<ExitStatus>(), ExitStatus::Configuration);
        QVERIFY(rig.ready.isEmpty());
    }

    void lockedDirectory_isGivenUpAfterABound()
    {
        const QTemporaryDir dir;
        const auto script = scriptIn(dir, "echo start >>\"$2/starts\"\necho 'the directory is in use' >&2\nexit 75\n");
        Rig rig(dir.path(), script);
        rig.supervisor.start();
        QTRY_COMPARE_WITH_TIMEOUT(rig.failed.count(), 1, kPatience);
        QCOMPARE(rig.failed[0][0].toString(), QStringLiteral("the directory is in use"));
        QCOMPARE(rig.failed[0][1].value<ExitStatus>(), ExitStatus::Locked);
        QFile starts(dir.filePath(QStringLiteral("starts")));
        QVERIFY(starts.open(QIODevice::ReadOnly));
        QCOMPARE(starts.readAll().count('\n'), 10);
    }

    void silentServer_isTold()
    {
        const QTemporaryDir dir;
        Rig rig(dir.path(), scriptIn(dir, "exit 78\n"));
        rig.supervisor.start();
        QTRY_COMPARE_WITH_TIMEOUT(rig.failed.count(), 1, kPatience);
        QVERIFY(rig.failed[0][0].toString().contains(QStringLiteral("without a word")));
    }

    void serverThatSaysSomethingElse_isTold()
    {
        const QTemporaryDir dir;
        Rig rig(dir.path(), scriptIn(dir, "echo hello\nexec cat /dev/zero >/dev/null\n"));
        rig.supervisor.start();
        QTRY_COMPARE_WITH_TIMEOUT(rig.failed.count(), 1, kPatience);
        QVERIFY(rig.failed[0][0].toString().contains(QStringLiteral("where it listens")));
    }

    void missingProgram_isTold()
    {
        const QTemporaryDir dir;
        Rig rig(dir.path(), dir.filePath(QStringLiteral("no-such-server")));
        rig.supervisor.start();
        QTRY_COMPARE_WITH_TIMEOUT(rig.failed.count(), 1, kPatience);
        QVERIFY(rig.failed[0][0].toString().contains(QStringLiteral("no-such-server")));
        QCOMPARE(rig.failed[0][1].value<ExitStatus>(), ExitStatus::Configuration);
    }
};

QTEST_GUILESS_MAIN(TestServerSupervisor)
#include "tst_server_supervisor.moc"
