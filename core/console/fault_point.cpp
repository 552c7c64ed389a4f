#include "console/fault_point.h"

#include <algorithm>
#include <charconv>
#include <initializer_list>

namespace payonce::console {

namespace {

bool isOneOf(Operation operation, std::initializer_list<Operation> operations)
{
    return std::find(operations.begin(), operations.end(), operation) != operations.end();
}

/// Digits and nothing else.
std::optional<std::int64_t> countIn(std::string_view text)
{
    if (text.empty() || text.find_first_not_of("0123456789") != std::string_view::npos)
        return {};
    std::int64_t count = 0;
    const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), count);
    return error == std::errc() ? std::optional(count) : std::nullopt;
}

} // namespace

bool isClientPoint(Point point)
{
    return point >= Point::ActionSaved;
}

bool isReplyPart(Point point)
{
    return point == Point::ReplyHead || point == Point::ReplyBody;
}

bool mayReach(Operation operation, Point point)
{
    const bool isMail = operation == Operation::Mail;
    switch (point) {
    case Point::Accept: return false;
    case Point::Head:
    case Point::Received:
    case Point::ReplyBuilt:
    case Point::ReplyHead:
    case Point::ReplyBody:
    case Point::ReplyFlushed: return !isMail;
    case Point::KeyLookedUp:
        return isOneOf(operation, {Operation::Pay, Operation::SignUp, Operation::Status, Operation::Abandon});
    case Point::KeyClaimed:
    case Point::BankBefore:
    case Point::BankInside:
    case Point::BankCommitted:
    case Point::BankAnswered: return operation == Operation::Pay;
    case Point::ResultSaved: return isOneOf(operation, {Operation::Pay, Operation::SignUp});
    case Point::WebhookReceived:
    case Point::WebhookApplied: return operation == Operation::Webhook;
    case Point::OutboxBefore:
    case Point::OutboxSent: return isMail;
    case Point::ActionSaved:
    case Point::AttemptSaved:
    case Point::Sent:
    case Point::ReplyParsed:
    case Point::OutcomeSaved:
        return isOneOf(operation, {Operation::Pay, Operation::SignUp, Operation::Status, Operation::Abandon});
    }
    return false;
}

std::string_view nameOf(Point point)
{
    switch (point) {
    case Point::Accept: return "accept";
    case Point::Head: return "head";
    case Point::Received: return "received";
    case Point::KeyLookedUp: return "key.looked_up";
    case Point::KeyClaimed: return "key.claimed";
    case Point::BankBefore: return "bank.before";
    case Point::BankInside: return "bank.inside";
    case Point::BankCommitted: return "bank.committed";
    case Point::BankAnswered: return "bank.answered";
    case Point::ResultSaved: return "result.saved";
    case Point::ReplyBuilt: return "reply.built";
    case Point::ReplyHead: return "reply.head";
    case Point::ReplyBody: return "reply.body";
    case Point::ReplyFlushed: return "reply.flushed";
    case Point::WebhookReceived: return "webhook.received";
    case Point::WebhookApplied: return "webhook.applied";
    case Point::OutboxBefore: return "outbox.before";
    case Point::OutboxSent: return "outbox.sent";
    case Point::ActionSaved: return "action.saved";
    case Point::AttemptSaved: return "attempt.saved";
    case Point::Sent: return "sent";
    case Point::ReplyParsed: return "reply.parsed";
    case Point::OutcomeSaved: return "outcome.saved";
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

std::string placeName(Point point, std::int64_t offset)
{
    std::string text(nameOf(point));
    return isReplyPart(point) ? text + '@' + std::to_string(offset) : text;
}

std::optional<Place> placeIn(std::string_view text)
{
    const auto at = text.find('@');
    const auto point = pointOf(text.substr(0, at));
    if (!point)
        return {};
    if (at == std::string_view::npos)
        return Place{*point};
    const auto offset = isReplyPart(*point) ? countIn(text.substr(at + 1)) : std::nullopt;
    return offset ? std::optional(Place{*point, offset}) : std::nullopt;
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

} // namespace payonce::console
