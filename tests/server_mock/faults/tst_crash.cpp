// A crash rule really ends the process, leaves its row, and does not fire again after the restart.
#include "faults/arrival_journal.h"
#include "server_mock/http/raw_peer.h"

#include <QtCore/QProcess>
#include <QtCore/QTemporaryDir>
#include <QtTest/QTest>

#include <csignal>

using payonce::faults::ArrivalJournal;
using payonce::tests::RawPeer;

class TestCrash : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void crashRule_killsOnceAndNeverAgain_data();
    void crashRule_killsOnceAndNeverAgain();
};

void TestCrash::crashRule_killsOnceAndNeverAgain_data()
{
    QTest::addColumn<QString>("point");
    QTest::addColumn<qsizetype>("bytes");
    QTest::addColumn<std::size_t>("rows");
    QTest::newRow("received") << QStringLiteral("received") << qsizetype(0) << std::size_t(1);
    QTest::newRow("bank.committed") << QStringLiteral("bank.committed") << qsizetype(0) << std::size_t(2);
    QTest::newRow("reply.built") << QStringLiteral("reply.built") << qsizetype(0) << std::size_t(2);
    QTest::newRow("reply.head@9") << QStringLiteral("reply.head") << qsizetype(9) << std::size_t(2);
}

void TestCrash::crashRule_killsOnceAndNeverAgain()
{
    QFETCH(QString, point);
    QFETCH(qsizetype, bytes);
    QFETCH(std::size_t, rows);
    const QTemporaryDir dir;
    QProcess first;
    first.start(QStringLiteral(CRASH_VICTIM), {dir.path(), point});
    QTRY_VERIFY(first.canReadLine());
    RawPeer peer(static_cast<quint16>(first.readLine().trimmed().toUInt()));
    peer.send("GET / HTTP/1.1\r\nHost: shop\r\n\r\n");
    QTRY_COMPARE(first.state(), QProcess::NotRunning);
    QCOMPARE(first.exitStatus(), QProcess::CrashExit);
    QCOMPARE(first.exitCode(), SIGKILL);
    QTRY_VERIFY(peer.ending() != RawPeer::Ending::Open);
    QCOMPARE(peer.received().size(), bytes);
    {
        const auto journal = ArrivalJournal::open(dir.filePath(QStringLiteral("arrivals.jsonl")));
        QVERIFY(journal);
        QCOMPARE((*journal)->rows().size(), rows);
        QCOMPARE((*journal)->tally().hitsOf("r1"), 1);
        QCOMPARE((*journal)->rows().back().end, payonce::faults::RowEnd::Crash);
    }
    QProcess second;
    second.start(QStringLiteral(CRASH_VICTIM), {dir.path(), point});
    QTRY_VERIFY(second.canReadLine());
    RawPeer again(static_cast<quint16>(second.readLine().trimmed().toUInt()));
    again.send("GET / HTTP/1.1\r\nHost: shop\r\n\r\n");
    QTRY_VERIFY(again.received().startsWith("HTTP/1.1 200 OK\r\n"));
    second.kill();
    QTRY_COMPARE(second.state(), QProcess::NotRunning);
}

QTEST_GUILESS_MAIN(TestCrash)
#include "tst_crash.moc"
