#include "shop/press_tally.h"

#include <algorithm>
#include <functional>

namespace payonce::shop {

int PressTally::increase(const std::string& name, int total)
{
    if (total <= 0)
        return 0;
    const auto [entry, isNew] = m_totals.try_emplace(std::hash<std::string>()(name), 0);
    const int more = std::max(0, total - entry->second);
    entry->second += more;
    if (!isNew)
        return more;
    m_order.push_back(entry->first);
    if (m_order.size() > kTotalsMost) {
        m_totals.erase(m_order.front());
        m_order.pop_front();
    }
    return more;
}

} // namespace payonce::shop
