// Every point of the server, with every way to end there, at the first and the second attempt: real processes, the bank's rows.
#include "automation/run_pool.h"
#include "automation/scenario_checks.h"
#include "protocol/scenario_json.h"

#include <QtCore/QFile>
#include <QtCore/QRegularExpression>
#include <QtCore/QTemporaryDir>
#include <QtTest/QTest>

#include <cstdio>

namespace {

using namespace payonce;
using console::Point;

constexpr int kAtATime = 4; // most of them wait most of the time

struct Case
{
    std::string name; ///< `bank-committed-rst-2`
    console::Scenario scenario;
};

/// Connections are counted from the first of the client: one for policy and cart, one for the card's exchange and what follows
/// it, one for a question. So the payment comes on the third if the second is closed after the exchange, and again on the
/// fourth.
int connectionOf(int attempt)
{
    return attempt + 2;
}

console::Rule ruleAt(Point point, console::FaultAction action, int nth)
{
    constexpr std::int64_t kAmid = 7;
    console::Rule rule;
    rule.id = "fault";
    if (point != Point::Accept)
        rule.match.operation = console::Operation::Pay;
    rule.match.nth = point == Point::Accept ? connectionOf(nth) : nth;
    rule.point = point;
    rule.offset = console::isReplyPart(point) ? kAmid : 0;
    rule.action = std::move(action);
    rule.times = 1;
    return rule;
}

console::Rule exchangeClosed()
{
    console::Rule rule;
    rule.id = "exchange-closed";
    rule.match = {console::Operation::Tokenise, 1};
    rule.point = Point::ReplyFlushed;
    rule.action = console::Fin{};
    rule.times = 1;
    return rule;
}

/// The first attempt is lost before anybody reads it, so that there is a second.
console::Rule firstAttemptLost()
{
    auto rule = ruleAt(Point::Received, console::Rst{}, 1);
    rule.id = "first-lost";
    return rule;
}

Case caseOf(Point point, const console::FaultAction& action, int attempt)
{
    Case made;
    made.name =
        std::string(console::nameOf(point)) + '-' + std::string(console::nameOf(action)) + '-' + std::to_string(attempt);
    for (char& letter : made.name)
        if (letter == '.' || letter == '_')
            letter = '-';
    auto& scenario = made.scenario;
    scenario.name = made.name;
    scenario.about = "One point of the sweep.";
    scenario.steps = {console::PayStep{"4242424242424242"}, console::WaitStep{"Paid"}};
    if (attempt > 1)
        scenario.rules.push_back(firstAttemptLost());
    else if (point == Point::Accept)
        scenario.rules.push_back(exchangeClosed());
    scenario.rules.push_back(ruleAt(point, action, attempt));
    for (const auto& rule : scenario.rules)
        scenario.expect.rulesFired.push_back(rule.id);
    scenario.expect.charges = {1};
    scenario.expect.ordersPaid = 1;
    scenario.expect.mails = 1;
    scenario.expect.postsPerAttempt = 1;
    scenario.expect.state = "Paid";
    scenario.expect.sentence = "paid";
    scenario.expect.verdict = "charged_once";
    return made;
}

/// Those that a payment comes by.
bool isSwept(Point point)
{
    return point == Point::Accept || (!console::isClientPoint(point) && console::mayReach(console::Operation::Pay, point));
}

std::vector<Case> allCases()
{
    std::vector<Case> cases;
    for (const auto point : console::kPoints)
        for (const auto& action : {console::FaultAction(console::Fin{}), console::FaultAction(console::Rst{}),
                                   console::FaultAction(console::Hang{}), console::FaultAction(console::Crash{})})
            for (const int attempt : {1, 2})
                if (isSwept(point) && console::whyImpossible(ruleAt(point, action, attempt)).empty())
                    cases.push_back(caseOf(point, action, attempt));
    return cases;
}

/// One for each way to end, at points that matter.
std::vector<Case> sampleCases()
{
    return {caseOf(Point::BankCommitted, console::Rst{}, 2), caseOf(Point::ResultSaved, console::Crash{}, 1),
            caseOf(Point::ReplyHead, console::Fin{}, 1), caseOf(Point::KeyClaimed, console::Hang{}, 2)};
}

} // namespace

class SweepTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    void sample_data() { begin(sampleCases()); }
    void sample() { check(); }
    void everyPoint_data()
    {
        const auto cases = allCases();
        QVERIFY(cases.size() >= 100);
        begin(cases);
    }
    void everyPoint() { check(); }

private:
    void begin(const std::vector<Case>& cases)
    {
        QTest::addColumn<QString>("name");
        m_pool = std::make_unique<support::RunPool>(kAtATime);
        m_cases.clear();
        for (const auto& made : cases) {
            const auto name = QString::fromStdString(made.name);
            QFile file(m_dir.filePath(name));
            QVERIFY(file.open(QIODevice::WriteOnly));
            file.write(QByteArray::fromStdString(protocol::renderScenario(made.scenario)));
            m_cases[name] = made.scenario;
            m_pool->add(name, file.fileName(), made.scenario);
            QTest::newRow(made.name.c_str()) << name;
        }
    }
    void check()
    {
        QFETCH(QString, name);
        const auto result = m_pool->resultOf(name);
        const auto problems = support::problemsOf(m_cases[name].expect, result);
        if (!problems.isEmpty())
            std::fputs(result.log.constData(), stderr); // longer than the message of a test may be
        QVERIFY2(problems.isEmpty(), problems.join(QLatin1Char('\n')).toUtf8());
    }

    QTemporaryDir m_dir;
    std::map<QString, console::Scenario> m_cases;
    std::unique_ptr<support::RunPool> m_pool; // goes before the files it plays
};

QTEST_GUILESS_MAIN(SweepTest)
#include "tst_sweep.moc"
