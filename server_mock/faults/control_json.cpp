#include "faults/control_json.h"

#include "faults/rule_picker.h"
#include "faults/verdict_maker.h"
#include "protocol/scenario_json.h"
#include "protocol/verdict_json.h"

#include <algorithm>
#include <utility>

namespace payonce::faults {

namespace {

using console::Point;

/// As a rule names it: a point within the bytes of a reply wants their number.
std::string pointName(Point point)
{
    const std::string name(console::nameOf(point));
    return console::isReplyPart(point) ? name + "@n" : name;
}

QByteArray bytesOf(const OrderedJson& json)
{
    return QByteArray::fromStdString(textOf(json));
}

OrderedJson amountJson(const values::Money& money)
{
    return {{"value", money.minorUnits}, {"currency", std::string(money.currency.code())}};
}

template <std::size_t... Index> OrderedJson actionNames(std::index_sequence<Index...> /*indexes*/)
{
    return OrderedJson::array(
        {std::string(console::nameOf(console::FaultAction(std::variant_alternative_t<Index, console::FaultAction>{})))...});
}

/// Rules at the client's points are counted by the client.
OrderedJson ruleJson(const console::Rule& rule, int hits)
{
    OrderedJson json{{"id", rule.id}, {"hits", hits}, {"remaining", nullptr}};
    if (console::isClientPoint(rule.point))
        json["hits"] = nullptr;
    else if (const auto most = mostHits(rule))
        json["remaining"] = std::max<std::int64_t>(0, *most - hits);
    return json;
}

} // namespace

QByteArray pointsBody()
{
    auto operations = OrderedJson::array();
    for (const auto operation : console::kOperations)
        operations.push_back(std::string(console::nameOf(operation)));
    auto points = OrderedJson::array();
    auto clientPoints = OrderedJson::array();
    for (const auto point : console::kPoints)
        (console::isClientPoint(point) ? clientPoints : points).push_back(pointName(point));
    return bytesOf({{"points", points},
                    {"client_points", clientPoints},
                    {"operations", operations},
                    {"actions", actionNames(std::make_index_sequence<std::variant_size_v<console::FaultAction>>())}});
}

QByteArray scenarioBody(const std::optional<console::Scenario>& scenario, const ArrivalTally& tally)
{
    if (!scenario)
        return bytesOf({{"scenario", nullptr}, {"rules", OrderedJson::array()}});
    auto rules = OrderedJson::array();
    for (const auto* list : {&scenario->rules, &scenario->random})
        for (const auto& rule : *list)
            rules.push_back(ruleJson(rule, tally.hitsOf(rule.id)));
    return bytesOf({{"scenario", OrderedJson::parse(protocol::renderScenario(*scenario))}, {"rules", rules}});
}

QByteArray ledgerBody(const LedgerView& ledger)
{
    auto charges = OrderedJson::array();
    for (const auto& row : ledger.charges)
        charges.push_back({{"id", row.id},
                           {"action_id", row.actionId},
                           {"amount", amountJson(row.amount)},
                           {"status", row.status},
                           {"at", row.at}});
    auto orders = OrderedJson::array();
    for (const auto& row : ledger.orders)
        orders.push_back({{"id", row.id},
                          {"number", row.number},
                          {"action_id", row.actionId},
                          {"cart_id", row.cartId},
                          {"amount", amountJson(row.amount)},
                          {"status", row.status},
                          {"at", row.at}});
    auto records = OrderedJson::array();
    for (const auto& row : ledger.records)
        records.push_back({{"action_id", row.actionId}, {"state", row.state}});
    auto mails = OrderedJson::array();
    for (const auto& row : ledger.mails)
        mails.push_back({{"kind", row.kind},
                         {"to", row.to},
                         {"action_id", row.actionId},
                         {"order", row.orderId.empty() ? OrderedJson(nullptr) : OrderedJson(row.orderId)},
                         {"at", row.at}});
    auto accounts = OrderedJson::array();
    for (const auto& row : ledger.accounts)
        accounts.push_back({{"id", row.id}, {"action_id", row.actionId}, {"email", row.email}, {"at", row.at}});
    return bytesOf({{"charges", charges},
                    {"mails", mails},
                    {"orders", orders},
                    {"accounts", accounts},
                    {"records", records},
                    {"complete", !ledger.isCut}});
}

RowsBody rowsBody(const ArrivalJournal& journal, const RowFilter& filter)
{
    const auto& rows = journal.rows();
    auto chosen = OrderedJson::array();
    bool hasMore = false;
    bool hasArrived = false;
    const auto isOlder = [](std::int64_t seq, const ArrivalRow& row) { return seq < row.seq; };
    for (auto row = std::upper_bound(rows.begin(), rows.end(), filter.after, isOlder); row != rows.end(); ++row) {
        if (!filter.actionId.empty() && row->actionId != filter.actionId)
            continue;
        hasMore = chosen.size() == kMostRowsAnswered;
        if (hasMore)
            break;
        hasArrived = hasArrived || row->point == filter.until;
        chosen.push_back(toJson(*row));
    }
    const bool isComplete = !chosen.empty() && (!filter.until || hasArrived);
    return {bytesOf({{"epoch", journal.epoch()},
                     {"rows", std::move(chosen)},
                     {"more", hasMore},
                     {"memory_only", journal.memoryOnly()}}),
            isComplete};
}

QByteArray snapshotBody(const Snapshot& snapshot, const LedgerView& ledger)
{
    auto paused = OrderedJson::array();
    for (const auto& [token, work] : snapshot.paused)
        paused.push_back({{"token", std::to_string(token)},
                          {"point", std::string(console::nameOf(work.point))},
                          {"account", work.account},
                          {"action_id", work.actionId},
                          {"nth", work.nth}});
    const auto scenario = OrderedJson::parse(scenarioBody(snapshot.scenario, snapshot.tally).toStdString());
    return bytesOf(
        {{"epoch", snapshot.epoch},
         {"last_seq", snapshot.lastSeq},
         {"time", values::toRfc3339(snapshot.time)},
         {"paused", std::move(paused)},
         {"delayed", snapshot.delayed},
         {"silent", snapshot.silent},
         {"scenario", scenario.at("scenario")},
         {"rules", scenario.at("rules")},
         {"ledger", OrderedJson::parse(ledgerBody(ledger).toStdString())},
         {"verdict", OrderedJson::parse(protocol::renderVerdict(makeVerdict(ledger, snapshot.tally, snapshot.scenario)))}});
}

} // namespace payonce::faults
