#include "judge/answer_meaning.h"

#include "idempotency/problem.h"
#include "protocol/http_date.h"
#include "protocol/json_member.h"
#include "protocol/strict_json.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace payonce::judge {

namespace {

using console::Said;
using protocol::Json;

/// Told only from a durable record that will never be charged (docs/contract.md, Answers: new-key).
constexpr std::array<std::string_view, 4> kNeverCharged = {"card-declined", "action-abandoned", "action-expired", "cart-taken"};

/// Of these the request may have been worked on, or is to be sent again.
bool settlesNothing(int status)
{
    constexpr std::array kOpen = {408, 409, 425, 429};
    constexpr int kFirstServerError = 500;
    return status >= kFirstServerError || std::find(kOpen.begin(), kOpen.end(), status) != kOpen.end();
}

Said saidIn(int status, const Json& body, const std::string& actionId)
{
    constexpr int kFirstRedirect = 300;
    constexpr int kFirstRefusal = 400;
    if (const auto told = protocol::textMember(body, "action_id"); told && *told != actionId)
        return Said::Nothing;
    const auto code = protocol::textMember(body, "code").value_or(std::string());
    if (std::find(kNeverCharged.begin(), kNeverCharged.end(), code) != kNeverCharged.end())
        return Said::NotCharged;
    if (status >= kFirstRefusal)
        return settlesNothing(status) ? Said::Nothing : Said::Refused;
    if (status >= kFirstRedirect)
        return Said::Nothing;
    const auto state = protocol::textMember(body, "state").value_or(std::string());
    if (state == "succeeded")
        return Said::Charged;
    return state == "failed" || state == "abandoned" ? Said::NotCharged : Said::Nothing;
}

void addPaid(const Json& order, std::vector<std::string>& actions)
{
    auto action = protocol::textMember(order, "action_id");
    if (action && protocol::textMember(order, "status") == "paid")
        actions.push_back(*std::move(action));
}

std::optional<std::chrono::seconds> retryAfterOf(const http::Response& response, values::WallTime now)
{
    for (const auto& [name, value] : response.headers)
        if (name.compare("Retry-After", Qt::CaseInsensitive) == 0)
            if (const auto time = protocol::parseRetryAfter(value.trimmed().toStdString(), now))
                return std::chrono::floor<std::chrono::seconds>(*time);
    return {};
}

} // namespace

AnswerMeaning meaningOf(const http::Response& response, const std::string& actionId, values::WallTime now)
{
    AnswerMeaning meaning;
    meaning.retryAfter = retryAfterOf(response, now);
    const auto body = protocol::parseStrict(response.body.toStdString());
    const Json none;
    const Json& json = body ? *body : none;
    meaning.said = saidIn(response.status, json, actionId);
    addPaid(json, meaning.paidActions);
    if (const auto* orders = protocol::memberOf(json, "orders"); orders != nullptr && orders->is_array())
        for (const Json& order : *orders)
            addPaid(order, meaning.paidActions);
    return meaning;
}

} // namespace payonce::judge
