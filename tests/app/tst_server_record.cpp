// The ready line, tokens, and whether a process lives.
#include "checkout/server_record.h"

#include <QtCore/QCoreApplication>
#include <QtCore/QFile>
#include <QtCore/QProcess>
#include <QtCore/QRegularExpression>
#include <QtCore/QTemporaryDir>
#include <QtTest/QTest>

#include <unistd.h>

using namespace payonce::checkout;

namespace {

const QByteArray kReady = R"({"ready":true,"shop":"http://127.0.0.1:4001","control":"http://127.0.0.1:4002",)"
                          R"("tokens":{"account":"/d/a","account2":"/d/b","control":"/d/c"},"data_dir":"/d","pid":77})";

void write(const QString& path, const QByteArray& content)
{
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    QCOMPARE(file.write(content), content.size());
}

} // namespace

class TestServerRecord : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    void readyLine_isRead()
    {
        const auto record = parseServerRecord(kReady);
        QVERIFY(record);
        QCOMPARE(record->shop, QUrl(QStringLiteral("http://127.0.0.1:4001")));
        QCOMPARE(record->control, QUrl(QStringLiteral("http://127.0.0.1:4002")));
        QCOMPARE(record->accountTokenFile, QStringLiteral("/d/a"));
        QCOMPARE(record->controlTokenFile, QStringLiteral("/d/c"));
        QCOMPARE(record->pid, 77);
    }

    void damagedLine_isNoRecord_data()
    {
        QTest::addColumn<QByteArray>("line");
        const auto row = [](const char* name, const char* from, const char* to) {
            QTest::newRow(name) << QByteArray(kReady).replace(from, to);
        };
        QTest::newRow("empty") << QByteArray();
        QTest::newRow("half") << kReady.left(60);
        QTest::newRow("other text") << QByteArray("listening on port 4001");
        row("not ready", "\"ready\":true", "\"ready\":false");
        row("no port", "http://127.0.0.1:4001", "http://127.0.0.1");
        row("another machine", "http://127.0.0.1:4001", "http://192.0.2.1:4001");
        row("a name", "http://127.0.0.1:4002", "http://example.com:4002");
        row("no control", "\"control\":\"http", "\"contro\":\"http");
        row("no account token", "\"account\"", "\"acc\"");
        row("no control token", "\"control\":\"/d/c\"", "\"x\":\"/d/c\"");
        row("no pid", "\"pid\":77", "\"pid\":0");
        row("pid as text", "\"pid\":77", "\"pid\":\"77\"");
    }
    void damagedLine_isNoRecord()
    {
        QFETCH(QByteArray, line);
        QVERIFY(!parseServerRecord(line));
    }

    void fileOfTheLastRun_isFound()
    {
        const QTemporaryDir dir;
        QVERIFY(!readServerRecord(dir.path()));
        write(dir.filePath(QStringLiteral("server.json")), kReady + "\n");
        QVERIFY(readServerRecord(dir.path()));
        write(dir.filePath(QStringLiteral("server.json")), kReady + QByteArray(kLongestServerRecord, ' '));
        QVERIFY(!readServerRecord(dir.path()));
    }

    void process_livesUntilItEnds()
    {
        QVERIFY(isAlive(QCoreApplication::applicationPid()));
        QVERIFY(!isAlive(0));
        QVERIFY(!isAlive(-1));
        QProcess process;
        process.start(QStringLiteral("/bin/cat"), QStringList());
        QVERIFY(process.waitForStarted());
        const auto pid = process.processId();
        QVERIFY(isAlive(pid));
        process.kill();
        QVERIFY(process.waitForFinished());
        QVERIFY(!isAlive(pid));
    }

    void endedButNotCollectedProcess_isNotAlive()
    {
        const auto pid = ::fork();
        QVERIFY(pid >= 0);
        if (pid == 0)
            ::_exit(0);
        QTRY_VERIFY(!isAlive(pid)); // a zombie: nobody has waited for it
    }

    void token_isBare()
    {
        const QTemporaryDir dir;
        const auto file = dir.filePath(QStringLiteral("token"));
        QVERIFY(readToken(file).isEmpty());
        write(file, "tok_123\n");
        QCOMPARE(readToken(file), QByteArray("tok_123"));
        write(file, "tok 123");
        QVERIFY(readToken(file).isEmpty());
        write(file, "tok\r\nX-Evil: 1");
        QVERIFY(readToken(file).isEmpty());
        write(file, QByteArray(2000, 'x'));
        QVERIFY(readToken(file).isEmpty());
    }
};

QTEST_GUILESS_MAIN(TestServerRecord)
#include "tst_server_record.moc"
