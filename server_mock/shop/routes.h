// Which endpoint a request is for (docs/contract.md, Requests).
#pragma once

#include "console/scenario.h"
#include "console/support_rules.h"
#include "idempotency/problem.h"

#include <QtCore/QByteArray>

#include <optional>
#include <variant>

namespace payonce::shop {

enum class Endpoint {
    Policy,
    Cart,
    ExchangeCard,
    Pay,
    SignUp,
    Status,
    Abandon,
    Report,
    Orders,
    Order,
    BankEvent,
    SupportSearch,
    SupportLook,
    SupportAct,
    Health,
    Metrics,
    OpenApi,
    Problem
};

struct Route
{
    Endpoint endpoint;
    QByteArray actionId;  ///< of Status, Abandon, Report and support: the part of the path after `actions`, not yet looked at
    QByteArray orderId{}; ///< of Order
    QByteArray problem{}; ///< of Problem: the code as sent
    console::SupportDeed deed = console::SupportDeed::Note; ///< of SupportAct
};

/// NotFound, or MethodNotAllowed with the value of `Allow`.
struct NoRoute
{
    idempotency::ProblemCode code;
    QByteArray allow;
    QByteArray actionId{}; ///< as Route::actionId, where the path is one of an action
};

/// `method`: HEAD came as GET.
[[nodiscard]] std::variant<Route, NoRoute> routeOf(QByteArrayView method, const QByteArray& path);

/// Its POST needs an `Idempotency-Key`.
[[nodiscard]] bool isKeyed(Endpoint endpoint);

/// What the journal of arrivals and the fault rules call it; the pages for everybody are not among them.
[[nodiscard]] std::optional<console::Operation> operationFor(Endpoint endpoint);

} // namespace payonce::shop
