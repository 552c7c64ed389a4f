#include "faults/rule_picker.h"

#include <algorithm>
#include <utility>
#include <variant>

namespace payonce::faults {

namespace {

using console::Point;
using console::Rule;

/// `stale` lasts for so many look-ups, from the one it names.
bool fitsNth(const Rule& rule, int nth)
{
    if (const auto* stale = std::get_if<console::Stale>(&rule.action)) {
        const int first = rule.match.nth.value_or(1);
        return nth >= first && nth - first < stale->reads;
    }
    return !rule.match.nth || *rule.match.nth == nth;
}

} // namespace

std::optional<std::int64_t> mostHits(const Rule& rule)
{
    if (!rule.times)
        return {};
    const auto* stale = std::get_if<console::Stale>(&rule.action);
    return std::int64_t{*rule.times} * (stale == nullptr ? 1 : stale->reads);
}

void RulePicker::load(std::optional<console::Scenario> scenario, ms now)
{
    m_scenario = std::move(scenario);
    m_since.clear();
    if (m_scenario)
        for (const auto* rules : {&m_scenario->rules, &m_scenario->random})
            for (const auto& rule : *rules)
                m_since[rule.id] = now;
    look();
}

bool RulePicker::add(Rule rule, ms now)
{
    if (m_since.contains(rule.id) || m_since.size() >= kMostRulesHeld)
        return false;
    if (!m_scenario) {
        m_scenario.emplace();
        m_scenario->name = "by-hand";
    }
    m_since[rule.id] = now;
    (rule.probability ? m_scenario->random : m_scenario->rules).push_back(std::move(rule));
    look();
    return true;
}

bool RulePicker::remove(const std::string& id)
{
    if (m_since.erase(id) == 0)
        return false;
    for (auto* rules : {&m_scenario->rules, &m_scenario->random})
        std::erase_if(*rules, [&](const Rule& rule) { return rule.id == id; });
    std::erase(m_scenario->expect.rulesFired, id);
    look();
    return true;
}

void RulePicker::look()
{
    m_watched.reset();
    m_remembers = false;
    if (!m_scenario)
        return;
    for (const auto* rules : {&m_scenario->rules, &m_scenario->random})
        for (const auto& rule : *rules) {
            m_watched.set(static_cast<std::size_t>(rule.point));
            m_remembers = m_remembers || std::holds_alternative<console::Swap>(rule.action) ||
                          std::holds_alternative<console::Stale>(rule.action);
        }
}

bool RulePicker::fits(const Rule& rule, const Arrival& arrival, const ArrivalTally& tally, ms now) const
{
    return (!rule.match.operation || *rule.match.operation == arrival.operation) && fitsNth(rule, arrival.nth) &&
           (!rule.times || tally.hitsOf(rule.id) < *mostHits(rule)) &&
           (!rule.lasts || now - m_since.at(rule.id) < *rule.lasts) &&
           (!rule.probability ||
            console::drawOf(m_scenario->seed, rule.id, arrival.stream, arrival.drawNth) < *rule.probability);
}

template <class AtPoint>
const Rule* RulePicker::first(const AtPoint& isAtPoint, const Arrival& arrival, const ArrivalTally& tally, ms now) const
{
    for (const auto* rules : {&m_scenario->rules, &m_scenario->random}) {
        const auto found = std::find_if(rules->begin(), rules->end(), [&](const Rule& rule) {
            return isAtPoint(rule.point) && fits(rule, arrival, tally, now);
        });
        if (found != rules->end())
            return &*found;
    }
    return nullptr;
}

const Rule* RulePicker::pick(Point point, const Arrival& arrival, const ArrivalTally& tally, ms now) const
{
    if (!watches(point))
        return nullptr;
    return first([point](Point at) { return at == point; }, arrival, tally, now);
}

const Rule* RulePicker::pickWithinReply(const Arrival& arrival, const ArrivalTally& tally, ms now) const
{
    if (!m_scenario)
        return nullptr;
    return first(console::isReplyPart, arrival, tally, now);
}

} // namespace payonce::faults
