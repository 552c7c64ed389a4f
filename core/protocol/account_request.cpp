#include "protocol/account_request.h"

#include "protocol/canonical_json.h"
#include "protocol/email_address.h"
#include "protocol/request_reader.h"
#include "protocol/utf8.h"

#include <utility>

namespace payonce::protocol {

namespace {

constexpr int kCreated = 201;

std::optional<std::string> readEmail(RequestReader& body)
{
    auto email = body.text("email", {kLongestEmailAddress});
    if (!email || isEmailAddress(*email))
        return email;
    body.refuse("email", "must be an e-mail address");
    return {};
}

std::optional<std::string> readName(RequestReader& body)
{
    auto name = body.text("name", {kLongestPersonName * kLongestCodePoint});
    if (!name)
        return {};
    if (codePointsIn(*name) > kLongestPersonName)
        body.refuse("name", "must be 1 to " + std::to_string(kLongestPersonName) + " characters long");
    else if (name->find_first_not_of(' ') == std::string::npos)
        body.refuse("name", "is blank");
    else
        return name;
    return {};
}

} // namespace

values::Result<ParsedSignUp, BodyProblem> parseSignUp(std::string_view body)
{
    const auto json = parseBody(body);
    if (!json)
        return values::Failure(json.error());
    std::optional<BodyProblem> problem;
    RequestReader reader(*json, "", problem);
    auto email = readEmail(reader);
    auto name = readName(reader);
    const auto validUntil = reader.time("valid_until");
    if (!email || !name || !validUntil)
        return values::Failure(problem.value());
    return ParsedSignUp{*std::move(email), *std::move(name), *validUntil, canonicalJson(*json)};
}

idempotency::StoredAnswer renderSignedUp(const values::ActionId& action, const std::string& accountId, const std::string& email)
{
    const OrderedJson account = {{"id", accountId}, {"email", email}};
    return {kCreated, textOf({{"action_id", action.toString()}, {"state", "succeeded"}, {"account", account}})};
}

idempotency::StoredAnswer renderAlreadyRegistered(const values::ActionId& action)
{
    return {kCreated, textOf({{"action_id", action.toString()}, {"state", "succeeded"}, {"existing", true}})};
}

} // namespace payonce::protocol
