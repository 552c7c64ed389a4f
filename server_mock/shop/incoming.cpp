#include "shop/incoming.h"

#include "http/listener.h"

#include <string>
#include <utility>
#include <vector>

namespace payonce::shop {

namespace {

using idempotency::ProblemCode;
using protocol::KeyError;
using protocol::KeyErrorKind;

values::Result<values::ActionId, KeyError> keyOf(const http::Request& request, values::WallTime now, const KeyRules& keys)
{
    std::vector<std::string> lines;
    for (const QByteArray& line : request.values("Idempotency-Key"))
        lines.push_back(line.toStdString());
    return protocol::parseKey(lines, now, keys.aheadMost, keys.form);
}

void readKey(Incoming& incoming, values::WallTime now, const KeyRules& keys)
{
    const auto key = keyOf(incoming.request(), now, keys);
    if (key) {
        incoming.action = *key;
        return;
    }
    incoming.action = key.error().id;
    const bool isMissing = key.error().kind == KeyErrorKind::Missing;
    incoming.badKey =
        protocol::Problem{isMissing ? ProblemCode::KeyMissing : ProblemCode::KeyInvalid, key.error().detail, incoming.action};
}

void readPath(Incoming& incoming, const QByteArray& actionId, protocol::KeyForm form)
{
    const bool takesAny = form == protocol::KeyForm::Any;
    const auto named = idInPath(actionId, form);
    (incoming.endpoint == Endpoint::SupportAct ? incoming.target : incoming.action) = named;
    if (!named)
        incoming.badKey = protocol::Problem{ProblemCode::KeyInvalid,
                                            takesAny ? "The action in the path must be 1 to 255 characters of %x20-7E, "
                                                       "percent-encoded (RFC 3986)."
                                                     : "The action in the path must be a version 7 UUID (RFC 9562)."};
}

void readAttempt(Incoming& incoming)
{
    if (incoming.request().values("Action-Attempt").isEmpty())
        return;
    incoming.note = noteOf(incoming.request());
    if (incoming.note)
        incoming.arrival.attempt = std::to_string(incoming.note->number);
    else
        incoming.badHead =
            protocol::Problem{ProblemCode::BodyInvalid,
                              "Action-Attempt must be one line with an integer from 1 to 1000000 (RFC 9651); its "
                              "prev and state are tokens of at most 64 characters, its presses an integer.",
                              incoming.action};
}

} // namespace

std::shared_ptr<Incoming> readIncoming(std::shared_ptr<http::Exchange> exchange, const Route& route, const Accounts& accounts,
                                       values::WallTime now, const KeyRules& keys)
{
    auto incoming = std::make_shared<Incoming>();
    incoming->endpoint = route.endpoint;
    incoming->arrival.exchange = std::move(exchange);
    if (const auto operation = operationFor(route.endpoint))
        incoming->arrival.operation = *operation;
    if (isKeyed(route.endpoint))
        readKey(*incoming, now, keys);
    else if (route.actionId.isEmpty())
        incoming->unused = http::actionIdOf(incoming->request(), keys.form);
    if (!route.actionId.isEmpty())
        readPath(*incoming, route.actionId, keys.form);
    incoming->orderId = route.orderId.toStdString();
    incoming->deed = route.deed;
    if (incoming->action)
        incoming->arrival.actionId = incoming->action->toString();
    readAttempt(*incoming);
    incoming->wait = protocol::parseWait(incoming->request().values("Prefer").join(", ").toStdString());
    if (const auto holder = accounts.holderOf(incoming->request().value("Authorization"))) {
        incoming->arrival.account = holder->account;
        incoming->scope = holder->scope;
    }
    return incoming;
}

std::optional<values::ActionId> idInPath(const QByteArray& text, protocol::KeyForm form)
{
    const std::string id = QByteArray::fromPercentEncoding(text).toStdString();
    return form == protocol::KeyForm::Any ? values::ActionId::parseAnyForm(id) : values::ActionId::parse(id);
}

std::optional<retry::AttemptNote> noteOf(const http::Request& request)
{
    const QList<QByteArray> lines = request.values("Action-Attempt");
    return lines.size() == 1 ? protocol::parseAttempt(lines.first().toStdString()) : std::nullopt;
}

} // namespace payonce::shop
