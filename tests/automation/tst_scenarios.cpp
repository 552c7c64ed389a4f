// Every shipped scenario, played once by the one runner, and the four assertions over each.
#include "automation/run_pool.h"
#include "automation/scenario_checks.h"
#include "protocol/scenario_json.h"

#include <QtCore/QCoreApplication>
#include <QtCore/QDir>
#include <QtCore/QFile>
#include <QtCore/QRegularExpression>
#include <QtTest/QTest>

#include <cstdio>

namespace {

using namespace payonce;
using support::RunPool;
using support::RunResult;

constexpr int kAtATime = 4; // most of them wait most of the time

struct Shipped
{
    QString file;
    console::Scenario scenario;
};

std::map<QString, Shipped> readAll()
{
    std::map<QString, Shipped> all;
    const QDir folder(QStringLiteral(PAYONCE_SCENARIOS));
    for (const auto& info : folder.entryInfoList({QStringLiteral("*.json")}, QDir::Files)) {
        QFile file(info.filePath());
        if (!file.open(QIODevice::ReadOnly))
            continue;
        auto scenario = protocol::parseScenario(file.readAll().toStdString());
        all[info.completeBaseName()] = {info.filePath(), scenario ? *std::move(scenario) : console::Scenario()};
    }
    return all;
}

/// With `tst_scenarios FUNCTION:NAME …` only those are played.
bool isAskedFor(const QString& name)
{
    bool isRestricted = false;
    for (const auto& argument : QCoreApplication::arguments().mid(1)) {
        isRestricted = isRestricted || argument.contains(QLatin1Char(':'));
        if (argument.section(QLatin1Char(':'), 1) == name)
            return true;
    }
    return !isRestricted;
}

} // namespace

class ScenariosTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        m_shipped = readAll();
        QVERIFY(m_shipped.size() >= 30);
        m_pool = std::make_unique<RunPool>(kAtATime);
        for (const auto& [name, shipped] : m_shipped)
            if (isAskedFor(name))
                m_pool->add(name, shipped.file, shipped.scenario);
    }
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }
    void cleanupTestCase() { m_pool.reset(); }

    void everyFile_canBeRead_andIsForPeople_data() { addRows(); }
    void everyFile_canBeRead_andIsForPeople()
    {
        QFETCH(QString, name);
        const auto& scenario = m_shipped[name].scenario;
        QCOMPARE(QString::fromStdString(scenario.name), name); // empty: it cannot be read
        QVERIFY(scenario.about.size() > 20 && scenario.about.back() == '.');
        QVERIFY(!scenario.steps.empty());
        QVERIFY(!scenario.expect.charges.empty() && scenario.expect.verdict);
        // A rule that nobody expects to fire may as well not be there.
        QCOMPARE(scenario.expect.rulesFired.size(), scenario.rules.size());
    }

    void everyScenario_endsAsItMust_data() { addRows(); }
    void everyScenario_endsAsItMust()
    {
        QFETCH(QString, name);
        const RunResult result = m_pool->resultOf(name);
        const auto problems = support::problemsOf(m_shipped[name].scenario.expect, result);
        if (!problems.isEmpty())
            std::fputs(result.log.constData(), stderr); // longer than the message of a test may be
        QVERIFY2(problems.isEmpty(), problems.join(QLatin1Char('\n')).toUtf8());
    }

private:
    void addRows() const
    {
        QTest::addColumn<QString>("name");
        for (const auto& [name, shipped] : m_shipped)
            QTest::newRow(qPrintable(name)) << name;
    }

    std::map<QString, Shipped> m_shipped;
    std::unique_ptr<RunPool> m_pool;
};

QTEST_GUILESS_MAIN(ScenariosTest)
#include "tst_scenarios.moc"
