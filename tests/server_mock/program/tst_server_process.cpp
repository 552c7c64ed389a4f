// A real payonce-server: how it starts, what it leaves on the disk, and every way it refuses to start.
#include "support/http_call.h"
#include "support/server_process.h"
#include "support/shop_requests.h"

#include <QtCore/QDir>
#include <QtCore/QFile>
#include <QtCore/QJsonDocument>
#include <QtCore/QProcess>
#include <QtCore/QSysInfo>
#include <QtCore/QTemporaryDir>
#include <QtCore/QUrl>
#include <QtNetwork/QTcpServer>
#include <QtNetwork/QTcpSocket>
#include <QtTest/QTest>

#include <sys/stat.h>

using payonce::support::bearer;
using payonce::support::HttpAnswer;
using payonce::support::HttpCall;
using payonce::support::httpRequest;
using payonce::support::ServerProcess;

class TestServerProcess : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        QTest::failOnWarning(QRegularExpression(QStringLiteral(".*")));
        m_dir = std::make_unique<QTemporaryDir>();
        QVERIFY(m_dir->isValid());
    }
    void cleanup() { m_dir.reset(); }

    void readyLine_namesEverythingAndServerJsonSaysTheSame()
    {
        ServerProcess server(dataDir());
        QVERIFY2(server.start(), server.errorText().constData());

        QCOMPARE(server.ready().value(QStringLiteral("pid")).toInteger(), server.pid());
        QCOMPARE(server.ready().value(QStringLiteral("data_dir")).toString(), dataDir());
        QCOMPARE(QUrl(server.ready().value(QStringLiteral("shop")).toString()).host(), QStringLiteral("127.0.0.1"));
        QCOMPARE(QJsonDocument::fromJson(contentOf(dataDir() + QStringLiteral("/server.json"))).object(), server.ready());
        QCOMPARE(statusOf(server.shopPort(), "/v1/policy", server.token(QStringLiteral("account"))), 200);
        QCOMPARE(statusOf(server.shopPort(), "/v1/policy", server.token(QStringLiteral("account2"))), 200);
        QCOMPARE(statusOf(server.shopPort(), "/v1/policy", server.token(QStringLiteral("control"))), 401);
        QCOMPARE(statusOf(server.controlPort(), "/ledger", server.token(QStringLiteral("control"))), 200);
        QCOMPARE(statusOf(server.controlPort(), "/ledger", server.token(QStringLiteral("account"))), 401);
    }

    // No file may grow: to a program that is the same as a full disk.
    void fullDiskAtTheFirstStart_isToldAndLeavesNothingBehind()
    {
        QProcess server;
        server.start(QStringLiteral("/bin/sh"),
                     {QStringLiteral("-c"), QStringLiteral("trap '' XFSZ; ulimit -f 0; exec \"$0\" --data-dir \"$1\""),
                      QCoreApplication::applicationDirPath() + QStringLiteral("/payonce-server"), dataDir()});
        QTRY_COMPARE_WITH_TIMEOUT(server.state(), QProcess::NotRunning, 30'000);
        QCOMPARE(server.exitCode(), 74);
        const auto words = server.readAllStandardError();
        QVERIFY2(words.contains("cannot be written"), words);
        QVERIFY(QDir(dataDir() + QStringLiteral("/tokens")).isEmpty());
        ServerProcess again(dataDir());
        QVERIFY2(again.start(), again.errorText());
    }

    void filesAndTokens_areForTheOwnerOnly()
    {
        ServerProcess server(dataDir());
        QVERIFY(server.start());

        constexpr auto kOthers =
            QFileDevice::ReadGroup | QFileDevice::WriteGroup | QFileDevice::ReadOther | QFileDevice::WriteOther;
        QVERIFY(!(QFileInfo(dataDir()).permissions() & (kOthers | QFileDevice::ExeGroup | QFileDevice::ExeOther)));
        for (const char* name : {"server.json", "shop.sqlite", "bank.sqlite", "tokens/account", "tokens/account2",
                                 "tokens/support", "tokens/support_act", "tokens/control", "tokens/webhook"})
            QVERIFY2(!(QFileInfo(dataDir() + QLatin1Char('/') + QLatin1String(name)).permissions() & kOthers), name);
        QCOMPARE(server.token(QStringLiteral("account")).size(), 43);                  // 256 bits in base64url
        QCOMPARE(QFileInfo(dataDir() + QStringLiteral("/tokens/account")).size(), 43); // bare: no line end
    }

    void cleanStop_endsWithZeroAndKeepsTokensAndServerId()
    {
        ServerProcess server(dataDir());
        QVERIFY(server.start());
        const QByteArray token = server.token(QStringLiteral("account"));
        const QByteArray id = serverId(server);

        server.stop();

        QCOMPARE(server.exitCode(), 0);
        QVERIFY2(server.errorText().isEmpty(), server.errorText().constData());
        QVERIFY(!QFile::exists(dataDir() + QStringLiteral("/server.json")));
        QVERIFY(server.start());
        QCOMPARE(server.token(QStringLiteral("account")), token);
        QCOMPARE(serverId(server), id);
        QVERIFY(id.startsWith("srv_"));
    }

    void killedServer_leavesADirectoryThatStartsAgainOnTheSamePort()
    {
        ServerProcess server(dataDir());
        QVERIFY(server.start());
        const QString port = QString::number(server.shopPort());

        server.killHard();

        QVERIFY(QFile::exists(dataDir() + QStringLiteral("/server.json"))); // nobody was left to remove it
        QVERIFY2(server.start({QStringLiteral("--port"), port}), server.errorText().constData());
        QCOMPARE(QString::number(server.shopPort()), port);
        QCOMPARE(QJsonDocument::fromJson(contentOf(dataDir() + QStringLiteral("/server.json"))).object(), server.ready());
    }

    void directoryInUse_ends75AndNamesTheProcess()
    {
        ServerProcess first(dataDir());
        QVERIFY(first.start());
        ServerProcess second(dataDir());

        QVERIFY(!second.start());

        QCOMPARE(second.exitCode(), 75);
        QVERIFY2(second.errorText().contains(QByteArray::number(first.pid())), second.errorText().constData());
        QCOMPARE(statusOf(first.shopPort(), "/healthz", {}), 200);
    }

    // What a killed server leaves in its lock file may be the ID of a process that lives, even the new server's own (in a
    // container every server is process 1), or nothing at all.
    void lockFileOfAKilledServer_isNoHindrance_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::newRow("as it was left") << QByteArray("as it is");
        QTest::newRow("a server that lives elsewhere") << QByteArray("elsewhere");
        QTest::newRow("empty") << QByteArray();
        QTest::newRow("garbage") << QByteArray("garbage");
    }
    void lockFileOfAKilledServer_isNoHindrance()
    {
        QFETCH(QByteArray, text);
        ServerProcess elsewhere(m_dir->filePath(QStringLiteral("elsewhere")));
        QVERIFY(elsewhere.start());
        ServerProcess server(dataDir());
        QVERIFY(server.start());
        server.killHard();
        if (text == "elsewhere")
            text = QByteArray::number(elsewhere.pid()) + "\npayonce-server\n" + QSysInfo::machineHostName().toUtf8() + '\n';
        if (text != "as it is")
            static_cast<void>(write(QStringLiteral("data/lock"), text));
        QVERIFY2(server.start(), server.errorText().constData());
        QVERIFY(contentOf(dataDir() + QStringLiteral("/lock")).startsWith(QByteArray::number(server.pid()) + '\n'));
    }

    void lockThatIsNoFile_ends74AndNamesIt()
    {
        startAndStop(dataDir());
        QVERIFY(QDir().mkpath(dataDir() + QStringLiteral("/lock")));
        ServerProcess server(dataDir());
        QVERIFY(!server.start());
        QCOMPARE(server.exitCode(), 74);
        QVERIFY2(server.errorText().contains("/lock: "), server.errorText().constData());
    }

    // Nobody reads what it logs: at two hundred bytes a request the pipe is full after some three hundred.
    void unreadLog_stopsNothing()
    {
        QProcess server;
        server.start(QStringLiteral(PAYONCE_SERVER_PROGRAM),
                     {QStringLiteral("--data-dir"), dataDir(), QStringLiteral("--log-level"), QStringLiteral("info")});
        QVERIFY(server.waitForStarted());
        const QString ready = dataDir() + QStringLiteral("/server.json");
        QTRY_VERIFY_WITH_TIMEOUT(QFile::exists(ready), 20'000);
        const auto port = portIn(contentOf(ready));
        // QProcess takes what comes only in an event loop, so its pipe is left alone from here on.
        for (int i = 0; i < 2'000; ++i)
            QVERIFY2(healthOf(port).startsWith("HTTP/1.1 200 "), QByteArray::number(i));
        server.terminate();
        QVERIFY(server.waitForFinished());
        QCOMPARE(server.exitCode(), 0);
    }

    void closedStreams_areNoHindrance()
    {
        QProcess shell;
        shell.start(QStringLiteral("sh"), {QStringLiteral("-c"), QStringLiteral("exec \"$0\" --data-dir \"$1\" <&- >&- 2>&-"),
                                           QStringLiteral(PAYONCE_SERVER_PROGRAM), dataDir()});
        QVERIFY(shell.waitForStarted());
        const QString ready = dataDir() + QStringLiteral("/server.json");
        QTRY_VERIFY_WITH_TIMEOUT(QFile::exists(ready), 20'000);
        const auto port = portIn(contentOf(ready));
        QVERIFY(healthOf(port).startsWith("HTTP/1.1 200 "));
        QCOMPARE(shell.state(), QProcess::Running);
        shell.terminate();
        QVERIFY(shell.waitForFinished());
        QCOMPARE(shell.exitCode(), 0);
    }

    void portInUse_ends78AndNamesIt_data()
    {
        QTest::addColumn<QString>("flag");
        QTest::newRow("shop") << QStringLiteral("--port");
        QTest::newRow("control") << QStringLiteral("--control-port");
    }
    void portInUse_ends78AndNamesIt()
    {
        QFETCH(QString, flag);
        QTcpServer other;
        QVERIFY(other.listen(QHostAddress::LocalHost));
        ServerProcess server(dataDir(), {flag, QString::number(other.serverPort())});

        QVERIFY(!server.start());

        QCOMPARE(server.exitCode(), 78);
        QVERIFY(server.errorText().contains(QByteArray::number(other.serverPort())));
        QVERIFY(!QFile::exists(dataDir() + QStringLiteral("/server.json")));
    }

    void wrongFlag_ends2AndNamesIt()
    {
        ServerProcess server(dataDir(), {QStringLiteral("--nonsense")});
        QVERIFY(!server.start());
        QCOMPARE(server.exitCode(), 2);
        QVERIFY(server.errorText().contains("nonsense"));
        QVERIFY(!QFile::exists(dataDir()));
    }

    void badScenario_ends78AndNamesFileLineAndMember()
    {
        const QString file = write(QStringLiteral("bad.json"),
                                   "{\"schema\":1,\"name\":\"x\",\n\"rules\":[{\"id\":\"r\",\"at\":\"bank.comitted\","
                                   "\"do\":{\"rst\":{}}}]}");
        ServerProcess server(dataDir(), {QStringLiteral("--scenario"), file});

        QVERIFY(!server.start());

        QCOMPARE(server.exitCode(), 78);
        QVERIFY2(server.errorText().contains(file.toUtf8() + ": "), server.errorText().constData());
        QVERIFY2(server.errorText().contains("line 2"), server.errorText().constData());
    }

    void missingScenario_ends78()
    {
        ServerProcess server(dataDir(), {QStringLiteral("--scenario"), m_dir->filePath(QStringLiteral("none.json"))});
        QVERIFY(!server.start());
        QCOMPARE(server.exitCode(), 78);
        QVERIFY(server.errorText().contains("none.json"));
    }

    void pipeInsteadOfAFile_isRefusedAtOnce_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<int>("status");
        QTest::newRow("scenario") << QStringLiteral("scenario.json") << 78;
        QTest::newRow("token") << QStringLiteral("data/tokens/account") << 74;
        QTest::newRow("journal of arrivals") << QStringLiteral("data/arrivals.jsonl") << 74;
    }
    void pipeInsteadOfAFile_isRefusedAtOnce()
    {
        QFETCH(QString, name);
        QFETCH(int, status);
        startAndStop(dataDir());
        const QString pipe = m_dir->filePath(name);
        QFile::remove(pipe);
        QCOMPARE(::mkfifo(QFile::encodeName(pipe).constData(), 0600), 0);
        ServerProcess server(dataDir(), status == 78 ? QStringList{QStringLiteral("--scenario"), pipe} : QStringList());

        QVERIFY(!server.start());

        QCOMPARE(server.exitCode(), status);
        QVERIFY2(server.errorText().contains(pipe.toUtf8()), server.errorText().constData());
    }

    void damagedDatabase_ends74AndIsKept_data()
    {
        QTest::addColumn<QString>("name");
        QTest::newRow("bank") << QStringLiteral("bank.sqlite");
        QTest::newRow("shop") << QStringLiteral("shop.sqlite");
    }
    void damagedDatabase_ends74AndIsKept()
    {
        QFETCH(QString, name);
        QVERIFY(QDir().mkdir(dataDir()));
        const QByteArray content(5000, 'x');
        const QString file = write(QStringLiteral("data/") + name, content);
        ServerProcess server(dataDir());

        QVERIFY(!server.start());

        QCOMPARE(server.exitCode(), 74);
        QVERIFY2(server.errorText().contains(file.toUtf8()), server.errorText().constData());
        QCOMPARE(contentOf(file), content);
    }

    void bankOfAnotherShop_ends78AndNamesBoth()
    {
        startAndStop(dataDir());
        const QString other = m_dir->filePath(QStringLiteral("other"));
        startAndStop(other);
        QVERIFY(QFile::remove(dataDir() + QStringLiteral("/bank.sqlite")));
        QVERIFY(QFile::copy(other + QStringLiteral("/bank.sqlite"), dataDir() + QStringLiteral("/bank.sqlite")));
        ServerProcess server(dataDir());

        QVERIFY(!server.start());

        QCOMPARE(server.exitCode(), 78);
        QCOMPARE(server.errorText().count("bank_"), 2);
    }

    void directoryThatCannotBeMade_ends74()
    {
        const QString file = write(QStringLiteral("plain"), "x");
        ServerProcess server(file + QStringLiteral("/data"));
        QVERIFY(!server.start());
        QCOMPARE(server.exitCode(), 74);
        QVERIFY(server.errorText().contains("plain/data"));
    }

    void emptyToken_ends74AndNamesTheFile()
    {
        startAndStop(dataDir());
        const QString file = write(QStringLiteral("data/tokens/account2"), "\n");
        ServerProcess server(dataDir());
        QVERIFY(!server.start());
        QCOMPARE(server.exitCode(), 74);
        QVERIFY(server.errorText().contains(file.toUtf8()));
    }

private:
    [[nodiscard]] QString dataDir() const { return m_dir->filePath(QStringLiteral("data")); }

    [[nodiscard]] QString write(const QString& name, const QByteArray& content) const
    {
        QFile file(m_dir->filePath(name));
        if (!file.open(QIODevice::WriteOnly) || file.write(content) != content.size())
            qFatal("%s cannot be written", qPrintable(name));
        return file.fileName();
    }
    [[nodiscard]] static quint16 portIn(const QByteArray& ready)
    {
        return static_cast<quint16>(QUrl(QJsonDocument::fromJson(ready)[QStringLiteral("shop")].toString()).port(0));
    }
    /// The first bytes of the answer, without an event loop; empty if there is none.
    [[nodiscard]] static QByteArray healthOf(quint16 port)
    {
        QTcpSocket socket;
        socket.connectToHost(QHostAddress(QHostAddress::LocalHost), port);
        if (!socket.waitForConnected(5'000))
            return {};
        socket.write("GET /healthz HTTP/1.1\r\nHost: shop\r\nConnection: close\r\n\r\n");
        socket.waitForReadyRead(5'000);
        return socket.readAll();
    }
    [[nodiscard]] static QByteArray contentOf(const QString& path)
    {
        QFile file(path);
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }
    [[nodiscard]] static HttpAnswer get(quint16 port, const QByteArray& path, const QByteArray& token)
    {
        return answerOf(HttpCall(port, httpRequest("GET", path, bearer(token))));
    }
    [[nodiscard]] static int statusOf(quint16 port, const QByteArray& path, const QByteArray& token)
    {
        return get(port, path, token).status;
    }
    [[nodiscard]] static QByteArray serverId(const ServerProcess& server)
    {
        return text(get(server.shopPort(), "/v1/policy", server.token(QStringLiteral("account"))), "server_id").toUtf8();
    }
    static void startAndStop(const QString& dir)
    {
        ServerProcess server(dir);
        QVERIFY2(server.start(), server.errorText().constData());
        server.stop();
        QCOMPARE(server.exitCode(), 0);
    }

    std::unique_ptr<QTemporaryDir> m_dir;
};

QTEST_GUILESS_MAIN(TestServerProcess)
#include "tst_server_process.moc"
