#include "shop/routes.h"

#include <array>
#include <utility>

namespace payonce::shop {

namespace {

struct Entry
{
    QByteArrayView path;
    bool isGet;
    Endpoint endpoint;
};

constexpr auto kEntries = std::to_array<Entry>({
    {"/v1/policy", true, Endpoint::Policy},
    {"/v1/cart", true, Endpoint::Cart},
    {"/v1/payment-methods", false, Endpoint::ExchangeCard},
    {"/v1/payments", false, Endpoint::Pay},
    {"/v1/accounts", false, Endpoint::SignUp},
    {"/v1/orders", true, Endpoint::Orders},
    {"/v1/webhooks/bank", false, Endpoint::BankEvent},
    {"/v1/support/actions", true, Endpoint::SupportSearch},
    {"/healthz", true, Endpoint::Health},
    {"/metrics", true, Endpoint::Metrics},
    {"/openapi.yaml", true, Endpoint::OpenApi},
});
constexpr QByteArrayView kActions = "/v1/actions/";
constexpr QByteArrayView kOrders = "/v1/orders/";
constexpr QByteArrayView kProblems = "/problems/";
constexpr QByteArrayView kSupport = "/v1/support/actions/";
constexpr QByteArrayView kAbandon = "/abandon";
constexpr QByteArrayView kReport = "/report";

std::variant<Route, NoRoute> ifAllowed(QByteArrayView method, bool isGet, Route route)
{
    if (method == (isGet ? QByteArrayView("GET") : QByteArrayView("POST")))
        return route;
    return NoRoute{idempotency::ProblemCode::MethodNotAllowed, isGet ? QByteArray("GET, HEAD") : QByteArray("POST"),
                   route.actionId};
}

/// `rest`: what follows `/v1/support/actions/`.
std::variant<Route, NoRoute> supportRouteOf(QByteArrayView method, const QByteArray& rest)
{
    const qsizetype slash = rest.indexOf('/');
    const QByteArray id = slash < 0 ? rest : rest.left(slash);
    if (id.isEmpty())
        return NoRoute{idempotency::ProblemCode::NotFound, {}};
    if (slash < 0)
        return ifAllowed(method, true, {Endpoint::SupportLook, id});
    const auto deed = console::supportDeedOf(rest.mid(slash + 1).toStdString());
    if (!deed)
        return NoRoute{idempotency::ProblemCode::NotFound, {}};
    return ifAllowed(method, false, {Endpoint::SupportAct, id, {}, {}, *deed});
}

} // namespace

std::variant<Route, NoRoute> routeOf(QByteArrayView method, const QByteArray& path)
{
    for (const Entry& entry : kEntries)
        if (path == entry.path)
            return ifAllowed(method, entry.isGet, {entry.endpoint, {}});
    if (path.startsWith(kSupport))
        return supportRouteOf(method, path.mid(kSupport.size()));
    const QByteArray order = path.startsWith(kOrders) ? path.mid(kOrders.size()) : QByteArray();
    if (!order.isEmpty() && !order.contains('/'))
        return ifAllowed(method, true, {Endpoint::Order, {}, order});
    if (path.startsWith(kProblems))
        return ifAllowed(method, true, {Endpoint::Problem, {}, {}, path.mid(kProblems.size())});
    QByteArray id = path.startsWith(kActions) ? path.mid(kActions.size()) : QByteArray();
    Endpoint endpoint = Endpoint::Status;
    for (const auto& [ending, verb] : {std::pair(kAbandon, Endpoint::Abandon), std::pair(kReport, Endpoint::Report)})
        if (endpoint == Endpoint::Status && id.endsWith(ending)) {
            id.chop(ending.size());
            endpoint = verb;
        }
    if (id.isEmpty() || id.contains('/'))
        return NoRoute{idempotency::ProblemCode::NotFound, {}};
    return ifAllowed(method, endpoint == Endpoint::Status, {endpoint, id});
}

bool isKeyed(Endpoint endpoint)
{
    return endpoint == Endpoint::Pay || endpoint == Endpoint::SignUp || endpoint == Endpoint::SupportAct;
}

std::optional<console::Operation> operationFor(Endpoint endpoint)
{
    switch (endpoint) {
    case Endpoint::Policy: return console::Operation::Policy;
    case Endpoint::Cart: return console::Operation::Cart;
    case Endpoint::ExchangeCard: return console::Operation::Tokenise;
    case Endpoint::Pay: return console::Operation::Pay;
    case Endpoint::SignUp: return console::Operation::SignUp;
    case Endpoint::Status: return console::Operation::Status;
    case Endpoint::Abandon: return console::Operation::Abandon;
    case Endpoint::Report: return console::Operation::Report;
    case Endpoint::Orders:
    case Endpoint::Order: return console::Operation::Orders;
    case Endpoint::BankEvent: return console::Operation::Webhook;
    case Endpoint::SupportSearch:
    case Endpoint::SupportLook:
    case Endpoint::SupportAct: return console::Operation::Support;
    case Endpoint::Health:
    case Endpoint::Metrics:
    case Endpoint::OpenApi:
    case Endpoint::Problem: return {};
    }
    return {};
}

} // namespace payonce::shop
