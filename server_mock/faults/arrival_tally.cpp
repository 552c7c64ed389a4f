#include "faults/arrival_tally.h"

#include "faults/json_line.h"

#include <algorithm>
#include <utility>

namespace payonce::faults {

namespace {

// The names come from outside, so they are not plain.
void appendNumbersByName(std::string& text, const std::map<std::string, int>& numbers)
{
    text += '{';
    const char* before = "";
    for (const auto& [name, number] : numbers) {
        appendQuoted(text.append(std::exchange(before, ",")), name);
        appendNumber(text += ':', number);
    }
    text += '}';
}

void appendList(std::string& text, const std::set<std::uint64_t>& numbers)
{
    text += '[';
    const char* before = "";
    for (const auto number : numbers)
        appendNumber(text.append(std::exchange(before, ",")), number);
    text += ']';
}

} // namespace

// An ID names its action all but alone.
std::size_t ArrivalTally::HashOfKey::operator()(const Key& key) const
{
    return std::hash<std::string>()(key.actionId) + static_cast<std::size_t>(key.operation);
}

void ArrivalTally::count(const ArrivalRow& row)
{
    if (!row.rule.empty())
        ++m_hits[row.rule];
    if (row.point != console::Point::Head && !isArrival(row.point))
        return;
    auto& count = m_counts[{row.account, row.actionId, row.operation}];
    count.lastSeq = row.seq;
    if (isArrival(row.point))
        countArrival(row, count);
    else
        countHead(row, count);
    if (m_counts.size() > kMostCounted)
        dropQuietHalf();
}

void ArrivalTally::countArrival(const ArrivalRow& row, Count& count)
{
    ++count.arrivals;
    if (count.heads.erase(row.connection) == 0)
        ++count.sinceScenario;
    if (!row.attempt.empty() && (count.attempts.size() < kMostAttempts || count.attempts.contains(row.attempt)))
        ++count.attempts[row.attempt];
}

void ArrivalTally::countHead(const ArrivalRow& row, Count& count)
{
    ++count.sinceScenario;
    count.heads.insert(row.connection);
    if (count.heads.size() > kMostHeadsCounted)
        count.heads.erase(count.heads.begin());
}

void ArrivalTally::startScenario()
{
    m_hits.clear();
    for (auto& [key, count] : m_counts) {
        count.sinceScenario = 0;
        count.heads.clear();
    }
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

void ArrivalTally::appendTo(std::string& text) const
{
    JsonLine tally(text);
    tally.begin("counts");
    char before = '[';
    for (const auto& [key, count] : m_counts) {
        text += std::exchange(before, ',');
        JsonLine line(text);
        line.text("account", key.account).text("action_id", key.actionId).text("op", console::nameOf(key.operation));
        line.number("arrivals", count.arrivals).number("since_scenario", count.sinceScenario).begin("attempts");
        appendNumbersByName(text, count.attempts);
        line.number("last_seq", count.lastSeq);
        if (!count.heads.empty()) {
            line.begin("heads");
            appendList(text, count.heads);
        }
        line.end();
    }
    text += m_counts.empty() ? "[]" : "]";
    tally.begin("hits");
    appendNumbersByName(text, m_hits);
    tally.end();
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
            entry.at("attempts").get<std::map<std::string, int>>(), entry.at("last_seq").get<std::int64_t>(),
            entry.value("heads", std::set<std::uint64_t>())};
    }
    return tally;
}

} // namespace payonce::faults
