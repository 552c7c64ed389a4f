#include "simulation/answers.h"

#include <array>

namespace payonce::simulation {

using idempotency::KeyRecord;
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

WireResult withCode(int status, const KeyRecord& record, const std::string& code)
{
    AnswerBody body = bodyOf(record);
    body.code = code;
    return authentic(status, body);
}

WireResult abandonedAnswer(const KeyRecord& record)
{
    switch (record.reason.value()) {
    case idempotency::AbandonReason::Cancelled: return withCode(410, record, "action-abandoned");
    case idempotency::AbandonReason::Expired: return withCode(410, record, "action-expired");
    case idempotency::AbandonReason::CartTaken: return withCode(409, record, "cart-taken");
    }
    return {};
}

} // namespace

WireResult problem(const values::ActionId& id, int status, const std::string& code,
                   std::optional<std::chrono::milliseconds> retryAfter)
{
    AnswerBody body;
    body.actionId = id;
    body.code = code;
    WireResult result = authentic(status, body);
    result.retryAfter = retryAfter;
    return result;
}

WireResult postAnswer(const KeyRecord& record)
{
    constexpr std::chrono::milliseconds kRetryAfter{1000};
    switch (record.state) {
    case RecordState::InProgress: return problem(record.id, 409, "in-progress", kRetryAfter);
    case RecordState::Unknown: return problem(record.id, 409, "outcome-unknown", kRetryAfter);
    case RecordState::Succeeded: return authentic(201, bodyOf(record));
    case RecordState::Failed: return withCode(402, record, "card-declined");
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
    constexpr std::array<Strange, 10> kStrange = {{{500, "internal", 0},
                                                   {502, "bad-gateway", 0},
                                                   {503, "overloaded", 2},
                                                   {429, "rate-limited", 3},
                                                   {429, "rate-limited", 20},
                                                   {408, "timeout", 0},
                                                   {425, "too-early", 0},
                                                   {401, "unauthorized", 0},
                                                   {413, "body-too-large", 0},
                                                   {302, "", 0}}};
    const auto& one = kStrange.at(draw % kStrange.size());
    std::optional<std::chrono::milliseconds> advice;
    if (one.retryAfterSeconds > 0)
        advice = std::chrono::seconds(one.retryAfterSeconds);
    return problem(id, one.status, one.code, advice);
}

} // namespace payonce::simulation
