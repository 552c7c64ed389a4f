#include "core/retry/wire_results.h"

namespace payonce::retry_tests {

using retry::AnswerBody;
using retry::EndReason;
using retry::TransportError;
using retry::WireResult;
using values::ActionId;
using values::RecordState;

namespace {

constexpr std::int64_t kBodySize = 312;

AnswerBody succeeded()
{
    AnswerBody body;
    body.state = RecordState::Succeeded;
    body.amount = anAmount();
    body.orderNumber = "1001";
    body.chargeId = "ch_1";
    return body;
}

} // namespace

ActionId anId()
{
    return ActionId::parse("0198c0de-7a11-7c3e-9f00-6b1f0a2c4d5e").value();
}

ActionId anotherId()
{
    return ActionId::parse("0198c0de-7a11-7c3e-9f00-6b1f0a2c4d5f").value();
}

values::Money anAmount()
{
    return values::Money{4200, values::Currency::fromCode("EUR").value()};
}

WireResult notSent(TransportError error)
{
    WireResult result;
    result.error = error;
    return result;
}

WireResult lost(TransportError error)
{
    WireResult result = notSent(error);
    result.bytesTaken = kBodySize;
    return result;
}

WireResult aborted(EndReason reason)
{
    WireResult result = lost(TransportError::Cancelled);
    result.reason = reason;
    return result;
}

WireResult answer(int status, const AnswerBody& body)
{
    WireResult result;
    result.bytesTaken = kBodySize;
    result.status = status;
    result.complete = true;
    result.digestMatches = true;
    result.body = body;
    result.body->actionId = anId();
    return result;
}

WireResult problem(int status, const std::string& code)
{
    AnswerBody body;
    body.code = code;
    return answer(status, body);
}

WireResult paid()
{
    return answer(201, succeeded());
}

WireResult declined()
{
    AnswerBody body;
    body.code = "card-declined";
    body.state = RecordState::Failed;
    body.declineCode = "insufficient_funds";
    return answer(402, body);
}

WireResult found(RecordState state)
{
    AnswerBody body;
    if (state == RecordState::Succeeded)
        body = succeeded();
    body.state = state;
    return answer(200, body);
}

WireResult notFound()
{
    return problem(404, "action-unknown");
}

WireResult withRetryAfter(WireResult result, std::chrono::milliseconds delay)
{
    result.retryAfter = delay;
    return result;
}

} // namespace payonce::retry_tests
