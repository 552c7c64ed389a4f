#include "shop/replies.h"

#include "protocol/digest.h"
#include "protocol/fields.h"

namespace payonce::shop {

namespace {

std::chrono::seconds wholeSeconds(std::chrono::milliseconds time)
{
    return std::chrono::ceil<std::chrono::seconds>(time);
}

protocol::Problem unavailableStore(const std::optional<values::ActionId>& echo, std::chrono::milliseconds retryAfter)
{
    protocol::Problem problem{idempotency::ProblemCode::StoreUnavailable,
                              "The shop cannot reach its database. Nothing was done.", echo};
    problem.retryAfter = wholeSeconds(retryAfter);
    return problem;
}

} // namespace

http::Response responseOf(const protocol::Answer& answer, const std::optional<values::ActionId>& echo)
{
    http::Response response;
    response.status = answer.status;
    response.contentType = QByteArray::fromStdString(answer.contentType);
    response.body = QByteArray::fromStdString(answer.body);
    if (echo)
        response.headers.emplaceBack(QByteArrayLiteral("Action-Id"), QByteArray::fromStdString(protocol::quoted(*echo)));
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
    if (!record.answer)
        return response;
    response.bodyDigest = QByteArray::fromStdString(protocol::contentDigest(record.answer->body)); // will be told again
    return telling == Telling::Replay ? asReplay(std::move(response)) : response;
}

http::Response asReplay(http::Response first)
{
    first.headers.emplaceBack(QByteArrayLiteral("Idempotent-Replayed"), QByteArrayLiteral("true"));
    return first;
}

http::Response okResponse(const std::string& body, const std::optional<values::ActionId>& echo)
{
    constexpr int kOk = 200;
    return responseOf(protocol::Answer{kOk, protocol::kJsonType, body}, echo);
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

http::Response keyReused(const values::ActionId& action)
{
    return responseOf(protocol::Problem{idempotency::ProblemCode::KeyReused,
                                        "This key was used before for other content. It stays bound to that.", action});
}

http::Response refusalResponse(const idempotency::RefuseClaim& refusal, const values::ActionId& action,
                               std::chrono::milliseconds retryAfter)
{
    protocol::Problem problem{refusal.code, refusal.detail, action};
    const auto& rule = idempotency::ruleOf(refusal.code);
    if (rule.retry == idempotency::RetryAdvice::SameKey)
        problem.retryAfter = wholeSeconds(refusal.retryAfter.value_or(retryAfter));
    return responseOf(problem);
}

http::Response onceResponse(const idempotency::OnceDecision& decision, const values::ActionId& action,
                            std::chrono::milliseconds retryAfter)
{
    if (const auto* run = std::get_if<idempotency::RunOnce>(&decision))
        return postResponse(run->record, Telling::First, retryAfter);
    if (const auto* tombstone = std::get_if<idempotency::WriteTombstone>(&decision))
        return postResponse(tombstone->record, Telling::First, retryAfter);
    if (const auto* known = std::get_if<idempotency::AnswerFrom>(&decision))
        return postResponse(known->record, Telling::Replay, retryAfter);
    if (const auto* refused = std::get_if<idempotency::RefuseClaim>(&decision))
        return refusalResponse(*refused, action, retryAfter);
    if (std::holds_alternative<idempotency::TooOld>(decision))
        return keyTooOld(action);
    return keyReused(action);
}

http::Response storeUnavailable(const std::optional<values::ActionId>& echo, std::chrono::milliseconds retryAfter)
{
    return responseOf(unavailableStore(echo, retryAfter));
}

http::Response storeUnavailable(const Incoming& incoming, std::chrono::milliseconds retryAfter)
{
    protocol::Problem problem = unavailableStore(incoming.echo(), retryAfter);
    problem.instance = incoming.request().path.toStdString();
    return responseOf(problem);
}

} // namespace payonce::shop
