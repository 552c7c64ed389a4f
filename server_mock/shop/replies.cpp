#include "shop/replies.h"

#include "protocol/fields.h"

namespace payonce::shop {

namespace {

std::chrono::seconds wholeSeconds(std::chrono::milliseconds time)
{
    return std::chrono::ceil<std::chrono::seconds>(time);
}

} // namespace

http::Response responseOf(const protocol::Answer& answer, const std::optional<values::ActionId>& echo)
{
    http::Response response;
    response.status = answer.status;
    response.contentType = QByteArray::fromStdString(answer.contentType);
    response.body = QByteArray::fromStdString(answer.body);
    if (echo)
        response.headers.emplaceBack("Action-Id", QByteArray::fromStdString(protocol::quoted(*echo)));
    if (answer.retryAfter)
        response.headers.emplaceBack("Retry-After", QByteArray::number(static_cast<qlonglong>(answer.retryAfter->count())));
    return response;
}

http::Response responseOf(const protocol::Problem& problem)
{
    return responseOf(protocol::answerOf(problem), problem.actionId);
}

http::Response postResponse(const idempotency::KeyRecord& record, Telling telling, std::chrono::milliseconds retryAfter)
{
    http::Response response = responseOf(protocol::answerToPost(record, wholeSeconds(retryAfter)), record.id);
    if (telling == Telling::Replay && record.answer)
        response.headers.emplaceBack("Idempotent-Replayed", "true");
    return response;
}

http::Response statusResponse(const idempotency::KeyRecord& record, std::chrono::milliseconds retryAfter)
{
    return responseOf(protocol::answerToStatus(record, wholeSeconds(retryAfter)), record.id);
}

http::Response keyTooOld(const values::ActionId& action)
{
    return responseOf(protocol::Problem{idempotency::ProblemCode::KeyTooOld,
                                        "Records of this age are not kept. Of a payment, ?kind=payment asks its order.",
                                        action});
}

http::Response storeUnavailable(const std::optional<values::ActionId>& echo, std::chrono::milliseconds retryAfter)
{
    protocol::Problem problem{idempotency::ProblemCode::StoreUnavailable,
                              "The shop cannot reach its database. Nothing was done.", echo};
    problem.retryAfter = wholeSeconds(retryAfter);
    return responseOf(problem);
}

} // namespace payonce::shop
