// Problem codes of the contract (RFC 9457) with their HTTP status and what the caller may do next.
#pragma once

#include <span>
#include <string_view>

namespace payonce::idempotency {

enum class ProblemCode {
    KeyMissing,
    KeyInvalid,
    BodyInvalid,   ///< not I-JSON or a bad header: 400
    MemberInvalid, ///< a member missing, of a wrong type or out of range: 422 `body-invalid`
    AmountMismatch,
    KeyReused,
    InProgress,
    OutcomeUnknown,
    CartTaken,
    ActionAbandoned,
    ActionExpired,
    AnswerExpired,
    KeyTooOld,
    CardDeclined,
    StoreUnavailable,
    RateLimited,
    Timeout,
    ActionUnknown,
    Unsafe, ///< a deed of support that would do harm as things stand
    Unauthorized,
    Forbidden,
    NotFound,
    MethodNotAllowed,
    LengthRequired,
    BodyTooLarge,
    UnsupportedMediaType,
    HeaderTooLarge,
    NotImplemented,
};

/// The `retry` member: what the caller may do with this ID next.
enum class RetryAdvice { Never, SameKey, AfterCheck, NewKey };

struct ProblemRule
{
    ProblemCode code;
    std::string_view name; ///< as in `/problems/NAME`
    int status;
    RetryAdvice retry;
    std::string_view title; ///< a short English phrase
};

[[nodiscard]] const ProblemRule& ruleOf(ProblemCode code);
/// Every code once; `body-invalid` is the name of two.
[[nodiscard]] std::span<const ProblemRule> problemRules();
/// `never`, `same-key`, `after-check`, `new-key`.
[[nodiscard]] std::string_view nameOf(RetryAdvice advice);

} // namespace payonce::idempotency
