#include "faults/arrival_tally.h"

#include <algorithm>

namespace payonce::faults {

void ArrivalTally::count(const ArrivalRow& row)
{
    if (!row.rule.empty())
        ++m_hits[row.rule];
    if (!isArrival(row.point))
        return;
    auto& count = m_counts[{row.account, row.actionId, row.operation}];
    ++count.arrivals;
    ++count.sinceScenario;
    count.lastSeq = row.seq;
    if (!row.attempt.empty() && (count.attempts.size() < kMostAttempts || count.attempts.contains(row.attempt)))
        ++count.attempts[row.attempt];
    if (m_counts.size() > kMostCounted)
        dropQuietHalf();
}

void ArrivalTally::startScenario()
{
    m_hits.clear();
    for (auto& [key, count] : m_counts)
        count.sinceScenario = 0;
}

int ArrivalTally::nextNth(const Key& key) const
{
    const auto found = m_counts.find(key);
    return found == m_counts.end() ? 1 : found->second.sinceScenario + 1;
}

int ArrivalTally::hitsOf(const std::string& rule) const
{
    const auto found = m_hits.find(rule);
    return found == m_hits.end() ? 0 : found->second;
}

void ArrivalTally::dropQuietHalf()
{
    std::vector<std::int64_t> last;
    last.reserve(m_counts.size());
    for (const auto& [key, count] : m_counts)
        last.push_back(count.lastSeq);
    const auto middle = last.begin() + static_cast<std::ptrdiff_t>(last.size() / 2);
    std::nth_element(last.begin(), middle, last.end());
    std::erase_if(m_counts, [bound = *middle](const auto& entry) { return entry.second.lastSeq < bound; });
}

OrderedJson ArrivalTally::toJson() const
{
    auto counts = OrderedJson::array();
    for (const auto& [key, count] : m_counts)
        counts.push_back({{"account", key.account},
                          {"action_id", key.actionId},
                          {"op", std::string(console::nameOf(key.operation))},
                          {"arrivals", count.arrivals},
                          {"since_scenario", count.sinceScenario},
                          {"attempts", count.attempts},
                          {"last_seq", count.lastSeq}});
    return {{"counts", std::move(counts)}, {"hits", m_hits}};
}

ArrivalTally ArrivalTally::fromJson(const nlohmann::json& json)
{
    ArrivalTally tally;
    tally.m_hits = json.at("hits").get<std::map<std::string, int>>();
    for (const auto& entry : json.at("counts")) {
        const auto operation = console::operationOf(entry.at("op").get<std::string>());
        if (!operation)
            continue; // written by a version that knew more
        tally.m_counts[{entry.at("account").get<std::string>(), entry.at("action_id").get<std::string>(), *operation}] = {
            entry.at("arrivals").get<int>(), entry.at("since_scenario").get<int>(),
            entry.at("attempts").get<std::map<std::string, int>>(), entry.at("last_seq").get<std::int64_t>()};
    }
    return tally;
}

} // namespace payonce::faults
