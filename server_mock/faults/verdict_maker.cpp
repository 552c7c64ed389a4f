#include "faults/verdict_maker.h"

#include "values/record_state.h"

#include <algorithm>
#include <map>

namespace payonce::faults {

namespace {

using console::ActionFacts;
using console::VerdictCode;

constexpr auto kApproved = "approved";
constexpr auto kPaid = "paid";

using FactsById = std::map<std::string, ActionFacts>;

void countLedger(const LedgerView& ledger, FactsById& facts)
{
    for (const auto& charge : ledger.charges) {
        auto& action = facts[charge.actionId];
        if (charge.status != kApproved)
            continue;
        ++action.charges;
        action.evidence.push_back(charge.id);
    }
    for (const auto& order : ledger.orders) {
        auto& action = facts[order.actionId];
        action.orderPaid = action.orderPaid || order.status == kPaid;
        action.evidence.push_back(order.id);
    }
    for (const auto& record : ledger.records) {
        const auto state = values::recordStateOf(record.state);
        facts[record.actionId].recordOpen = state && !values::isTerminal(*state);
    }
}

void countArrivals(const ArrivalTally& tally, FactsById& facts)
{
    for (const auto& [key, count] : tally.counts()) {
        if (key.actionId.empty())
            continue;
        auto& action = facts[key.actionId];
        if (key.operation == console::Operation::Pay) {
            action.posts += count.arrivals;
            action.attempts += static_cast<int>(count.attempts.size());
        } else if (key.operation == console::Operation::Status) {
            action.probes += count.arrivals;
        }
    }
}

bool hasPostsPerAttempt(const ArrivalTally& tally, int expected)
{
    for (const auto& [key, count] : tally.counts())
        if (key.operation == console::Operation::Pay)
            for (const auto& [attempt, arrivals] : count.attempts)
                if (arrivals != expected)
                    return false;
    return true;
}

bool holds(const console::Expectation& expect, const LedgerView& ledger, const ArrivalTally& tally, VerdictCode total)
{
    const auto fired = [&](const std::string& rule) { return tally.hitsOf(rule) > 0; };
    if (!std::all_of(expect.rulesFired.begin(), expect.rulesFired.end(), fired))
        return false;
    const auto charges = std::count_if(ledger.charges.begin(), ledger.charges.end(),
                                       [](const ChargeRow& row) { return row.status == kApproved; });
    if (!expect.charges.empty() && std::find(expect.charges.begin(), expect.charges.end(), charges) == expect.charges.end())
        return false;
    const auto paid =
        std::count_if(ledger.orders.begin(), ledger.orders.end(), [](const OrderRow& row) { return row.status == kPaid; });
    if (expect.ordersPaid && paid != *expect.ordersPaid)
        return false;
    if (expect.postsPerAttempt && !hasPostsPerAttempt(tally, *expect.postsPerAttempt))
        return false;
    return !expect.verdict || *expect.verdict == console::codeOf(total);
}

} // namespace

protocol::VerdictReport makeVerdict(const LedgerView& ledger, const ArrivalTally& tally,
                                    const std::optional<console::Scenario>& scenario)
{
    FactsById facts;
    countLedger(ledger, facts);
    countArrivals(tally, facts);
    protocol::VerdictReport report;
    for (auto& [id, action] : facts) {
        action.actionId = id;
        const auto code = console::judge(action);
        report.actions.push_back({std::move(action), code});
    }
    report.code = console::worst(report.actions);
    if (!scenario) {
        report.holds = report.code == VerdictCode::ChargedOnce || report.code == VerdictCode::NotCharged;
        return report;
    }
    for (const auto& rule : scenario->rules)
        report.rules.push_back({rule.id, tally.hitsOf(rule.id)});
    report.holds = holds(scenario->expect, ledger, tally, report.code);
    return report;
}

} // namespace payonce::faults
