#include "console/scenario.h"

#include <array>

namespace payonce::console {

namespace {

// In the order of FaultAction's alternatives.
constexpr std::array<std::string_view, std::variant_size_v<FaultAction>> kActions = {"delay", "hang",  "fin",  "rst",
                                                                                     "cut",   "reply", "crash"};

} // namespace

std::string_view nameOf(Point point)
{
    switch (point) {
    case Point::Received: return "received";
    case Point::KeyClaimed: return "key.claimed";
    case Point::BankBefore: return "bank.before";
    case Point::BankCommitted: return "bank.committed";
    case Point::ResultSaved: return "result.saved";
    case Point::ReplyBuilt: return "reply.built";
    case Point::ReplyHead: return "reply.head";
    case Point::ReplyBody: return "reply.body";
    case Point::WebhookReceived: return "webhook.received";
    case Point::WebhookApplied: return "webhook.applied";
    case Point::OutboxBefore: return "outbox.before";
    case Point::OutboxSent: return "outbox.sent";
    }
    return "";
}

std::optional<Point> pointOf(std::string_view name)
{
    for (const auto point : kPoints)
        if (nameOf(point) == name)
            return point;
    return {};
}

std::string_view nameOf(Operation operation)
{
    switch (operation) {
    case Operation::Pay: return "pay";
    case Operation::SignUp: return "sign_up";
    case Operation::Tokenise: return "tokenise";
    case Operation::Status: return "status";
    case Operation::Abandon: return "abandon";
    case Operation::Report: return "report";
    case Operation::Policy: return "policy";
    case Operation::Cart: return "cart";
    case Operation::Orders: return "orders";
    case Operation::Webhook: return "webhook";
    case Operation::Mail: return "mail";
    case Operation::Support: return "support";
    }
    return "";
}

std::optional<Operation> operationOf(std::string_view name)
{
    for (const auto operation : kOperations)
        if (nameOf(operation) == name)
            return operation;
    return {};
}

std::string_view nameOf(const FaultAction& action)
{
    return kActions.at(action.index());
}

} // namespace payonce::console
