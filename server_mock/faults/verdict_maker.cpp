#include "faults/verdict_maker.h"

#include "values/record_state.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace payonce::faults {

namespace {

using console::ActionFacts;
using console::VerdictCode;

constexpr auto kApproved = "approved";
constexpr auto kPaid = "paid";
constexpr auto kClosed = "closed";

/// Account and action ID: two accounts may use the same ID, and that is two actions.
using ActionKey = std::pair<std::string, std::string>;
using FactsById = std::map<ActionKey, ActionFacts>;

/// Whose action it is, where a row does not say it: a charge, and a request with nobody's token. Who only asked is no owner,
/// and who has a record or an order is one before those who only sent something.
class Owners
{
public:
    Owners(const LedgerView& ledger, const ArrivalTally& tally)
    {
        for (const auto& order : ledger.orders) {
            add(order.account, order.actionId);
            m_ofCharges[order.chargeId] = order.account;
        }
        for (const auto& record : ledger.records) {
            add(record.account, record.actionId);
            m_ofCharges[record.chargeId] = record.account;
            m_ofBankKeys[record.bankKey] = record.account;
        }
        const auto byLedger = m_ofActions;
        for (const auto& [key, count] : tally.counts())
            if (isPost(key.operation) && !byLedger.contains(key.actionId))
                add(key.account, key.actionId);
    }

    /// The account the row names, or the only one that is known for the ID.
    [[nodiscard]] ActionKey keyOf(const std::string& account, const std::string& actionId) const
    {
        const auto known = m_ofActions.find(actionId);
        const bool isTheOnlyOne = account.empty() && known != m_ofActions.end() && known->second.size() == 1;
        return {isTheOnlyOne ? *known->second.begin() : account, actionId};
    }
    [[nodiscard]] ActionKey keyOf(const ChargeRow& charge) const
    {
        const std::string byKey = ownerIn(m_ofBankKeys, charge.bankKey);
        return keyOf(byKey.empty() ? ownerIn(m_ofCharges, charge.id) : byKey, charge.actionId);
    }

private:
    using Names = std::map<std::string, std::string>;

    static bool isPost(console::Operation operation)
    {
        return operation == console::Operation::Pay || operation == console::Operation::SignUp;
    }
    static std::string ownerIn(const Names& owners, const std::string& name)
    {
        const auto found = owners.find(name);
        return name.empty() || found == owners.end() ? std::string() : found->second;
    }
    void add(const std::string& account, const std::string& actionId)
    {
        if (!account.empty())
            m_ofActions[actionId].insert(account);
    }

    std::map<std::string, std::set<std::string>> m_ofActions;
    Names m_ofCharges;
    Names m_ofBankKeys;
};

void countLedger(const LedgerView& ledger, const Owners& owners, FactsById& facts)
{
    for (const auto& charge : ledger.charges) {
        auto& action = facts[owners.keyOf(charge)];
        if (charge.status != kApproved)
            continue;
        ++action.charges;
        action.evidence.push_back(charge.id);
    }
    for (const auto& order : ledger.orders) {
        auto& action = facts[owners.keyOf(order.account, order.actionId)];
        action.orderPaid = action.orderPaid || order.status == kPaid;
        action.orderClosed = action.orderClosed || order.status == kClosed;
        action.evidence.push_back(order.id);
    }
    for (const auto& record : ledger.records) {
        const auto state = values::recordStateOf(record.state);
        auto& action = facts[owners.keyOf(record.account, record.actionId)];
        action.recordOpen = state && !values::isTerminal(*state);
        // Only staff makes an order paid whose record has ended otherwise: then somebody has looked, and put it right.
        const bool isPutRight =
            action.orderPaid && state && values::isTerminal(*state) && *state != values::RecordState::Succeeded;
        action.hasDiscrepancy = record.hasDiscrepancy && !isPutRight;
    }
}

void countArrivals(const ArrivalTally& tally, const Owners& owners, FactsById& facts)
{
    for (const auto& [key, count] : tally.counts()) {
        // A look-up by support makes no action.
        if (key.actionId.empty() || key.operation == console::Operation::Support)
            continue;
        auto& action = facts[owners.keyOf(key.account, key.actionId)];
        if (key.operation == console::Operation::Pay) {
            action.posts += count.arrivals;
            action.attempts += static_cast<int>(count.attempts.size());
        } else if (key.operation == console::Operation::Status) {
            action.probes += count.arrivals;
        }
    }
}

/// Collects what an expectation asks for and the records do not show, in words.
class Unmet
{
public:
    void check(bool isMet, std::string words)
    {
        if (!isMet)
            m_words.push_back(std::move(words));
    }
    void checkCount(std::string_view what, std::int64_t found, const std::vector<int>& expected)
    {
        std::string allowed;
        for (const int count : expected)
            allowed.append(allowed.empty() ? "" : " or ").append(std::to_string(count));
        const bool isMet = expected.empty() || std::find(expected.begin(), expected.end(), found) != expected.end();
        check(isMet, std::string(what).append(": ").append(std::to_string(found)).append(", expected ").append(allowed));
    }
    [[nodiscard]] std::vector<std::string> take() { return std::move(m_words); }

private:
    std::vector<std::string> m_words;
};

template <class Value> std::vector<Value> listOf(const std::optional<Value>& value)
{
    return value ? std::vector<Value>{*value} : std::vector<Value>{};
}

void checkPostsPerAttempt(Unmet& unmet, const ArrivalTally& tally, const std::optional<int>& expected)
{
    for (const auto& [key, count] : tally.counts())
        if (key.operation == console::Operation::Pay)
            for (const auto& [attempt, arrivals] : count.attempts)
                unmet.checkCount("POSTs of attempt " + attempt, arrivals, listOf(expected));
}

/// A rule that never fired proves nothing, whoever expects it. Of random ones only those that are expected; the client's are
/// counted by the client.
void checkRules(Unmet& unmet, const console::Scenario& scenario, const ArrivalTally& tally)
{
    const auto check = [&](const console::Rule& rule) {
        unmet.check(console::isClientPoint(rule.point) || tally.hitsOf(rule.id) > 0, "rule " + rule.id + " never fired");
    };
    const auto& expected = scenario.expect.rulesFired;
    std::for_each(scenario.rules.begin(), scenario.rules.end(), check);
    for (const auto& rule : scenario.random)
        if (std::find(expected.begin(), expected.end(), rule.id) != expected.end())
            check(rule);
}

std::vector<std::string> unmetOf(const console::Scenario& scenario, const LedgerView& ledger, const ArrivalTally& tally,
                                 VerdictCode total)
{
    const auto& expect = scenario.expect;
    Unmet unmet;
    checkRules(unmet, scenario, tally);
    unmet.checkCount("charges",
                     std::count_if(ledger.charges.begin(), ledger.charges.end(),
                                   [](const ChargeRow& row) { return row.status == kApproved; }),
                     expect.charges);
    unmet.checkCount(
        "orders paid",
        std::count_if(ledger.orders.begin(), ledger.orders.end(), [](const OrderRow& row) { return row.status == kPaid; }),
        listOf(expect.ordersPaid));
    unmet.checkCount("mails", static_cast<std::int64_t>(ledger.mails.size()) + ledger.mailsBeyond + ledger.mailsWaiting,
                     listOf(expect.mails));
    checkPostsPerAttempt(unmet, tally, expect.postsPerAttempt);
    const std::string code(console::codeOf(total));
    unmet.check(!expect.verdict || *expect.verdict == code,
                "verdict: " + code + ", expected " + expect.verdict.value_or(std::string()));
    return unmet.take();
}

/// Without a scenario everything but an open or doubled charge is fine.
std::vector<std::string> unmetByItself(VerdictCode total)
{
    Unmet unmet;
    unmet.check(total == VerdictCode::ChargedOnce || total == VerdictCode::NotCharged, std::string(console::wordsOf(total)));
    return unmet.take();
}

} // namespace

protocol::VerdictReport makeVerdict(const LedgerView& ledger, const ArrivalTally& tally,
                                    const std::optional<console::Scenario>& scenario, VerdictCode ofClient)
{
    FactsById facts;
    const Owners owners(ledger, tally);
    countLedger(ledger, owners, facts);
    countArrivals(tally, owners, facts);
    protocol::VerdictReport report;
    for (auto& [key, action] : facts) {
        action.actionId = key.second;
        const auto code = console::judge(action);
        report.actions.push_back({std::move(action), code});
    }
    report.code = std::max(console::worst(report.actions), ofClient);
    if (scenario)
        for (const auto* rules : {&scenario->rules, &scenario->random})
            for (const auto& rule : *rules)
                report.rules.push_back(
                    {rule.id, console::isClientPoint(rule.point) ? std::nullopt : std::optional(tally.hitsOf(rule.id))});
    report.unmet = scenario ? unmetOf(*scenario, ledger, tally, report.code) : unmetByItself(report.code);
    report.isComplete = !ledger.isCut;
    if (ledger.isCut)
        report.unmet.push_back("Only the newest " + std::to_string(ledger.records.size()) +
                               " actions were looked at; of the older ones nothing is known.");
    return report;
}

} // namespace payonce::faults
