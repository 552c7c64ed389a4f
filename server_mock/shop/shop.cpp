#include "shop/shop.h"

#include "http/listener.h"
#include "protocol/json_text.h"
#include "shop/problem_pages.h"
#include "shop/public_pages.h"
#include "shop/replies.h"
#include "shop/store_words.h"

#include <utility>
#include <variant>

namespace payonce::shop {

namespace {

using idempotency::ProblemCode;

bool isJson(const http::Request& request)
{
    const QByteArray type = request.value("Content-Type");
    const qsizetype parameters = type.indexOf(';');
    const QByteArrayView essence = QByteArrayView(type).first(parameters < 0 ? type.size() : parameters).trimmed();
    return essence.compare("application/json", Qt::CaseInsensitive) == 0;
}

bool hasBody(Endpoint endpoint)
{
    return isKeyed(endpoint) || endpoint == Endpoint::ExchangeCard || endpoint == Endpoint::Report;
}

bool mayUse(Scope scope, Endpoint endpoint)
{
    const bool isLook = endpoint == Endpoint::SupportSearch || endpoint == Endpoint::SupportLook;
    if (endpoint == Endpoint::SupportAct)
        return scope == Scope::SupportAct;
    return isLook ? scope != Scope::Shop : scope == Scope::Shop;
}

} // namespace

Shop::Shop(ShopSettings settings, LedgerWriter& ledger, bank::Bank& bank, faults::FaultPoints& faults)
    : m_metrics(settings.metrics == nullptr ? m_uncounted : *settings.metrics),
      m_metricsText(std::move(settings.metricsText)),
      m_watch(std::make_shared<const RequestWatch>(m_metrics, std::move(settings.log))),
      m_replays(settings.replayBytes),
      m_accounts(std::move(settings.accounts)),
      m_waiting(settings.after),
      m_bankDesk(bank, settings.numbers.bankLimit, settings.after),
      m_records(ledger, m_waiting, m_metrics, settings.clock, settings.instance, [&faults] { return faults.failsSave(); }),
      m_parts{m_records,       m_bankDesk,    bank,
              faults,          m_waiting,     settings.numbers,
              settings.clock,  settings.warn, std::move(settings.serverId),
              settings.keys,   m_metrics,     m_replays,
              settings.uptime, settings.after},
      m_front(m_parts),
      m_cards(m_parts),
      m_payments(m_parts),
      m_signUp(m_parts),
      m_status(m_parts),
      m_abandonment(m_parts),
      m_orders(m_parts),
      m_reports(m_parts, settings.uptime),
      m_rateLimit(settings.rateLimit, settings.uptime),
      m_mailBox(m_records, settings.clock),
      m_outbox(m_parts, m_mailBox, settings.outbox),
      m_webhooks(m_parts, std::move(settings.webhookSecret), std::move(settings.instance)),
      m_reconciler(m_parts),
      m_supportDesk(m_parts, settings.support, [this](const std::string& account) { return m_accounts.has(account); }),
      m_supportDeeds(m_parts, settings.support,
                     {[this] { m_reconciler.askNow(); },
                      [this](const idempotency::KeyRecord& record) { m_abandonment.fenceAtBank(record); },
                      [this](const std::string& account) { return m_accounts.has(account); }}),
      m_purger(m_parts, std::move(settings.uptime))
{
}

void Shop::handle(std::shared_ptr<http::Exchange> exchange)
{
    const auto route = routeOf(exchange->request().method, exchange->request().path);
    const auto* const noRoute = std::get_if<NoRoute>(&route);
    exchange = m_watch->watched(std::move(exchange),
                                noRoute == nullptr ? std::optional(std::get<Route>(route).endpoint) : std::nullopt);
    if (noRoute != nullptr)
        return goesNowhere(*exchange, *noRoute);
    const auto& known = std::get<Route>(route);
    if (isPublic(known.endpoint))
        return answerEverybody(*exchange, known);
    const auto incoming = readIncoming(std::move(exchange), known, m_accounts, m_parts.clock(), keyRules());
    m_parts.faults.reach(console::Point::Received, incoming->arrival,
                         m_records.ifStillWanted([this, incoming] { admit(incoming); }));
}

void Shop::passHead(std::shared_ptr<http::Exchange> exchange)
{
    const auto route = routeOf(exchange->request().method, exchange->request().path);
    const auto* const known = std::get_if<Route>(&route);
    if (known == nullptr || isPublic(known->endpoint))
        return exchange->resume();
    const auto incoming = readIncoming(std::move(exchange), *known, m_accounts, m_parts.clock(), keyRules());
    m_parts.faults.reach(console::Point::Head, incoming->arrival, [incoming] { incoming->arrival.exchange->resume(); });
}

http::Response Shop::refusal(const http::Refusal& refusal, const http::Request& head) const
{
    http::Response response = m_parts.keys == protocol::KeyForm::Any ? http::renderProblemOfAnyKey(refusal, head)
                                                                     : http::renderProblem(refusal, head);
    m_watch->refused(head, response);
    return response;
}

void Shop::answerEverybody(http::Exchange& exchange, const Route& route) const
{
    if (route.endpoint == Endpoint::Health)
        return exchange.answer(health());
    if (route.endpoint == Endpoint::OpenApi)
        return exchange.answer(openApiPage());
    if (route.endpoint == Endpoint::Metrics)
        return exchange.answer(metricsPage(m_metricsText ? m_metricsText() : std::string()));
    const QByteArray accept = exchange.request().values("Accept").join(',');
    if (const auto page = problemPage(route.problem, accept))
        return exchange.answer(*page);
    goesNowhere(exchange, {ProblemCode::NotFound, {}});
}

http::Response Shop::health() const
{
    if (const auto why = m_records.whyUnsaved())
        return okResponse(
            protocol::textOf({{"status", "cannot-save"},
                              {"detail", std::string("Payments cannot be saved. The database: ") + wordsOf(*why) + '.'}}));
    return okResponse(m_purger.isClockSuspect() ? R"({"status":"clock-suspect"})" : R"({"status":"ok"})");
}

void Shop::admit(const std::shared_ptr<Incoming>& incoming)
{
    if (incoming->endpoint == Endpoint::BankEvent) // its signature stands for a token
        return m_webhooks.take(incoming);
    if (const auto problem = whyRefused(*incoming))
        return refuseAudited(incoming, *problem);
    listenTo(*incoming);
    dispatch(incoming);
}

// Each attempt tells all presses so far.
void Shop::listenTo(const Incoming& incoming)
{
    if (!incoming.note)
        return;
    m_metrics.heard(incoming.arrival.operation, *incoming.note);
    if (incoming.arrival.actionId.empty())
        return;
    const std::string counted = incoming.arrival.account + '/' + incoming.arrival.actionId;
    if (const int more = m_presses.increase(counted, incoming.note->presses); more > 0)
        m_metrics.pressed(PressSource::Attempt, incoming.note->state, more);
}

std::optional<protocol::Problem> Shop::whyRefused(const Incoming& incoming)
{
    if (incoming.arrival.account.empty())
        return protocol::Problem{ProblemCode::Unauthorized, "A bearer token of this shop is needed.", incoming.echo()};
    if (!mayUse(incoming.scope, incoming.endpoint))
        return protocol::Problem{ProblemCode::Forbidden, "This token is not for this.", incoming.echo()};
    if (!m_rateLimit.admits(incoming.arrival.account)) {
        protocol::Problem tooMany{ProblemCode::RateLimited, "Too many requests of this account in one second.",
                                  incoming.echo()};
        tooMany.retryAfter = std::chrono::seconds(1);
        return tooMany;
    }
    if (incoming.badKey)
        return incoming.badKey;
    if (incoming.badHead)
        return incoming.badHead;
    if (hasBody(incoming.endpoint) && !isJson(incoming.request()))
        return protocol::Problem{ProblemCode::UnsupportedMediaType, "The body must be application/json.", incoming.echo()};
    return {};
}

void Shop::dispatch(const std::shared_ptr<Incoming>& incoming)
{
    switch (incoming->endpoint) {
    case Endpoint::Policy: return m_front.policy(incoming);
    case Endpoint::Cart: return m_front.cart(incoming);
    case Endpoint::ExchangeCard: return m_cards.exchange(incoming);
    case Endpoint::Pay: return m_payments.pay(incoming);
    case Endpoint::SignUp: return m_signUp.signUp(incoming);
    case Endpoint::Status: return m_status.look(incoming);
    case Endpoint::Abandon: return m_abandonment.abandon(incoming);
    case Endpoint::Report: return m_reports.take(incoming);
    case Endpoint::Orders: return m_orders.list(incoming);
    case Endpoint::Order: return m_orders.look(incoming);
    case Endpoint::SupportSearch: return m_supportDesk.search(incoming);
    case Endpoint::SupportLook: return m_supportDesk.look(incoming);
    case Endpoint::SupportAct: return m_supportDeeds.act(incoming);
    case Endpoint::BankEvent:
    case Endpoint::Health:
    case Endpoint::Metrics:
    case Endpoint::OpenApi:
    case Endpoint::Problem: return; // answered before, for everybody
    }
}

// That somebody wanted a deed is written down, but not by whom nobody knows, and not as often as somebody likes.
void Shop::refuseAudited(const std::shared_ptr<Incoming>& incoming, const protocol::Problem& problem)
{
    const bool isAudited = incoming->endpoint == Endpoint::SupportAct && problem.code != ProblemCode::Unauthorized &&
                           problem.code != ProblemCode::RateLimited;
    if (!isAudited)
        return refuse(incoming, problem);
    m_supportDeeds.auditRefusal(*incoming, problem.detail, [this, incoming, problem] { refuse(incoming, problem); });
}

void Shop::refuse(const std::shared_ptr<Incoming>& incoming, const protocol::Problem& problem)
{
    protocol::Problem placed = problem;
    placed.instance = incoming->request().path.toStdString();
    incoming->isRefusedWith(problem.code);
    http::Response response = responseOf(placed);
    if (problem.code == ProblemCode::Unauthorized)
        response.headers.emplaceBack("WWW-Authenticate", "Bearer");
    m_parts.faults.answer(incoming->arrival, response);
}

void Shop::goesNowhere(http::Exchange& exchange, const NoRoute& noRoute) const
{
    protocol::Problem problem{noRoute.code,
                              noRoute.allow.isEmpty() ? "There is nothing here." : "This method is not for this path.",
                              http::actionIdOf(exchange.request(), m_parts.keys)};
    if (!problem.actionId && !noRoute.actionId.isEmpty())
        problem.actionId = idInPath(noRoute.actionId, m_parts.keys);
    problem.instance = exchange.request().path.toStdString();
    http::Response response = responseOf(problem);
    if (!noRoute.allow.isEmpty())
        response.headers.emplaceBack("Allow", noRoute.allow);
    exchange.answer(response);
}

void Shop::lookAtClocks()
{
    m_reconciler.askNow();
    m_purger.run();
}

void Shop::forgetRecord(const std::string& account, const std::string& actionId, std::function<void()> done)
{
    const auto id = values::ActionId::parseAnyForm(actionId);
    if (!id)
        return done();
    m_purger.forget(account, *id, std::move(done));
}

void Shop::forgetWork()
{
    m_records.forgetAll();
    m_bankDesk.forgetAll();
    m_waiting.empty();
    m_replays.forgetAll();
}

} // namespace payonce::shop
