// The real payonce with faults of its own.
#include "automation/shop_control.h"
#include "support/sqlite_file.h"

#include <QtCore/QCoreApplication>
#include <QtCore/QDir>
#include <QtCore/QFile>
#include <QtCore/QJsonDocument>
#include <QtCore/QJsonObject>
#include <QtCore/QProcess>
#include <QtCore/QRegularExpression>
#include <QtCore/QScopeGuard>
#include <QtCore/QTemporaryDir>
#include <QtTest/QTest>

#include <csignal>

namespace {

constexpr int kPatience = 60'000;

/// `zone`: where the computer is, as TZ says it.
void start(QProcess& process, const QString& fault, const QStringList& arguments, const QString& zone = {})
{
    auto environment = QProcessEnvironment::systemEnvironment();
    environment.insert(QStringLiteral("PAYONCE_FAULT"), fault);
    if (!zone.isEmpty())
        environment.insert(QStringLiteral("TZ"), zone);
    process.setProcessEnvironment(environment);
    process.start(QDir(QCoreApplication::applicationDirPath()).filePath(QStringLiteral("payonce")), arguments);
}

QStringList headless(const QTemporaryDir& dir)
{
    return {QStringLiteral("--headless"), QStringLiteral("--data-dir"), dir.path()};
}

/// The last line of a headless run.
QJsonObject lastLineOf(QProcess& process)
{
    return QJsonDocument::fromJson(process.readAllStandardOutput().trimmed().split('\n').constLast()).object();
}

} // namespace

class PayonceFaultsTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    void points_areListed()
    {
        QProcess process;
        start(process, {}, {QStringLiteral("--points")});
        QVERIFY(process.waitForFinished(kPatience));
        QCOMPARE(process.exitCode(), 0);
        const auto lines = process.readAllStandardOutput();
        for (const auto* point : {"action.saved", "attempt.saved", "sent", "reply.parsed", "outcome.saved"})
            QVERIFY2(lines.contains(point), point);
    }

    void faultThatIsNone_isWrongUse()
    {
        const QTemporaryDir dir;
        QProcess process;
        start(process, QStringLiteral("sent:1=explode"), headless(dir));
        QVERIFY(process.waitForFinished(kPatience));
        QCOMPARE(process.exitCode(), 2);
        QVERIFY(process.readAllStandardError().contains("PAYONCE_FAULT: 'sent:1=explode'"));
    }

    void crashByTheEnvironment_endsTheProcess_andTheNextRunPaysOnce()
    {
        const QTemporaryDir dir;
        QProcess first;
        start(first, QStringLiteral("sent:1=crash"), headless(dir));
        QVERIFY(first.waitForFinished(kPatience));
        QCOMPARE(first.exitStatus(), QProcess::CrashExit);
        QCOMPARE(first.exitCode(), SIGKILL);
        QFile hits(dir.filePath(QStringLiteral("client-hits.jsonl")));
        QVERIFY(hits.open(QIODevice::ReadOnly));
        QCOMPARE(hits.readAll(), QByteArray("{\"id\":\"env-1\",\"nth\":1}\n"));

        const auto cleanUp = qScopeGuard([&] { payonce::support::ShopControl(dir.path()).endServer(); });
        const auto server = payonce::support::ShopControl(dir.path()).pid();
        QProcess second;
        start(second, {}, headless(dir));
        QVERIFY(second.waitForFinished(kPatience));
        const auto last = lastLineOf(second);
        QCOMPARE(last.value(QStringLiteral("state")).toString(), QStringLiteral("Paid"));
        QCOMPARE(last.value(QStringLiteral("charges")).toInt(), 1);
        QCOMPARE(last.value(QStringLiteral("holds")), QJsonValue(true));
        QTRY_VERIFY_WITH_TIMEOUT(payonce::support::ShopControl::hasEnded(server), kPatience); // its files are removed next
    }

    void otherTimeZoneAtTheNextStart_changesNothing_data()
    {
        QTest::addColumn<QString>("before");
        QTest::addColumn<QString>("after");

        QTest::newRow("a day to the west") << QStringLiteral("UTC-14") << QStringLiteral("UTC+11");
        QTest::newRow("a day to the east") << QStringLiteral("UTC+11") << QStringLiteral("UTC-14");
        QTest::newRow("winter, then summer") << QStringLiteral("EST5") << QStringLiteral("EST5EDT4,0/0,J365/25");
        QTest::newRow("summer, then winter") << QStringLiteral("EST5EDT4,0/0,J365/25") << QStringLiteral("EST5");
    }

    /// A payment is good for fifteen minutes: in local time it would be past them, or not made yet.
    void otherTimeZoneAtTheNextStart_changesNothing()
    {
        QFETCH(const QString, before);
        QFETCH(const QString, after);
        const auto saved = QStringLiteral("SELECT id, created_at, valid_until, body FROM actions");
        const QTemporaryDir dir;
        const auto journal = dir.filePath(QStringLiteral("client.sqlite"));
        const auto cleanUp = qScopeGuard([&] { payonce::support::ShopControl(dir.path()).endServer(); });
        QProcess first;
        start(first, QStringLiteral("attempt.saved:1=crash"), headless(dir), before);
        QVERIFY(first.waitForFinished(kPatience));
        QCOMPARE(first.exitStatus(), QProcess::CrashExit);
        const auto rows = payonce::support::rowsIn(journal, saved);
        QCOMPARE(rows.size(), 1);

        const auto server = payonce::support::ShopControl(dir.path()).pid();
        QProcess second;
        start(second, {}, headless(dir), after);

        QVERIFY(second.waitForFinished(kPatience));
        const auto last = lastLineOf(second);
        QCOMPARE(last.value(QStringLiteral("state")).toString(), QStringLiteral("Paid"));
        QCOMPARE(last.value(QStringLiteral("charges")).toInt(), 1);
        QCOMPARE(last.value(QStringLiteral("posts")).toInt(), 1);
        QCOMPARE(payonce::support::rowsIn(journal, saved), rows);
        QTRY_VERIFY_WITH_TIMEOUT(payonce::support::ShopControl::hasEnded(server), kPatience);
    }
};

QTEST_GUILESS_MAIN(PayonceFaultsTest)
#include "tst_payonce_faults.moc"
