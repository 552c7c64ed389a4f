// Where faults happen: the named places in the work on one request, and what a request is for (docs/faults.md, Points).
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace payonce::console {

/// In the order they are reached: those of the server's work on a request, of a webhook between `received` and its reply, of a
/// mail on its way out (which has no connection), and of the client.
enum class Point {
    Accept,
    Head,
    Received,
    KeyLookedUp,
    KeyClaimed,
    BankBefore,
    BankInside,
    BankCommitted,
    BankAnswered,
    ResultSaved,
    ReplyBuilt,
    ReplyHead,
    ReplyBody,
    ReplyFlushed,
    WebhookReceived,
    WebhookApplied,
    OutboxBefore,
    OutboxSent,
    ActionSaved,
    AttemptSaved,
    Sent,
    ReplyParsed,
    OutcomeSaved,
};
/// All of them.
inline constexpr std::array kPoints = {Point::Accept,       Point::Head,         Point::Received,        Point::KeyLookedUp,
                                       Point::KeyClaimed,   Point::BankBefore,   Point::BankInside,      Point::BankCommitted,
                                       Point::BankAnswered, Point::ResultSaved,  Point::ReplyBuilt,      Point::ReplyHead,
                                       Point::ReplyBody,    Point::ReplyFlushed, Point::WebhookReceived, Point::WebhookApplied,
                                       Point::OutboxBefore, Point::OutboxSent,   Point::ActionSaved,     Point::AttemptSaved,
                                       Point::Sent,         Point::ReplyParsed,  Point::OutcomeSaved};

/// What a request is for.
enum class Operation { Pay, SignUp, Tokenise, Status, Abandon, Report, Policy, Cart, Orders, Webhook, Mail, Support };
/// All of them.
inline constexpr std::array kOperations = {Operation::Pay,     Operation::SignUp,  Operation::Tokenise, Operation::Status,
                                           Operation::Abandon, Operation::Report,  Operation::Policy,   Operation::Cart,
                                           Operation::Orders,  Operation::Webhook, Operation::Mail,     Operation::Support};

/// Carried out by the app, not by the server.
[[nodiscard]] bool isClientPoint(Point point);
/// `reply.head@n` and `reply.body@n`: a place within the bytes of an answer.
[[nodiscard]] bool isReplyPart(Point point);
/// May a request of this operation come to this point? Of `accept` nobody knows what it will be for.
[[nodiscard]] bool mayReach(Operation operation, Point point);

/// `bank.committed`; without the `@n` of the reply points.
[[nodiscard]] std::string_view nameOf(Point point);
[[nodiscard]] std::optional<Point> pointOf(std::string_view name);

/// A point, and of a part of the reply after how many of its bytes.
struct Place
{
    Point point = Point::Received;
    std::optional<std::int64_t> offset{}; ///< only of a part of the reply; empty: it does not say
    friend bool operator==(const Place&, const Place&) = default;
};
/// `bank.committed`, `reply.body@7`: `offset` says something only of a part of the reply.
[[nodiscard]] std::string placeName(Point point, std::int64_t offset);
/// Empty: no point of this name, or no count of bytes behind the `@` of a part of the reply.
[[nodiscard]] std::optional<Place> placeIn(std::string_view text);

/// `pay`, `sign_up`, `tokenise`, `status`, `abandon`, `report`, `policy`, `cart`, `orders`, `webhook`, `mail`, `support`.
[[nodiscard]] std::string_view nameOf(Operation operation);
[[nodiscard]] std::optional<Operation> operationOf(std::string_view name);

} // namespace payonce::console
