#include "idempotency/problem.h"

#include "values/check.h"

#include <algorithm>
#include <array>

namespace payonce::idempotency {

namespace {

using Code = ProblemCode;
using Retry = RetryAdvice;

/// docs/contract.md, "Answers".
constexpr std::array kRules{
    ProblemRule{Code::KeyMissing, "key-missing", 400, Retry::Never, "The Idempotency-Key header is missing"},
    ProblemRule{Code::KeyInvalid, "key-invalid", 400, Retry::Never, "The Idempotency-Key header is not valid"},
    ProblemRule{Code::BodyInvalid, "body-invalid", 400, Retry::Never, "The request cannot be read"},
    ProblemRule{Code::MemberInvalid, "body-invalid", 422, Retry::Never, "A member of the body is not valid"},
    ProblemRule{Code::AmountMismatch, "amount-mismatch", 422, Retry::Never, "The amount is not the total of the cart"},
    ProblemRule{Code::KeyReused, "key-reused", 422, Retry::Never, "This key was used for another request"},
    ProblemRule{Code::InProgress, "in-progress", 409, Retry::SameKey, "The first request with this key is still at work"},
    ProblemRule{Code::OutcomeUnknown, "outcome-unknown", 409, Retry::AfterCheck, "The bank is being asked what happened"},
    ProblemRule{Code::CartTaken, "cart-taken", 409, Retry::NewKey, "Another action holds this cart"},
    ProblemRule{Code::ActionAbandoned, "action-abandoned", 410, Retry::NewKey, "This action was abandoned"},
    ProblemRule{Code::ActionExpired, "action-expired", 410, Retry::NewKey, "This action came after its valid_until"},
    ProblemRule{Code::AnswerExpired, "answer-expired", 410, Retry::Never, "What was answered is not kept any longer"},
    ProblemRule{Code::KeyTooOld, "key-too-old", 410, Retry::Never, "This action is older than what the shop keeps"},
    ProblemRule{Code::CardDeclined, "card-declined", 402, Retry::NewKey, "The card was declined"},
    ProblemRule{Code::StoreUnavailable, "store-unavailable", 503, Retry::SameKey, "The shop cannot save anything right now"},
    ProblemRule{Code::RateLimited, "rate-limited", 429, Retry::SameKey, "Too many requests"},
    ProblemRule{Code::Timeout, "timeout", 408, Retry::SameKey, "The request was not complete in time"},
    ProblemRule{Code::ActionUnknown, "action-unknown", 404, Retry::SameKey, "No action with this ID is known"},
    ProblemRule{Code::Unsafe, "unsafe", 409, Retry::Never, "This is not safe as things stand"},
    ProblemRule{Code::Unauthorized, "unauthorized", 401, Retry::Never, "The token is missing or not valid"},
    ProblemRule{Code::Forbidden, "forbidden", 403, Retry::Never, "This token may not do this"},
    ProblemRule{Code::NotFound, "not-found", 404, Retry::Never, "There is nothing here"},
    ProblemRule{Code::MethodNotAllowed, "method-not-allowed", 405, Retry::Never, "This method is not allowed here"},
    ProblemRule{Code::LengthRequired, "length-required", 411, Retry::Never, "A Content-Length is needed"},
    ProblemRule{Code::BodyTooLarge, "body-too-large", 413, Retry::Never, "The body is too large"},
    ProblemRule{Code::UnsupportedMediaType, "unsupported-media-type", 415, Retry::Never, "The body must be application/json"},
    ProblemRule{Code::HeaderTooLarge, "header-too-large", 431, Retry::Never, "The request's head is too large"},
    ProblemRule{Code::NotImplemented, "not-implemented", 501, Retry::Never, "This is not implemented"},
};

} // namespace

const ProblemRule& ruleOf(ProblemCode code)
{
    const auto* const found =
        std::find_if(kRules.begin(), kRules.end(), [code](const ProblemRule& rule) { return rule.code == code; });
    CHECK(found != kRules.end());
    return *found;
}

std::span<const ProblemRule> problemRules()
{
    return kRules;
}

std::string_view nameOf(RetryAdvice advice)
{
    switch (advice) {
    case RetryAdvice::Never: return "never";
    case RetryAdvice::SameKey: return "same-key";
    case RetryAdvice::AfterCheck: return "after-check";
    case RetryAdvice::NewKey: return "new-key";
    }
    return "";
}

} // namespace payonce::idempotency
