#include "retry/outcome.h"

#include <utility>

namespace payonce::retry {

namespace {

using values::RecordState;

Outcome outcomeOf(OutcomeKind kind)
{
    Outcome outcome;
    outcome.kind = kind;
    return outcome;
}

Outcome finalOutcome(State state, Cause cause, const AnswerBody& body)
{
    Outcome outcome = outcomeOf(OutcomeKind::Final);
    outcome.answer = FinalAnswer{state, cause, body.orderNumber, body.chargeId, body.declineCode, body.amount, {}, body.json};
    return outcome;
}

/// What an answer says about the amount. A dropped answer (`answer-expired`, a probe without `result`) says nothing.
enum class AmountRule { Needed, IfPresent };

Outcome paid(const AnswerBody& body, const std::optional<values::Money>& amount, AmountRule rule)
{
    if (amount && body.amount && *body.amount != *amount)
        return outcomeOf(OutcomeKind::ContraryAnswer);
    if (amount && !body.amount && rule == AmountRule::Needed)
        return outcomeOf(OutcomeKind::Unknown);
    return finalOutcome(State::Paid, Cause::None, body);
}

Outcome abandoned(const AnswerBody& body)
{
    if (body.reason == "cart-taken")
        return outcomeOf(OutcomeKind::CartTaken);
    return finalOutcome(State::Cancelled, body.reason == "expired" ? Cause::Expired : Cause::Closed, body);
}

/// By the record's state: a probe's 200, a 202, and `answer-expired`.
Outcome byState(const AnswerBody& body, const std::optional<values::Money>& amount)
{
    if (!body.state)
        return outcomeOf(OutcomeKind::Unknown);
    switch (*body.state) {
    case RecordState::InProgress: return outcomeOf(OutcomeKind::Working);
    case RecordState::Unknown: return outcomeOf(OutcomeKind::BeingChecked);
    case RecordState::Succeeded: return paid(body, amount, AmountRule::IfPresent);
    case RecordState::Failed: return finalOutcome(State::Declined, Cause::None, body);
    case RecordState::Abandoned: return abandoned(body);
    }
    return outcomeOf(OutcomeKind::Unknown);
}

/// 201, and 200 as its older relative: Paid needs the state and the amount (invariant 4).
Outcome byPaidAnswer(const AnswerBody& body, const std::optional<values::Money>& amount)
{
    if (body.state != RecordState::Succeeded)
        return outcomeOf(OutcomeKind::Unknown);
    return paid(body, amount, AmountRule::Needed);
}

Outcome by402(const AnswerBody& body)
{
    if (body.code != "card-declined")
        return outcomeOf(OutcomeKind::Refused);
    if (body.state && *body.state != RecordState::Failed)
        return outcomeOf(OutcomeKind::Unknown); // it contradicts itself
    return finalOutcome(State::Declined, Cause::None, body);
}

Outcome by409(const AnswerBody& body)
{
    if (body.code == "in-progress")
        return outcomeOf(OutcomeKind::Working);
    if (body.code == "outcome-unknown")
        return outcomeOf(OutcomeKind::BeingChecked);
    if (body.code == "cart-taken")
        return outcomeOf(OutcomeKind::CartTaken);
    return outcomeOf(OutcomeKind::Refused);
}

Outcome by410(const AnswerBody& body, const std::optional<values::Money>& amount)
{
    if (body.code == "action-expired")
        return finalOutcome(State::Cancelled, Cause::Expired, body);
    if (body.code == "action-abandoned")
        return abandoned(body);
    if (body.code == "answer-expired") {
        // The record is terminal; a state that is not one says nothing.
        const Outcome outcome = byState(body, amount);
        return outcome.kind == OutcomeKind::Working || outcome.kind == OutcomeKind::BeingChecked
                   ? outcomeOf(OutcomeKind::Unknown)
                   : outcome;
    }
    if (body.code == "key-too-old")
        return outcomeOf(OutcomeKind::TooOld); // never Cancelled
    return outcomeOf(OutcomeKind::Refused);
}

/// Every 4xx that has no row of its own: a refusal that is not remembered (invariant 7).
Outcome byClientError(int status, const AnswerBody& body, const std::optional<values::Money>& amount)
{
    switch (status) {
    case 401:
    case 403: return outcomeOf(OutcomeKind::SignInNeeded);
    case 402: return by402(body);
    case 404: return outcomeOf(body.code == "action-unknown" ? OutcomeKind::NotFound : OutcomeKind::Refused);
    case 408:
    case 421:
    case 425: return outcomeOf(OutcomeKind::TryAgain);
    case 409: return by409(body);
    case 410: return by410(body, amount);
    case 422: return outcomeOf(body.code == "key-reused" ? OutcomeKind::KeyReused : OutcomeKind::Refused);
    case 429: return outcomeOf(OutcomeKind::Wait);
    default: return outcomeOf(OutcomeKind::Refused);
    }
}

/// 501 and 505 are refusals of the request's form; `store-unavailable` never ran anything; every other 5xx may have.
Outcome byServerError(int status, const AnswerBody& body)
{
    if (status == 503 && body.code == "store-unavailable")
        return outcomeOf(OutcomeKind::Wait);
    return outcomeOf(status == 501 || status == 505 ? OutcomeKind::Refused : OutcomeKind::Unknown);
}

Outcome postOutcome(int status, const AnswerBody& body, const std::optional<values::Money>& amount)
{
    if (status == 200 || status == 201)
        return byPaidAnswer(body, amount);
    if (status == 202)
        return body.state == RecordState::InProgress || body.state == RecordState::Unknown ? byState(body, amount)
                                                                                           : outcomeOf(OutcomeKind::Unknown);
    if (status >= 400 && status <= 499)
        return byClientError(status, body, amount);
    if (status >= 500 && status <= 599)
        return byServerError(status, body);
    return outcomeOf(OutcomeKind::Unknown);
}

/// The `retry` member of an authentic problem overrides the table, but never turns *unknown* into a refusal.
OutcomeKind advised(OutcomeKind kind, RetryAdvice advice)
{
    const bool open = kind == OutcomeKind::Refused || kind == OutcomeKind::Unknown;
    if (open && advice == RetryAdvice::SameKey)
        return OutcomeKind::Wait;
    if (open && advice == RetryAdvice::AfterCheck)
        return OutcomeKind::BeingChecked;
    if (kind == OutcomeKind::TryAgain && advice == RetryAdvice::Never)
        return OutcomeKind::Refused;
    return kind;
}

/// A probe reads only: a refusal of the probe says nothing about the payment, so it is no more than a failed probe.
Outcome probeOutcome(int status, const AnswerBody& body, const std::optional<values::Money>& amount)
{
    if (status == 200)
        return byState(body, amount);
    Outcome outcome = postOutcome(status, body, amount);
    switch (outcome.kind) {
    case OutcomeKind::Final: return status == 410 ? outcome : outcomeOf(OutcomeKind::Unknown);
    case OutcomeKind::ContraryAnswer:
    case OutcomeKind::NotFound:
    case OutcomeKind::Wait:
    case OutcomeKind::SignInNeeded:
    case OutcomeKind::TooOld:
    case OutcomeKind::CartTaken: return outcome;
    case OutcomeKind::Discrepancy:
    case OutcomeKind::NotSent:
    case OutcomeKind::Working:
    case OutcomeKind::BeingChecked:
    case OutcomeKind::TryAgain:
    case OutcomeKind::Refused:
    case OutcomeKind::KeyReused:
    case OutcomeKind::Unknown: break;
    }
    return outcomeOf(OutcomeKind::Unknown);
}

Outcome withAdvice(Outcome outcome, const WireResult& result)
{
    outcome.delay = result.retryAfter;
    outcome.detail = result.body->detail;
    outcome.heldBy = result.body->heldBy;
    if (result.body->discrepancy)
        outcome.kind = OutcomeKind::Discrepancy;
    return outcome;
}

} // namespace

bool isAuthentic(const WireResult& result, const values::ActionId& id)
{
    return result.error == TransportError::None && result.status && result.complete && result.digestMatches &&
           !result.encoded && result.body && result.body->actionId == id;
}

Outcome classifyPost(const WireResult& result, const values::ActionId& id, const std::optional<values::Money>& amount)
{
    if (isAuthentic(result, id)) {
        Outcome outcome = postOutcome(*result.status, *result.body, amount);
        outcome.kind = advised(outcome.kind, result.body->retry);
        return withAdvice(std::move(outcome), result);
    }
    return outcomeOf(result.bytesTaken == 0 ? OutcomeKind::NotSent : OutcomeKind::Unknown);
}

Outcome classifyProbe(const WireResult& result, const values::ActionId& id, const std::optional<values::Money>& amount)
{
    if (isAuthentic(result, id))
        return withAdvice(probeOutcome(*result.status, *result.body, amount), result);
    return outcomeOf(OutcomeKind::Unknown);
}

Cause causeOf(OutcomeKind kind)
{
    switch (kind) {
    case OutcomeKind::SignInNeeded: return Cause::SignInNeeded;
    case OutcomeKind::KeyReused: return Cause::KeyReused;
    case OutcomeKind::CartTaken: return Cause::CartTaken;
    case OutcomeKind::ContraryAnswer: return Cause::WrongAmount;
    case OutcomeKind::Discrepancy: return Cause::Discrepancy;
    case OutcomeKind::TooOld: return Cause::TooOld;
    case OutcomeKind::NotSent:
    case OutcomeKind::Final:
    case OutcomeKind::Working:
    case OutcomeKind::BeingChecked:
    case OutcomeKind::NotFound:
    case OutcomeKind::Wait:
    case OutcomeKind::TryAgain:
    case OutcomeKind::Refused:
    case OutcomeKind::Unknown: break;
    }
    return Cause::Refused;
}

bool isContradiction(OutcomeKind kind)
{
    return kind == OutcomeKind::KeyReused || kind == OutcomeKind::TooOld || kind == OutcomeKind::Discrepancy ||
           kind == OutcomeKind::ContraryAnswer;
}

bool forbidsPosts(Cause cause)
{
    return cause == Cause::CartTaken || cause == Cause::OtherServer || cause == Cause::OtherOwner;
}

} // namespace payonce::retry
