#include "protocol/payment_request.h"

#include "protocol/canonical_json.h"
#include "protocol/digest.h"
#include "protocol/money_json.h"
#include "protocol/request_reader.h"

#include <utility>

namespace payonce::protocol {

namespace {

std::optional<values::Money> readAmount(RequestReader& body, std::optional<BodyProblem>& problem)
{
    const auto* object = body.object("amount");
    if (object == nullptr)
        return {};
    RequestReader amount(*object, "amount.", problem);
    const auto value = amount.integer("value", {values::kSmallestAmount, values::kLargestAmount});
    const auto code = amount.text("currency", {kLongestName});
    if (!value || !code)
        return {};
    const auto currency = values::Currency::fromCode(*code);
    if (currency)
        return values::Money{*value, *currency};
    amount.refuse("currency", "must be an active code of ISO 4217, in capitals");
    return {};
}

/// Only what every address has, also one that is not ASCII: a receipt that goes astray must not stop a payment.
bool looksLikeEmail(const std::string& text)
{
    const auto at = text.find('@');
    return at != std::string::npos && at > 0 && at + 1 < text.size() && text.find('@', at + 1) == std::string::npos &&
           text.find(' ') == std::string::npos;
}

std::optional<std::string> readEmail(RequestReader& body)
{
    auto email = body.text("email", {kLongestEmailAddress});
    if (!email || looksLikeEmail(*email))
        return email;
    body.refuse("email", "must be an e-mail address");
    return {};
}

std::string withLength(std::string_view part)
{
    return std::to_string(part.size()) + ':' + std::string(part);
}

} // namespace

values::Result<ParsedPayment, BodyProblem> parsePayment(std::string_view body)
{
    const auto json = parseBody(body);
    if (!json)
        return values::Failure(json.error());
    std::optional<BodyProblem> problem;
    RequestReader reader(*json, "", problem);
    auto cartId = reader.text("cart_id", {kLongestName});
    const auto amount = readAmount(reader, problem);
    auto paymentMethod = reader.text("payment_method", {kLongestName});
    auto email = readEmail(reader);
    const auto validUntil = reader.time("valid_until");
    if (!cartId || !amount || !paymentMethod || !email || !validUntil)
        return values::Failure(problem.value());
    return ParsedPayment{{std::move(*cartId), *amount, std::move(*paymentMethod), std::move(*email), *validUntil},
                         canonicalJson(*json)};
}

retry::PreparedRequest buildPayment(const retry::Purchase& purchase, const retry::CardToken& card, values::WallTime validUntil)
{
    OrderedJson body;
    body["cart_id"] = purchase.cartId;
    body["amount"] = moneyJson(purchase.amount);
    body["payment_method"] = card.paymentMethod;
    body["email"] = purchase.email;
    body["valid_until"] = values::toRfc3339(validUntil);
    return prepared(card, textOf(body));
}

retry::PreparedRequest prepared(const retry::CardToken& card, std::string body)
{
    auto fingerprint = sha256Hex(body);
    return {card, std::move(body), std::move(fingerprint)};
}

bool isIntact(const retry::PreparedRequest& request)
{
    return sha256Hex(request.body) == request.fingerprint;
}

idempotency::Fingerprint fingerprintOf(std::string_view policyId, std::string_view kind, std::string_view route,
                                       std::string_view canonicalBody)
{
    return {sha256(withLength(policyId) + withLength(kind) + withLength(route) + withLength(canonicalBody))};
}

} // namespace payonce::protocol
