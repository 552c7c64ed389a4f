// The real payonce with faults of its own.
#include "automation/shop_control.h"

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

void start(QProcess& process, const QString& fault, const QStringList& arguments)
{
    auto environment = QProcessEnvironment::systemEnvironment();
    environment.insert(QStringLiteral("PAYONCE_FAULT"), fault);
    process.setProcessEnvironment(environment);
    process.start(QDir(QCoreApplication::applicationDirPath()).filePath(QStringLiteral("payonce")), arguments);
}

QStringList headless(const QTemporaryDir& dir)
{
    return {QStringLiteral("--headless"), QStringLiteral("--data-dir"), dir.path()};
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
        const auto last = QJsonDocument::fromJson(second.readAllStandardOutput().trimmed().split('\n').constLast()).object();
        QCOMPARE(last.value(QStringLiteral("state")).toString(), QStringLiteral("Paid"));
        QCOMPARE(last.value(QStringLiteral("charges")).toInt(), 1);
        QCOMPARE(last.value(QStringLiteral("holds")), QJsonValue(true));
        QTRY_VERIFY_WITH_TIMEOUT(payonce::support::ShopControl::hasEnded(server), kPatience); // its files are removed next
    }
};

QTEST_GUILESS_MAIN(PayonceFaultsTest)
#include "tst_payonce_faults.moc"
