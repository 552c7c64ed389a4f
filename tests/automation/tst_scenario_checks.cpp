// The four assertions: each must be able to fail.
#include "automation/scenario_checks.h"

#include <QtTest/QTest>

using namespace payonce;
using support::RunResult;

namespace {

console::Expectation expectation()
{
    console::Expectation expect;
    expect.rulesFired = {"r1"};
    expect.charges = {1};
    expect.ordersPaid = 1;
    expect.mails = 1;
    expect.state = "Paid";
    expect.sentence = "paid";
    expect.verdict = "charged_once";
    expect.timeline = {"post 1", "charged"};
    return expect;
}

RunResult good()
{
    RunResult result;
    result.charges = 1;
    result.ordersPaid = 1;
    result.mails = 1;
    result.state = QStringLiteral("Paid");
    result.sentence = QStringLiteral("paid");
    result.verdict = QStringLiteral("charged_once");
    result.marks = {"post 1", "claimed", "charged"};
    result.hits[QStringLiteral("r1")] = 1;
    return result;
}

} // namespace

class ScenarioChecksTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void whatIsAsExpected_hasNoProblem() { QCOMPARE(support::problemsOf(expectation(), good()), QStringList()); }

    void whatIsNotExpected_isNotLookedAt() { QCOMPARE(support::problemsOf({}, good()), QStringList()); }

    void eachFact_canFail_data()
    {
        QTest::addColumn<RunResult>("result");
        QTest::addColumn<QString>("words");
        const auto row = [](const char* name, const auto& change, const char* words) {
            auto result = good();
            change(result);
            QTest::newRow(name) << result << QString::fromLatin1(words);
        };
        row(
            "a second charge", [](RunResult& r) { r.charges = 2; }, "charges: 2, expected 1");
        row(
            "no bank", [](RunResult& r) { r.charges = -1; }, "charges: -1");
        row(
            "no order", [](RunResult& r) { r.ordersPaid = 0; }, "orders paid: 0");
        row(
            "two mails", [](RunResult& r) { r.mails = 2; }, "mails: 2");
        row(
            "another state", [](RunResult& r) { r.state = QStringLiteral("Unresolved"); }, "state: Unresolved, expected Paid");
        row(
            "no window", [](RunResult& r) { r.state.clear(); }, "state: ");
        row(
            "other words", [](RunResult& r) { r.sentence = QStringLiteral("x"); }, "sentence: x, expected paid");
        row(
            "another verdict", [](RunResult& r) { r.verdict = QStringLiteral("charged_twice"); }, "verdict: charged_twice");
        row(
            "the server misses something", [](RunResult& r) { r.unmet = QStringList{QStringLiteral("POSTs of attempt 1: 2")}; },
            "the server: POSTs of attempt 1: 2");
        row(
            "another story",
            [](RunResult& r) {
                r.marks = {"charged", "post 1"};
            },
            "no \"charged\" where it is expected");
        row(
            "a rule that slept", [](RunResult& r) { r.hits.clear(); }, "rule r1 never fired");
        row(
            "a step that failed", [](RunResult& r) { r.failure = QStringLiteral("wait: no"); }, "wait: no");
    }
    void eachFact_canFail()
    {
        QFETCH(RunResult, result);
        QFETCH(QString, words);
        const auto problems = support::problemsOf(expectation(), result);
        QCOMPARE(problems.size(), 1);
        QVERIFY2(problems.constFirst().contains(words), qPrintable(problems.constFirst()));
    }

    void severalCounts_mayBeRight()
    {
        auto expect = expectation();
        expect.charges = {0, 1};
        QCOMPARE(support::problemsOf(expect, good()), QStringList());
        auto twice = good();
        twice.charges = 2;
        QVERIFY(support::bankProblems(expect, twice).constFirst().contains(QStringLiteral("0 or 1")));
    }
};

QTEST_APPLESS_MAIN(ScenarioChecksTest)
#include "tst_scenario_checks.moc"
