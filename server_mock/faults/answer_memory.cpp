#include "faults/answer_memory.h"

#include "faults/fault_bytes.h"

#include <algorithm>

namespace payonce::faults {

void AnswerMemory::keep(const Arrival& arrival, const http::Response& response)
{
    auto& newest = m_newest[arrival.operation];
    std::erase_if(newest, [&](const Kept& kept) { return kept.actionId == arrival.actionId; });
    newest.push_front({arrival.actionId, response});
    if (newest.size() > 2)
        newest.pop_back();
    if (arrival.operation != console::Operation::Status)
        return;
    const Action action{arrival.account, arrival.actionId};
    if (!m_lookUps.insert_or_assign(action, response).second)
        return;
    m_order.push_back(action);
    if (m_order.size() <= kMostLookUps)
        return;
    m_lookUps.erase(m_order.front());
    m_order.pop_front();
}

http::Response AnswerMemory::swapped(const Arrival& arrival, const http::Response& response) const
{
    const auto newest = m_newest.find(arrival.operation);
    if (newest != m_newest.end())
        for (const auto& kept : newest->second)
            if (kept.actionId != arrival.actionId)
                return kept.response;
    return underAnotherId(response, arrival.actionId);
}

http::Response AnswerMemory::stale(const Arrival& arrival) const
{
    const auto before = m_lookUps.find({arrival.account, arrival.actionId});
    return before == m_lookUps.end() ? unknownAction(arrival) : before->second;
}

void AnswerMemory::forget()
{
    m_newest.clear();
    m_lookUps.clear();
    m_order.clear();
}

} // namespace payonce::faults
