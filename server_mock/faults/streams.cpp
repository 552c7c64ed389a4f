#include "faults/streams.h"

#include "protocol/strict_json.h"

namespace payonce::faults {

namespace {

using console::Operation;

const char* nameMember(Operation operation)
{
    if (operation == Operation::Pay)
        return "cart_id";
    return operation == Operation::SignUp ? "email" : nullptr;
}

std::string nameIn(const Arrival& arrival)
{
    const char* const member = nameMember(arrival.operation);
    if (member == nullptr || !arrival.exchange || arrival.exchange->request().body.isEmpty())
        return {};
    const auto json = protocol::parseStrict(arrival.exchange->request().body.toStdString());
    if (!json || !json->is_object())
        return {};
    const auto found = json->find(member);
    const auto* text = found == json->end() ? nullptr : found->get_ptr<const std::string*>();
    return text == nullptr ? std::string() : *text;
}

} // namespace

void Streams::name(Arrival& arrival)
{
    const Action action{arrival.account, arrival.actionId};
    arrival.stream = nameIn(arrival);
    arrival.drawNth = arrival.nth;
    if (!arrival.stream.empty())
        return remember(action, arrival.stream);
    if (arrival.actionId.empty())
        return; // its nth is one number for all of them
    const auto known = m_streams.find(action);
    if (known != m_streams.end())
        arrival.stream = known->second;
    else
        arrival.drawNth = ++m_unnamed[arrival.operation];
}

void Streams::remember(const Action& action, const std::string& stream)
{
    if (action.second.empty() || !m_streams.emplace(action, stream).second)
        return;
    m_order.push_back(action);
    if (m_order.size() <= kMostStreams)
        return;
    m_streams.erase(m_order.front());
    m_order.pop_front();
}

void Streams::forget()
{
    m_streams.clear();
    m_order.clear();
    m_unnamed.clear();
}

} // namespace payonce::faults
