#include "shop/rate_limit.h"

namespace payonce::shop {

bool RateLimit::admits(const std::string& account)
{
    if (m_most == 0)
        return true;
    const std::int64_t number = std::chrono::floor<std::chrono::seconds>(m_uptime()).count();
    Second& second = m_newest[account];
    if (second.number != number)
        second = {number, 0};
    if (second.requests == m_most)
        return false;
    ++second.requests;
    return true;
}

} // namespace payonce::shop
