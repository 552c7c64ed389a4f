// One request on its way through the shop: what its head says, read once.
#pragma once

#include "faults/fault_points.h"
#include "protocol/answer.h"
#include "protocol/fields.h"
#include "shop/accounts.h"
#include "shop/routes.h"

#include <chrono>
#include <memory>
#include <optional>

namespace payonce::shop {

/// Which keys this shop takes.
struct KeyRules
{
    protocol::KeyForm form = protocol::KeyForm::UuidV7;
    std::chrono::milliseconds aheadMost{}; ///< of a UUIDv7
};

struct Incoming
{
    faults::Arrival arrival; ///< its account is empty where the token is nobody's
    Endpoint endpoint = Endpoint::Policy;
    Scope scope = Scope::Shop;              ///< of the token
    std::optional<values::ActionId> action; ///< the key, or the ID in the path; every answer echoes it
    std::optional<values::ActionId> unused; ///< a key on a request that needs none: only echoed
    std::optional<values::ActionId> target; ///< the ID in the path where there is a key besides: what a deed is about
    console::SupportDeed deed = console::SupportDeed::Note; ///< of SupportAct
    std::optional<retry::AttemptNote> note;                 ///< what the client says of itself
    std::string orderId;                                    ///< the last part of an order's path, as sent
    std::optional<protocol::Problem> badKey;                ///< why the key or the path's ID is refused
    std::optional<protocol::Problem> badHead;               ///< why another header is refused
    std::optional<std::chrono::seconds> wait;               ///< `Prefer: wait=N`

    /// `?kind=payment`: what the caller says the action is; of a payment an order row may answer.
    [[nodiscard]] std::optional<idempotency::RecordKind> saidKind() const
    {
        return idempotency::recordKindOf(request().query.queryItemValue(QStringLiteral("kind")).toStdString());
    }
    [[nodiscard]] bool saysPayment() const { return saidKind() == idempotency::RecordKind::Payment; }
    /// `?account=…`: support says whose action it means where two accounts use one ID.
    [[nodiscard]] std::string saidAccount() const
    {
        return request().query.queryItemValue(QStringLiteral("account"), QUrl::FullyDecoded).toStdString();
    }
    /// The answer will be this problem, whatever the action's record says; told of a payment and a sign-up.
    void isRefusedWith(idempotency::ProblemCode code)
    {
        if (endpoint == Endpoint::Pay || endpoint == Endpoint::SignUp)
            arrival.refusal = idempotency::ruleOf(code).name;
    }
    /// What every answer names.
    [[nodiscard]] const std::optional<values::ActionId>& echo() const { return action ? action : unused; }
    [[nodiscard]] const http::Request& request() const { return arrival.exchange->request(); }
};

/// Decides nothing: the order of the refusals is the caller's.
[[nodiscard]] std::shared_ptr<Incoming> readIncoming(std::shared_ptr<http::Exchange> exchange, const Route& route,
                                                     const Accounts& accounts, values::WallTime now, const KeyRules& keys);

/// The ID in a path, percent-decoded; empty unless it is well-formed.
[[nodiscard]] std::optional<values::ActionId> idInPath(const QByteArray& text, protocol::KeyForm form);

/// `Action-Attempt`; empty unless it is one well-formed line.
[[nodiscard]] std::optional<retry::AttemptNote> noteOf(const http::Request& request);

} // namespace payonce::shop
