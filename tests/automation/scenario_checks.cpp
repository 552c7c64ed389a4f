#include "automation/scenario_checks.h"

#include "console/timeline_marks.h"

#include <algorithm>

namespace payonce::support {

namespace {

void compare(QStringList& problems, const char* what, int found, const std::vector<int>& expected)
{
    if (expected.empty() || std::find(expected.begin(), expected.end(), found) != expected.end())
        return;
    QStringList counts;
    for (const int count : expected)
        counts.append(QString::number(count));
    problems.append(
        QStringLiteral("%1: %2, expected %3").arg(QLatin1String(what)).arg(found).arg(counts.join(QStringLiteral(" or "))));
}

void compare(QStringList& problems, const char* what, const QString& found, const std::optional<std::string>& expected)
{
    if (expected && found.toStdString() != *expected)
        problems.append(
            QStringLiteral("%1: %2, expected %3").arg(QLatin1String(what), found, QString::fromStdString(*expected)));
}

std::vector<int> listOf(const std::optional<int>& count)
{
    return count ? std::vector<int>{*count} : std::vector<int>{};
}

} // namespace

QStringList bankProblems(const console::Expectation& expect, const RunResult& result)
{
    QStringList problems;
    compare(problems, "charges", result.charges, expect.charges);
    compare(problems, "orders paid", result.ordersPaid, listOf(expect.ordersPaid));
    compare(problems, "mails", result.mails, listOf(expect.mails));
    return problems;
}

QStringList screenProblems(const console::Expectation& expect, const RunResult& result)
{
    QStringList problems;
    compare(problems, "state", result.state, expect.state);
    compare(problems, "sentence", result.sentence, expect.sentence);
    return problems;
}

QStringList verdictProblems(const console::Expectation& expect, const RunResult& result)
{
    QStringList problems;
    compare(problems, "verdict", result.verdict, expect.verdict);
    for (const auto& words : result.unmet)
        if (!words.endsWith(QLatin1String("never fired")))
            problems.append(QStringLiteral("the server: ") + words);
    if (const auto missing = console::firstMissing(expect.timeline, result.marks); !missing.empty()) {
        QStringList marks;
        for (const auto& mark : result.marks)
            marks.append(QString::fromStdString(mark));
        problems.append(QStringLiteral("timeline: no \"%1\" where it is expected, in: %2")
                            .arg(QString::fromStdString(missing), marks.join(QStringLiteral(", "))));
    }
    return problems;
}

QStringList ruleProblems(const console::Expectation& expect, const RunResult& result)
{
    QStringList problems;
    for (const auto& rule : expect.rulesFired)
        if (result.hits.value(QString::fromStdString(rule)) == 0)
            problems.append(QStringLiteral("rule %1 never fired").arg(QString::fromStdString(rule)));
    return problems;
}

QStringList problemsOf(const console::Expectation& expect, const RunResult& result)
{
    QStringList problems;
    if (!result.failure.isEmpty())
        problems.append(result.failure);
    return problems + bankProblems(expect, result) + screenProblems(expect, result) + verdictProblems(expect, result) +
           ruleProblems(expect, result);
}

} // namespace payonce::support
