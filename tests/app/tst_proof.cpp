// The proof, from outside: real `payonce --headless`, its real bundled server, faults, and the bank's rows counted.
#include "automation/shop_control.h"
#include "protocol/scenario_json.h"
#include "support/bank_rows.h"
#include "support/http_call.h"
#include "support/scenario_file.h"
#include "support/shop_requests.h"

#include <QtCore/QCoreApplication>
#include <QtCore/QDir>
#include <QtCore/QFile>
#include <QtCore/QJsonArray>
#include <QtCore/QJsonDocument>
#include <QtCore/QJsonObject>
#include <QtCore/QProcess>
#include <QtCore/QRegularExpression>
#include <QtCore/QScopeGuard>
#include <QtCore/QTemporaryDir>
#include <QtCore/QUrl>
#include <QtTest/QTest>

#include <memory>

namespace {

using payonce::support::chargesIn;
using payonce::support::httpRequest;

constexpr int kPatience = 90'000;

QString shipped(const QString& name)
{
    return QStringLiteral(PAYONCE_SCENARIOS "/") + name + QStringLiteral(".json");
}

/// One `payonce --headless` in a data directory.
class Run
{
public:
    Run(const QString& dataDir, const QString& scenarioFile)
    {
        m_process.start(
            QDir(QCoreApplication::applicationDirPath()).filePath(QStringLiteral("payonce")),
            {QStringLiteral("--headless"), QStringLiteral("--data-dir"), dataDir, QStringLiteral("--scenario"), scenarioFile});
    }

    Run(const Run&) = delete;
    Run& operator=(const Run&) = delete;
    Run(Run&&) = delete;
    Run& operator=(Run&&) = delete;
    ~Run() { killHard(); }

    [[nodiscard]] bool hasEnded()
    {
        return QTest::qWaitFor([this] { return m_process.state() == QProcess::NotRunning; }, kPatience);
    }
    [[nodiscard]] bool isRunning() const { return m_process.state() == QProcess::Running; }
    void killHard()
    {
        m_process.kill();
        m_process.waitForFinished(kPatience);
    }
    [[nodiscard]] int status() const { return m_process.exitCode(); }
    /// The verdict: the last line of stdout.
    [[nodiscard]] QJsonObject verdict()
    {
        m_output += m_process.readAllStandardOutput();
        return QJsonDocument::fromJson(m_output.trimmed().split('\n').constLast()).object();
    }
    [[nodiscard]] QByteArray everything()
    {
        m_output += m_process.readAllStandardOutput();
        return m_output + m_process.readAllStandardError();
    }

private:
    QProcess m_process;
    QByteArray m_output;
};

QJsonObject serverRecord(const QString& dataDir)
{
    QFile file(QDir(dataDir).filePath(QStringLiteral("server.json")));
    return file.open(QIODevice::ReadOnly) ? QJsonDocument::fromJson(file.readAll()).object() : QJsonObject();
}

/// Asks the control API whether the rule has fired.
bool hasFired(const QString& dataDir)
{
    const auto record = serverRecord(dataDir);
    QFile token(record.value(QStringLiteral("tokens")).toObject().value(QStringLiteral("control")).toString());
    if (token.fileName().isEmpty() || !token.open(QIODevice::ReadOnly)) // the server is not up yet
        return false;
    const auto port = QUrl(record.value(QStringLiteral("control")).toString()).port(0);
    const auto answer = payonce::support::ask(
        static_cast<quint16>(port), httpRequest("GET", "/verdict", payonce::support::bearer(token.readAll().trimmed())));
    if (!answer)
        return false;
    const auto rules = answer->json().value(QStringLiteral("rules")).toArray();
    return !rules.isEmpty() && rules.at(0).toObject().value(QStringLiteral("hits")).toInt() > 0;
}

} // namespace

class ProofTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    void scenarioWithoutAPerson_endsAsItMust_data();
    void scenarioWithoutAPerson_endsAsItMust();
    void appKilledAfterTheBodyLeft_endsPaidOnce_data();
    void appKilledAfterTheBodyLeft_endsPaidOnce();
};

void ProofTest::scenarioWithoutAPerson_endsAsItMust_data()
{
    QTest::addColumn<QString>("name");
    for (const auto* name : {"clean", "card-declined", "reply-lost-after-charge", "reply-lost-by-hang", "crash-before-bank",
                             "crash-after-charge", "slow-confirmation"})
        QTest::newRow(name) << QString::fromLatin1(name);
}

void ProofTest::scenarioWithoutAPerson_endsAsItMust()
{
    QFETCH(QString, name);
    QFile file(shipped(name));
    QVERIFY(file.open(QIODevice::ReadOnly));
    const auto scenario = payonce::protocol::parseScenario(file.readAll().toStdString());
    QVERIFY(scenario.has_value());

    const QTemporaryDir dir;
    Run run(dir.path(), file.fileName());
    QVERIFY(run.hasEnded());
    QVERIFY2(run.status() == 0, run.everything());
    const auto verdict = run.verdict();
    QCOMPARE(verdict.value(QStringLiteral("holds")), QJsonValue(true));
    QCOMPARE(verdict.value(QStringLiteral("state")).toString().toStdString(), scenario->expect.state.value());
    QCOMPARE(verdict.value(QStringLiteral("code")).toString().toStdString(), scenario->expect.verdict.value());
    QCOMPARE(chargesIn(dir.path()), scenario->expect.charges.front());
    QCOMPARE(payonce::support::actionsIn(dir.path()).size(), 1);
}

void ProofTest::appKilledAfterTheBodyLeft_endsPaidOnce_data()
{
    QTest::addColumn<QByteArray>("at");
    QTest::addColumn<QByteArray>("action");
    QTest::addColumn<int>("chargesAtDeath");
    QTest::newRow("before the bank was asked") << QByteArray("bank.before") << QByteArray(R"({"delay":{"ms":4000}})") << 0;
    QTest::newRow("after the charge") << QByteArray("bank.committed") << QByteArray(R"({"hang":{}})") << 1;
    QTest::newRow("the request was never worked on") << QByteArray("received") << QByteArray(R"({"hang":{}})") << 0;
}

void ProofTest::appKilledAfterTheBodyLeft_endsPaidOnce()
{
    QFETCH(QByteArray, at);
    QFETCH(QByteArray, action);
    QFETCH(int, chargesAtDeath);
    const QTemporaryDir dir;
    const auto cleanUp = qScopeGuard([&] { payonce::support::ShopControl(dir.path()).endServer(); });
    const QByteArray expected =
        R"("expect":{"rules_fired":["r1"],"charges":1,"orders_paid":1,"state":"Paid","verdict":"charged_once"})";
    const auto scenario = payonce::support::scenarioFile(dir, payonce::support::oneRule("pay", at, action) + ',' + expected);

    Run first(dir.path(), scenario);
    QTRY_VERIFY_WITH_TIMEOUT(hasFired(dir.path()), kPatience);
    QVERIFY(first.isRunning());
    first.killHard();
    QCOMPARE(chargesIn(dir.path()), chargesAtDeath);

    Run second(dir.path(), scenario);
    QVERIFY(second.hasEnded());
    QVERIFY2(second.status() == 0, second.everything());
    QCOMPARE(second.verdict().value(QStringLiteral("state")).toString(), QStringLiteral("Paid"));
    QCOMPARE(second.verdict().value(QStringLiteral("code")).toString(), QStringLiteral("charged_once"));
    QCOMPARE(chargesIn(dir.path()), 1);
    QCOMPARE(payonce::support::actionsIn(dir.path()).size(), 1); // resumed, not begun anew
}

QTEST_GUILESS_MAIN(ProofTest)
#include "tst_proof.moc"
