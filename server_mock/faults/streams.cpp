#include "faults/streams.h"

#include "protocol/strict_json.h"

#include <utility>

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
    arrival.stream = nameIn(arrival);
    arrival.drawNth = arrival.nth;
    if (arrival.actionId.empty())
        return; // its nth is one number for all of them
    const std::pair action{arrival.account, arrival.actionId};
    const auto* known = m_streams.find(action);
    if (!arrival.stream.empty()) {
        if (known == nullptr)
            m_streams.keep(action, arrival.stream);
    } else if (known != nullptr) {
        arrival.stream = *known;
    } else {
        arrival.drawNth = ++m_unnamed[arrival.operation];
    }
}

void Streams::forget()
{
    m_streams.clear();
    m_unnamed.clear();
}

} // namespace payonce::faults
