#include "protocol/bank_event_json.h"

#include "protocol/money_json.h"
#include "protocol/payment_request.h"
#include "protocol/request_reader.h"

#include <limits>
#include <utility>

namespace payonce::protocol {

namespace {

using idempotency::BankEvent;
using idempotency::BankRow;
using idempotency::BankState;

std::optional<BankState> readType(RequestReader& body)
{
    const auto type = body.text("type", {kLongestName});
    if (!type)
        return {};
    const auto state = idempotency::stateOfTransition(*type);
    if (!state)
        body.refuse("type", "must be charge.succeeded or charge.declined");
    return state;
}

std::optional<values::BankKey> readBankKey(RequestReader& data)
{
    const auto text = data.text("bank_key", {kLongestName});
    if (!text)
        return {};
    auto key = values::BankKey::parse(*text);
    if (!key)
        data.refuse("bank_key", "must be a version 7 UUID (RFC 9562)");
    return key;
}

std::optional<values::Money> readAmount(RequestReader& data, const Json& json)
{
    auto amount = moneyMember(json, "amount");
    if (!amount)
        data.refuse("amount", "must be an amount in minor units with its currency");
    return amount;
}

} // namespace

std::string renderBankEvent(const BankEvent& event)
{
    OrderedJson data = {{"bank_key", event.bankKey.toString()}};
    if (event.row.state == BankState::Approved)
        data["charge_id"] = event.row.chargeId;
    else
        data["decline_code"] = event.row.declineCode;
    data["sequence"] = event.sequence;
    data["amount"] = moneyJson(event.amount);
    return textOf({{"type", idempotency::transitionOf(event)}, {"timestamp", values::toRfc3339(event.at)}, {"data", data}});
}

values::Result<BankEvent, BodyProblem> parseBankEvent(std::string_view id, std::string_view body)
{
    const auto json = parseBody(body);
    if (!json)
        return values::Failure(json.error());
    std::optional<BodyProblem> problem;
    RequestReader reader(*json, "", problem);
    const auto state = readType(reader);
    const auto at = reader.time("timestamp");
    const auto* object = reader.object("data");
    if (!state || !at || object == nullptr)
        return values::Failure(problem.value());
    RequestReader data(*object, "data.", problem);
    const auto key = readBankKey(data);
    const bool isApproved = *state == BankState::Approved;
    auto name = data.text(isApproved ? "charge_id" : "decline_code", {kLongestName});
    const auto sequence = data.integer("sequence", {1, std::numeric_limits<std::int32_t>::max()});
    const auto amount = readAmount(data, *object);
    if (!key || !name || !sequence || !amount)
        return values::Failure(problem.value());
    BankRow row{*state, {}, {}};
    (isApproved ? row.chargeId : row.declineCode) = *std::move(name);
    return BankEvent{std::string(id), *key, std::move(row), *sequence, *amount, *at};
}

} // namespace payonce::protocol
