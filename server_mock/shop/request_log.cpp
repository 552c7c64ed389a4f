#include "shop/request_log.h"

#include "http/listener.h"
#include "protocol/answer.h"
#include "protocol/fields.h"
#include "shop/incoming.h"

#include <utility>

namespace payonce::shop {

namespace {

using Clock = std::chrono::steady_clock;

class WatchedExchange final : public http::Exchange
{
public:
    WatchedExchange(std::shared_ptr<http::Exchange> inner, std::optional<Endpoint> endpoint,
                    std::weak_ptr<const RequestWatch> watch)
        : m_inner(std::move(inner)), m_endpoint(endpoint), m_watch(std::move(watch))
    {
    }
    WatchedExchange(const WatchedExchange&) = delete;
    WatchedExchange& operator=(const WatchedExchange&) = delete;
    WatchedExchange(WatchedExchange&&) = delete;
    WatchedExchange& operator=(WatchedExchange&&) = delete;
    // Nobody answers any more: the client is gone, or the work was dropped and the connection ends now.
    ~WatchedExchange() override { tell(m_inner->isOpen() ? Leaving::Closed : Leaving::Left, nullptr); }

    [[nodiscard]] const http::Request& request() const override { return m_inner->request(); }
    [[nodiscard]] bool isOpen() const override { return m_inner->isOpen(); }
    void answer(const http::Response& response, const std::optional<http::ByteFault>& fault) override
    {
        const bool isCut = fault && fault->kind != http::ByteFault::Kind::None;
        const Leaving leaving = !m_inner->isOpen() ? Leaving::Left : isCut ? Leaving::Cut : Leaving::Whole;
        m_inner->answer(response, fault);
        tell(leaving, &response);
    }
    void end(http::End end) override
    {
        m_inner->end(end);
        tell(Leaving::Closed, nullptr);
    }
    void silence() override
    {
        m_inner->silence();
        tell(Leaving::Silent, nullptr);
    }
    void halfClose() override
    {
        m_inner->halfClose();
        tell(Leaving::Closed, nullptr);
    }
    void sendRaw(const QByteArray& bytes) override
    {
        m_inner->sendRaw(bytes);
        tell(Leaving::Cut, nullptr);
    }
    void resume() override { m_inner->resume(); }

private:
    void tell(Leaving leaving, const http::Response* response)
    {
        if (std::exchange(m_isTold, true))
            return;
        if (const auto watch = m_watch.lock())
            watch->ended(m_inner->request(), {m_endpoint, response == nullptr ? 0 : response->status, Clock::now() - m_since},
                         leaving, response);
    }

    std::shared_ptr<http::Exchange> m_inner;
    std::optional<Endpoint> m_endpoint;
    std::weak_ptr<const RequestWatch> m_watch;
    Clock::time_point m_since = Clock::now();
    bool m_isTold = false;
};

QByteArray lineOf(const http::Response& response, QByteArrayView name)
{
    for (const auto& [line, value] : response.headers)
        if (name.compare(line, Qt::CaseInsensitive) == 0)
            return value;
    return {};
}

// Read again, so that only what is well-formed reaches the log.
std::string attemptOf(const http::Request& request)
{
    const auto note = noteOf(request);
    return note ? std::to_string(note->number) : std::string();
}

// Only a UUIDv7 is named: with `--keys any` a key may be a text, and a text may be anything, an e-mail too.
std::optional<values::ActionId> actionOf(const http::Request& request)
{
    const auto route = routeOf(request.method, request.path);
    if (const auto* known = std::get_if<Route>(&route); known != nullptr && !known->actionId.isEmpty())
        return values::ActionId::parse(known->actionId.toStdString());
    return http::actionIdOf(request, protocol::KeyForm::UuidV7);
}

// Our own rendering: `"code":"` comes once, in the head of the problem.
std::string codeOf(const http::Response& response)
{
    constexpr QByteArrayView kMember = R"("code":")";
    const qsizetype at = response.contentType == protocol::kProblemType ? response.body.indexOf(kMember) : -1;
    if (at < 0)
        return {};
    const qsizetype start = at + kMember.size();
    return response.body.mid(start, response.body.indexOf('"', start) - start).toStdString();
}

} // namespace

std::string_view nameOf(std::optional<Endpoint> endpoint)
{
    if (!endpoint)
        return "none";
    if (*endpoint == Endpoint::Order)
        return "order"; // the operation `orders` is both
    if (const auto operation = operationFor(*endpoint))
        return console::nameOf(*operation);
    if (*endpoint == Endpoint::Metrics)
        return "metrics";
    if (*endpoint == Endpoint::OpenApi)
        return "openapi";
    return *endpoint == Endpoint::Problem ? "problem" : "healthz";
}

std::string_view nameOf(Leaving leaving)
{
    switch (leaving) {
    case Leaving::Whole: return "whole";
    case Leaving::Cut: return "cut";
    case Leaving::Left: return "left";
    case Leaving::Closed: return "closed";
    case Leaving::Silent: return "silent";
    }
    return {};
}

std::shared_ptr<http::Exchange> RequestWatch::watched(std::shared_ptr<http::Exchange> exchange,
                                                      std::optional<Endpoint> endpoint) const
{
    return std::make_shared<WatchedExchange>(std::move(exchange), endpoint, weak_from_this());
}

void RequestWatch::refused(const http::Request& head, const http::Response& response) const
{
    ended(head, {{}, response.status}, Leaving::Whole, &response);
}

void RequestWatch::ended(const http::Request& request, const RequestFacts& facts, Leaving leaving,
                         const http::Response* response) const
{
    m_metrics.ended(facts);
    if (!m_log)
        return;
    RequestEnd end{.operation = nameOf(facts.endpoint),
                   .attempt = attemptOf(request),
                   .status = facts.status,
                   .leaving = leaving,
                   .connection = request.connection,
                   .request = request.number};
    if (facts.took)
        end.took = std::chrono::duration_cast<std::chrono::microseconds>(*facts.took);
    if (const auto id = actionOf(request))
        end.actionId = id->toString();
    if (response != nullptr) {
        end.code = codeOf(*response);
        end.isReplay = !lineOf(*response, "Idempotent-Replayed").isEmpty();
    }
    m_log(end);
}

} // namespace payonce::shop
