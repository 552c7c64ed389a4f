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
    if (arrival.operation == console::Operation::Status)
        m_lookUps.keep({arrival.account, arrival.actionId}, response);
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
    const auto* before = m_lookUps.find({arrival.account, arrival.actionId});
    return before == nullptr ? unknownAction(arrival) : *before;
}

void AnswerMemory::forget()
{
    m_newest.clear();
    m_lookUps.clear();
}

} // namespace payonce::faults
