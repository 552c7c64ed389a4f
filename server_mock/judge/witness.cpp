#include "judge/witness.h"

#include "machine/machine_clock.h"
#include "protocol/json_member.h"
#include "protocol/strict_json.h"
#include "shop/incoming.h"
#include "values/money.h"

#include <optional>
#include <utility>

namespace payonce::judge {

namespace {

using console::Operation;
using console::Sighting;
using shop::Endpoint;

/// The bank and whoever looks after the server are not the client.
bool isOfTheClient(Endpoint endpoint)
{
    return shop::operationFor(endpoint) && endpoint != Endpoint::BankEvent;
}

bool isAboutPayments(Operation operation)
{
    return operation == Operation::Pay || operation == Operation::Status || operation == Operation::Abandon ||
           operation == Operation::Orders;
}

void readBody(const QByteArray& body, Sighting& sighting)
{
    const auto json = protocol::parseStrict(body.toStdString());
    if (!json)
        return;
    sighting.cartId = protocol::textMember(*json, "cart_id").value_or(std::string());
    sighting.email = protocol::textMember(*json, "email").value_or(std::string());
    const auto* amount = protocol::memberOf(*json, "amount");
    if (amount == nullptr)
        return;
    const auto value = protocol::integerMember(*amount, "value");
    const auto currency = values::Currency::fromCode(protocol::textMember(*amount, "currency").value_or(std::string()));
    if (value && currency)
        sighting.amount = values::toDecimal({*value, *currency}) + ' ' + std::string(currency->code());
}

Sighting sightingOf(const std::shared_ptr<http::Exchange>& exchange, const shop::Route& route, const shop::Accounts& accounts)
{
    // Only what the head says is read here; whether it may is for the shop to decide.
    const auto read = shop::readIncoming(exchange, route, accounts, machine::wallTime(), {protocol::KeyForm::Any, {}});
    Sighting sighting;
    sighting.at = machine::now();
    sighting.connection = exchange->request().connection;
    sighting.operation = read->arrival.operation;
    sighting.account = read->arrival.account;
    sighting.attempt = read->arrival.attempt;
    sighting.key = sighting.actionId = read->arrival.actionId;
    if (sighting.operation == Operation::Pay)
        readBody(exchange->request().body, sighting);
    return sighting;
}

/// Numbered as the newest request. None: there are too many.
std::optional<std::size_t> writtenDown(Book& book, Sighting sighting)
{
    Observations& seen = book.seen;
    seen.isFull = seen.isFull || seen.sightings.size() >= kMostSightings;
    if (seen.isFull)
        return {};
    sighting.number = seen.requests;
    if (book.notes)
        book.notes->arrived(sighting);
    seen.sightings.push_back(std::move(sighting));
    return seen.sightings.size() - 1;
}

/// The ID that took the place of the client's key.
std::string idIn(const http::Request& request)
{
    return request.value("Idempotency-Key").replace('"', "").toStdString();
}

} // namespace

Witness::Witness(const shop::Accounts& accounts, KeyLayer keys, std::function<void()> moved, std::unique_ptr<Notes> notes)
    : m_accounts(accounts), m_keys(keys), m_book(std::make_shared<Book>())
{
    m_book->moved = std::move(moved);
    m_book->notes = std::move(notes);
    if (!m_book->notes)
        return;
    auto& seen = m_book->seen;
    seen.sightings = m_book->notes->past();
    if (!seen.sightings.empty())
        seen.requests = seen.sightings.back().number;
}

const Observations& Witness::look()
{
    noteWhoLeft();
    return m_book->seen;
}

std::shared_ptr<http::Exchange> Witness::watched(std::shared_ptr<http::Exchange> exchange)
{
    const auto route = shop::routeOf(exchange->request().method, exchange->request().path);
    const auto* const known = std::get_if<shop::Route>(&route);
    if (known != nullptr && !isOfTheClient(known->endpoint))
        return exchange;
    noteWhoLeft(); // before this one came
    auto& seen = m_book->seen;
    ++seen.requests;
    std::optional<std::size_t> index;
    std::optional<http::Request> instead;
    const bool isKeyed = known != nullptr && (known->endpoint == Endpoint::Pay || known->endpoint == Endpoint::SignUp);
    if (m_keys == KeyLayer::Off && isKeyed)
        instead = withoutKey(exchange->request(), seen.requests, machine::wallTime());
    if (known != nullptr && isAboutPayments(*shop::operationFor(known->endpoint))) {
        auto sighting = sightingOf(exchange, *known, m_accounts);
        if (instead)
            sighting.actionId = idIn(*instead);
        index = writtenDown(*m_book, std::move(sighting));
    }
    return opened(std::make_shared<WatchedExchange>(std::move(exchange), std::move(instead), index, m_book));
}

std::shared_ptr<http::Exchange> Witness::watchedConnection(std::shared_ptr<http::Exchange> exchange)
{
    const auto begin = [](Book& book) {
        ++book.seen.unread;
        return std::optional<std::size_t>();
    };
    return opened(std::make_shared<WatchedExchange>(std::move(exchange), begin, m_book));
}

std::shared_ptr<http::Exchange> Witness::watchedHead(std::shared_ptr<http::Exchange> exchange)
{
    const auto route = shop::routeOf(exchange->request().method, exchange->request().path);
    const auto* const known = std::get_if<shop::Route>(&route);
    if (known == nullptr || !isOfTheClient(known->endpoint))
        return exchange; // no rule meets these there
    noteWhoLeft();
    std::optional<Sighting> sighting;
    if (isAboutPayments(*shop::operationFor(known->endpoint)))
        sighting = sightingOf(exchange, *known, m_accounts);
    if (sighting)
        sighting->isHeadOnly = true;
    const auto begin = [sighting](Book& book) {
        ++book.seen.requests;
        return sighting ? writtenDown(book, *sighting) : std::optional<std::size_t>();
    };
    return opened(std::make_shared<WatchedExchange>(std::move(exchange), begin, m_book));
}

std::shared_ptr<http::Exchange> Witness::opened(std::shared_ptr<WatchedExchange> watched)
{
    ++m_book->seen.open;
    m_open.push_back(watched);
    m_book->moved();
    return watched;
}

// The shop itself learns of it only when it answers, and a client may come again before that.
void Witness::noteWhoLeft()
{
    const auto open = std::exchange(m_open, {});
    for (const auto& weak : open)
        if (const auto exchange = weak.lock(); exchange && exchange->isAwaited())
            m_open.push_back(weak);
}

} // namespace payonce::judge
