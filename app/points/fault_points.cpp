#include "points/fault_points.h"

#include "values/check.h"

#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <iterator>

namespace payonce::points {

FaultPoints::FaultPoints(std::vector<console::Rule> rules, std::uint64_t seed, const QString& hitsFile)
    : m_rules(std::move(rules)), m_seed(seed), m_hits(hitsFile), m_start(std::chrono::steady_clock::now())
{
    for (const auto& rule : m_rules)
        CHECK(console::isClientPoint(rule.point));
}

FaultPoints::Arrival FaultPoints::arrive(console::Point point, console::Operation operation, const values::ActionId& id)
{
    const std::scoped_lock lock(m_mutex);
    const auto name = id.toString();
    Arrival arrival;
    arrival.nth = ++m_counts[{name, operation, point}];
    const auto rule = std::find_if(m_rules.begin(), m_rules.end(),
                                   [&](const auto& known) { return applies(known, point, operation, name, arrival.nth); });
    if (rule != m_rules.end())
        arrival.rule = *rule;
    return arrival;
}

bool FaultPoints::applies(const console::Rule& rule, console::Point point, console::Operation operation, const std::string& id,
                          int nth) const
{
    const bool fits = rule.point == point && (!rule.match.operation || *rule.match.operation == operation) &&
                      (!rule.match.nth || *rule.match.nth == nth);
    if (!fits || (rule.times && m_hits.hitsOf(rule.id) >= *rule.times))
        return false;
    if (rule.lasts && std::chrono::steady_clock::now() - m_start > *rule.lasts)
        return false;
    const auto cart = m_carts.find(id);
    return !rule.probability ||
           console::drawOf(m_seed, rule.id, cart == m_carts.end() ? id : cart->second, nth) < *rule.probability;
}

bool FaultPoints::fire(const Arrival& arrival)
{
    if (!arrival.rule)
        return false;
    const std::scoped_lock lock(m_mutex);
    if (!m_hits.add(arrival.rule->id, arrival.nth))
        return false;
    if (std::holds_alternative<console::Crash>(arrival.rule->action))
        static_cast<void>(::kill(::getpid(), SIGKILL));
    if (const auto* step = std::get_if<console::ClockStep>(&arrival.rule->action))
        m_clockOffset += step->by;
    return true;
}

std::vector<std::string> FaultPoints::unfired(const std::vector<std::string>& rules) const
{
    const std::scoped_lock lock(m_mutex);
    std::vector<std::string> missing;
    std::copy_if(rules.begin(), rules.end(), std::back_inserter(missing), [this](const std::string& id) {
        const bool isOurs = std::any_of(m_rules.begin(), m_rules.end(), [&](const auto& rule) { return rule.id == id; });
        return isOurs && m_hits.hitsOf(id) == 0;
    });
    return missing;
}

void FaultPoints::learnCart(const values::ActionId& id, const std::string& cart)
{
    const std::scoped_lock lock(m_mutex);
    m_carts[id.toString()] = cart;
}

std::chrono::milliseconds FaultPoints::clockOffset() const
{
    const std::scoped_lock lock(m_mutex);
    return m_clockOffset;
}

} // namespace payonce::points
