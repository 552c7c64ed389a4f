// A scenario: which fault happens where, what the person does, and what must hold at the end (docs/faults.md).
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace payonce::console {

/// Named places in the server's work on one request, in the order they are reached. The last four: a webhook between
/// `received` and its reply, and a mail on its way out, which has no connection.
enum class Point {
    Received,
    KeyClaimed,
    BankBefore,
    BankCommitted,
    ResultSaved,
    ReplyBuilt,
    ReplyHead,
    ReplyBody,
    WebhookReceived,
    WebhookApplied,
    OutboxBefore,
    OutboxSent,
};
/// All of them.
inline constexpr std::array kPoints = {Point::Received,        Point::KeyClaimed,     Point::BankBefore,   Point::BankCommitted,
                                       Point::ResultSaved,     Point::ReplyBuilt,     Point::ReplyHead,    Point::ReplyBody,
                                       Point::WebhookReceived, Point::WebhookApplied, Point::OutboxBefore, Point::OutboxSent};

/// What a request is for.
enum class Operation { Pay, SignUp, Tokenise, Status, Abandon, Report, Policy, Cart, Orders, Webhook, Mail, Support };
/// All of them.
inline constexpr std::array kOperations = {Operation::Pay,     Operation::SignUp,  Operation::Tokenise, Operation::Status,
                                           Operation::Abandon, Operation::Report,  Operation::Policy,   Operation::Cart,
                                           Operation::Orders,  Operation::Webhook, Operation::Mail,     Operation::Support};

enum class ConnectionEnd { Fin, Rst };

// A table, one fault a line.
// clang-format off

/// The work waits, then goes on.
struct Delay { std::chrono::milliseconds time; };
/// The connection stays open and silent for ever. At `received` the request is never processed; later the work goes on.
struct Hang {};
/// The connection is closed (FIN). At `received` the request is never processed; later the work goes on.
struct Fin {};
/// The connection is reset (RST). As Fin otherwise.
struct Rst {};
/// Only at `reply.head@n` and `reply.body@n`: exactly n bytes of that part leave, then the connection ends.
struct Cut { ConnectionEnd end = ConnectionEnd::Fin; };
/// This answer goes out instead of the real one. At `received` the request is never processed; later the work goes on.
struct Reply { int status = 500; std::string body; std::vector<std::pair<std::string, std::string>> headers; };
/// The process ends at once, with its files as they are.
struct Crash {};

// clang-format on

using FaultAction = std::variant<Delay, Hang, Fin, Rst, Cut, Reply, Crash>;

struct Match
{
    std::optional<Operation> operation; ///< any, if empty
    std::optional<int> nth;             ///< counted per action and operation, from 1; any, if empty
};

struct Rule
{
    std::string id;
    Match match;
    Point point = Point::Received;
    std::int64_t offset = 0; ///< the n of `reply.head@n` and `reply.body@n`
    FaultAction action;
    std::optional<int> times; ///< fires at most this often; no bound, if empty
};

struct PayStep
{
    std::string card;
};
struct WaitStep
{
    std::string state;
};
using Step = std::variant<PayStep, WaitStep>;

/// What must hold at the end; what is absent is not looked at.
struct Expectation
{
    std::vector<std::string> rulesFired;
    std::vector<int> charges; ///< any of these counts is right
    std::optional<int> ordersPaid;
    std::optional<int> mails; ///< arrived or still in the outbox
    std::optional<int> postsPerAttempt;
    std::optional<std::string> state;   ///< of the client; looked at by whoever runs the client
    std::optional<std::string> verdict; ///< a verdict code
};

struct Scenario
{
    std::string name;
    std::string about; ///< one sentence for people
    std::uint64_t seed = 0;
    std::vector<Step> steps;
    std::vector<Rule> rules;
    Expectation expect;
};

/// `bank.committed`; without the `@n` of the reply points.
[[nodiscard]] std::string_view nameOf(Point point);
[[nodiscard]] std::optional<Point> pointOf(std::string_view name);
/// `pay`, `sign_up`, `tokenise`, `status`, `abandon`, `report`, `policy`, `cart`, `orders`, `webhook`, `mail`, `support`.
[[nodiscard]] std::string_view nameOf(Operation operation);
[[nodiscard]] std::optional<Operation> operationOf(std::string_view name);
/// `delay`, `hang`, …
[[nodiscard]] std::string_view nameOf(const FaultAction& action);

} // namespace payonce::console
