// What is kept of each of the newest actions.
#pragma once

#include <cstddef>
#include <deque>
#include <map>
#include <string>
#include <utility>

namespace payonce::faults {

/// One value an action; beyond `Most` actions, the one that came first is forgotten.
template <class Value, std::size_t Most> class ByAction
{
public:
    using Action = std::pair<std::string, std::string>; // account and ID

    /// Null: none is kept.
    [[nodiscard]] const Value* find(const Action& action) const
    {
        const auto found = m_values.find(action);
        return found == m_values.end() ? nullptr : &found->second;
    }
    /// An action that is known keeps its place.
    void keep(const Action& action, Value value)
    {
        if (!m_values.insert_or_assign(action, std::move(value)).second)
            return;
        m_order.push_back(action);
        if (m_order.size() <= Most)
            return;
        m_values.erase(m_order.front());
        m_order.pop_front();
    }
    void clear()
    {
        m_values.clear();
        m_order.clear();
    }

private:
    std::map<Action, Value> m_values;
    std::deque<Action> m_order;
};

} // namespace payonce::faults
