#include "shop/waiting_room.h"

#include <set>
#include <utility>
#include <vector>

namespace payonce::shop {

bool WaitingRoom::hold(const std::string& account, const values::ActionId& action, std::chrono::milliseconds most, Woken woken)
{
    if (m_held.size() >= kHeldMost)
        return false;
    const std::uint64_t number = ++m_lastGuest;
    m_held.emplace(number, Guest{account, action, std::move(woken)});
    m_after(most, &m_home, [this, number] { end(number, {}); });
    return true;
}

void WaitingRoom::wake(const idempotency::KeyRecord& settled)
{
    std::vector<std::uint64_t> numbers;
    for (const auto& [number, guest] : m_held)
        if (guest.action == settled.id && guest.account == settled.account)
            numbers.push_back(number);
    for (const std::uint64_t number : numbers)
        end(number, settled);
}

std::vector<idempotency::RecordKey> WaitingRoom::awaited() const
{
    std::set<std::pair<std::string, values::ActionId>> keys;
    for (const auto& [number, guest] : m_held)
        keys.emplace(guest.account, guest.action);
    std::vector<idempotency::RecordKey> awaited;
    awaited.reserve(keys.size());
    for (const auto& [account, action] : keys)
        awaited.push_back({account, action});
    return awaited;
}

void WaitingRoom::end(std::uint64_t number, const std::optional<idempotency::KeyRecord>& record)
{
    auto guest = m_held.extract(number);
    if (!guest.empty())
        guest.mapped().woken(record);
}

} // namespace payonce::shop
