#include "shop/support_arrivals.h"

#include <charconv>
#include <utility>
#include <vector>

namespace payonce::shop {

namespace {

using console::ArrivalEnd;
using faults::ArrivalRow;
using faults::RowEnd;

ArrivalEnd endOf(RowEnd end)
{
    switch (end) {
    case RowEnd::None: return ArrivalEnd::None;
    case RowEnd::Fin: return ArrivalEnd::Closed;
    case RowEnd::Rst: return ArrivalEnd::Reset;
    case RowEnd::Silence: return ArrivalEnd::Silence;
    case RowEnd::Answer: return ArrivalEnd::Replaced;
    case RowEnd::Crash: return ArrivalEnd::Crash;
    case RowEnd::Closed: return ArrivalEnd::ClientLeft;
    }
    return ArrivalEnd::None;
}

std::optional<int> numberIn(const std::string& attempt)
{
    int number = 0;
    const char* const end = attempt.data() + attempt.size();
    const auto [stop, error] = std::from_chars(attempt.data(), end, number);
    return error == std::errc() && stop == end && !attempt.empty() ? std::optional(number) : std::nullopt;
}

/// Connection and number.
using Requests = std::vector<std::pair<std::uint64_t, std::uint64_t>>;

/// The request has its row already, if that is still kept. Numbers begin anew with the server, so the newest is meant.
void markRefused(std::vector<console::ArrivalFact>& facts, const Requests& requests, const ArrivalRow& row)
{
    for (std::size_t i = facts.size(); i-- > 0;)
        if (facts[i].point == console::Point::Received && requests[i] == std::pair(row.connection, row.request)) {
            facts[i].refusal = row.refusal;
            return;
        }
}

} // namespace

Arrivals arrivalsOf(const faults::ArrivalJournal& journal, const values::ActionId& id, std::string account)
{
    const std::string name = id.toString();
    Arrivals arrivals{std::move(account), {}};
    Requests requests; // of the facts
    for (const ArrivalRow& row : journal.rows()) {
        if (row.actionId != name || row.operation == console::Operation::Support)
            continue;
        if (arrivals.account.empty())
            arrivals.account = row.account;
        if (row.account != arrivals.account)
            continue;
        if (!row.refusal.empty()) {
            markRefused(arrivals.facts, requests, row);
            continue;
        }
        arrivals.facts.push_back(
            {row.time.wall, row.operation, numberIn(row.attempt), row.point, row.rule, endOf(row.end), {}});
        requests.emplace_back(row.connection, row.request);
    }
    if (arrivals.facts.size() > kArrivalsToldMost)
        arrivals.facts.erase(arrivals.facts.begin(), arrivals.facts.end() - static_cast<std::ptrdiff_t>(kArrivalsToldMost));
    return arrivals;
}

} // namespace payonce::shop
