#include "simulation/answers.h"

#include <array>

namespace payonce::simulation {

using idempotency::KeyRecord;
using idempotency::ProblemCode;
using retry::AnswerBody;
using retry::WireResult;
using values::RecordState;

namespace {

WireResult authentic(int status, AnswerBody body)
{
    WireResult result;
    result.status = status;
    result.complete = true;
    result.digestMatches = true;
    result.body = std::move(body);
    return result;
}

AnswerBody bodyOf(const KeyRecord& record)
{
    AnswerBody body;
    body.actionId = record.id;
    body.state = record.state;
    if (record.state == RecordState::Succeeded) {
        body.amount = record.terms->amount;
        body.orderNumber = record.orderNumber;
        body.chargeId = record.chargeId;
    }
    body.declineCode = record.declineCode;
    body.heldBy = record.heldBy;
    if (record.reason)
        body.reason = nameOf(*record.reason);
    return body;
}

retry::RetryAdvice adviceOf(idempotency::RetryAdvice advice)
{
    switch (advice) {
    case idempotency::RetryAdvice::Never: return retry::RetryAdvice::Never;
    case idempotency::RetryAdvice::SameKey: return retry::RetryAdvice::SameKey;
    case idempotency::RetryAdvice::AfterCheck: return retry::RetryAdvice::AfterCheck;
    case idempotency::RetryAdvice::NewKey: return retry::RetryAdvice::NewKey;
    }
    return retry::RetryAdvice::None;
}

WireResult withCode(AnswerBody body, ProblemCode code)
{
    const auto& rule = idempotency::ruleOf(code);
    body.code = rule.name;
    body.retry = adviceOf(rule.retry);
    return authentic(rule.status, std::move(body));
}

WireResult abandonedAnswer(const KeyRecord& record)
{
    switch (record.reason.value()) {
    case idempotency::AbandonReason::Cancelled: return withCode(bodyOf(record), ProblemCode::ActionAbandoned);
    case idempotency::AbandonReason::Expired: return withCode(bodyOf(record), ProblemCode::ActionExpired);
    case idempotency::AbandonReason::CartTaken: return withCode(bodyOf(record), ProblemCode::CartTaken);
    }
    return {};
}

} // namespace

WireResult problem(const values::ActionId& id, ProblemCode code, std::optional<std::chrono::milliseconds> retryAfter)
{
    AnswerBody body;
    body.actionId = id;
    WireResult result = withCode(std::move(body), code);
    result.retryAfter = retryAfter;
    return result;
}

WireResult postAnswer(const KeyRecord& record)
{
    constexpr std::chrono::milliseconds kRetryAfter{1000};
    switch (record.state) {
    case RecordState::InProgress: return problem(record.id, ProblemCode::InProgress, kRetryAfter);
    case RecordState::Unknown: return problem(record.id, ProblemCode::OutcomeUnknown, kRetryAfter);
    case RecordState::Succeeded: return authentic(201, bodyOf(record));
    case RecordState::Failed: return withCode(bodyOf(record), ProblemCode::CardDeclined);
    case RecordState::Abandoned: return abandonedAnswer(record);
    }
    return {};
}

WireResult probeAnswer(const KeyRecord& record)
{
    return authentic(200, bodyOf(record));
}

WireResult strangeAnswer(const values::ActionId& id, std::uint64_t draw)
{
    struct Strange
    {
        int status;
        const char* code;
        int retryAfterSeconds;
    };
    constexpr std::array<Strange, 14> kStrange = {{{500, "internal", 0},
                                                   {502, "bad-gateway", 0},
                                                   {503, "overloaded", 2},
                                                   {429, "rate-limited", 3},
                                                   {429, "rate-limited", 20},
                                                   {408, "timeout", 0},
                                                   {425, "too-early", 0},
                                                   {401, "unauthorized", 0},
                                                   {403, "forbidden", 0},
                                                   {400, "body-invalid", 0},
                                                   {413, "body-too-large", 0},
                                                   {422, "body-invalid", 0},
                                                   {501, "not-implemented", 0},
                                                   {302, "", 0}}};
    constexpr std::array kAdvice = {retry::RetryAdvice::None, retry::RetryAdvice::Never, retry::RetryAdvice::SameKey,
                                    retry::RetryAdvice::AfterCheck, retry::RetryAdvice::NewKey};
    const auto& one = kStrange.at(draw % kStrange.size());
    AnswerBody body;
    body.actionId = id;
    body.code = one.code;
    body.retry = kAdvice.at(draw / kStrange.size() % kAdvice.size());
    WireResult result = authentic(one.status, std::move(body));
    if (one.retryAfterSeconds > 0)
        result.retryAfter = std::chrono::seconds(one.retryAfterSeconds);
    return result;
}

} // namespace payonce::simulation
