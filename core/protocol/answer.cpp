#include "protocol/answer.h"

#include "protocol/money_json.h"
#include "values/check.h"

#include <QtCore/QByteArray>

#include <utility>

namespace payonce::protocol {

namespace {

using idempotency::AbandonReason;
using idempotency::KeyRecord;
using idempotency::ProblemCode;
using idempotency::RecordState;

constexpr int kCreated = 201;

std::string actionPath(const values::ActionId& id)
{
    return "/v1/actions/" + QByteArray::fromStdString(id.toString()).toPercentEncoding().toStdString();
}

/// The members that every problem starts with.
OrderedJson problemHead(ProblemCode code, const std::string& detail, const std::string& instance)
{
    const auto& rule = idempotency::ruleOf(code);
    OrderedJson json;
    json["type"] = "/problems/" + std::string(rule.name);
    json["title"] = std::string(rule.title);
    json["status"] = rule.status;
    json["detail"] = detail;
    if (!instance.empty())
        json["instance"] = instance;
    json["code"] = std::string(rule.name);
    json["retry"] = std::string(idempotency::nameOf(rule.retry));
    return json;
}

std::string declineSentence(const std::string& declineCode)
{
    if (declineCode == "insufficient_funds")
        return "The card was declined: there is not enough money on it. It was not charged.";
    if (declineCode == "expired_card")
        return "The card was declined: it has expired. It was not charged.";
    if (declineCode == "incorrect_cvc")
        return "The card was declined: the security code is wrong. It was not charged.";
    if (declineCode == "processing_error")
        return "The card was declined: the bank could not process it. It was not charged.";
    return "The card was declined. It was not charged.";
}

OrderedJson succeededJson(const KeyRecord& record)
{
    const OrderedJson payment = {{"id", record.paymentId},
                                 {"status", "paid"},
                                 {"charge_id", record.chargeId},
                                 {"amount", moneyJson(record.terms->amount)}};
    const OrderedJson order = {{"id", record.orderId}, {"number", record.orderNumber}, {"status", "paid"}};
    return {{"action_id", record.id.toString()}, {"state", "succeeded"}, {"payment", payment}, {"order", order}};
}

OrderedJson declinedJson(const KeyRecord& record)
{
    auto json = problemHead(ProblemCode::CardDeclined, declineSentence(record.declineCode), actionPath(record.id));
    json["decline_code"] = record.declineCode;
    json["action_id"] = record.id.toString();
    json["state"] = "failed";
    json["amount"] = moneyJson(record.terms->amount);
    return json;
}

/// Never claimed, and below the watermark now (idempotency::wordOfPurged): its valid_until may lie ahead.
bool isKeyTooOld(const KeyRecord& record)
{
    return record.reason == AbandonReason::Expired && !record.fingerprint;
}

ProblemCode abandonedCode(const KeyRecord& record, AbandonReason reason)
{
    switch (reason) {
    case AbandonReason::Cancelled: return ProblemCode::ActionAbandoned;
    case AbandonReason::Expired: return isKeyTooOld(record) ? ProblemCode::ActionAbandoned : ProblemCode::ActionExpired;
    case AbandonReason::CartTaken: return ProblemCode::CartTaken;
    }
    return ProblemCode::ActionAbandoned;
}

std::string abandonedSentence(const KeyRecord& record, AbandonReason reason)
{
    const bool isPayment = record.kind == idempotency::RecordKind::Payment;
    switch (reason) {
    case AbandonReason::Cancelled:
        return isPayment ? "This action was closed before anything was charged; it can never take effect."
                         : "This action was closed before it did anything; it can never take effect.";
    case AbandonReason::Expired:
        if (isKeyTooOld(record))
            return "This action's key was made before the time from which on the shop keeps records. It was never charged, is "
                   "never run as new, and can never take effect.";
        return "This action came after its valid_until; it was closed and can never take effect.";
    case AbandonReason::CartTaken: return "Another action holds this cart; this one can never take effect.";
    }
    return {};
}

Problem problemOf(const KeyRecord& record, std::chrono::seconds retryAfter)
{
    Problem problem;
    problem.actionId = record.id;
    problem.state = record.state;
    if (record.state == RecordState::Abandoned) {
        CHECK(record.reason.has_value());
        problem.code = abandonedCode(record, *record.reason);
        problem.detail = abandonedSentence(record, *record.reason);
        problem.reason = record.reason;
        problem.heldBy = record.heldBy;
        return problem;
    }
    if (values::isTerminal(record.state)) {
        problem.code = ProblemCode::AnswerExpired;
        problem.detail = "This action has ended; what was answered then is not kept any longer.";
        return problem;
    }
    problem.retryAfter = retryAfter;
    const bool running = record.state == RecordState::InProgress;
    problem.code = running ? ProblemCode::InProgress : ProblemCode::OutcomeUnknown;
    problem.detail = running ? "This action is being worked on."
                             : "It is not known yet whether the bank charged this action; the shop is asking.";
    return problem;
}

OrderedJson openStatus(const KeyRecord& record, std::chrono::seconds retryAfter)
{
    OrderedJson json = {{"action_id", record.id.toString()},
                        {"kind", idempotency::nameOf(record.kind)},
                        {"state", values::nameOf(record.state)},
                        {"cancel_requested", record.cancelRequested},
                        {"first_seen", values::toRfc3339(record.firstSeen)},
                        {"retry_after", retryAfter.count()}};
    if (record.hasDiscrepancy)
        json["discrepancy"] = true;
    return json;
}

OrderedJson abandonedStatus(const KeyRecord& record)
{
    CHECK(record.reason.has_value());
    OrderedJson json = {
        {"action_id", record.id.toString()}, {"state", "abandoned"}, {"reason", idempotency::nameOf(*record.reason)}};
    if (!record.heldBy.empty())
        json["held_by"] = record.heldBy;
    if (record.hasDiscrepancy)
        json["discrepancy"] = true;
    return json;
}

/// The stored answer goes in byte for byte, as long as it is kept.
std::string settledStatus(const KeyRecord& record)
{
    OrderedJson json = {{"action_id", record.id.toString()},
                        {"kind", idempotency::nameOf(record.kind)},
                        {"state", values::nameOf(record.state)}};
    if (record.hasDiscrepancy)
        json["discrepancy"] = true;
    std::string head = textOf(json);
    if (!record.answer)
        return head;
    head.pop_back(); // the brace that ends it: more follows
    return head + R"(,"result":{"status":)" + std::to_string(record.answer->status) + R"(,"body":)" + record.answer->body +
           "}}";
}

const char* typeFor(int status)
{
    constexpr int kFirstError = 400;
    return status >= kFirstError ? kProblemType : kJsonType;
}

} // namespace

Answer answerOf(const Problem& problem)
{
    const auto instance = problem.actionId ? actionPath(*problem.actionId) : problem.instance;
    auto json = problemHead(problem.code, problem.detail, instance);
    if (problem.retryAfter)
        json["retry_after"] = problem.retryAfter->count();
    if (problem.actionId)
        json["action_id"] = problem.actionId->toString();
    if (problem.state)
        json["state"] = values::nameOf(*problem.state);
    if (problem.reason)
        json["reason"] = idempotency::nameOf(*problem.reason);
    if (!problem.heldBy.empty())
        json["held_by"] = problem.heldBy;
    return {idempotency::ruleOf(problem.code).status, kProblemType, textOf(json), problem.retryAfter};
}

idempotency::StoredAnswer renderStored(const KeyRecord& record)
{
    CHECK(record.terms.has_value() && (record.state == RecordState::Succeeded || record.state == RecordState::Failed));
    if (record.state == RecordState::Succeeded)
        return {kCreated, textOf(succeededJson(record))};
    return {idempotency::ruleOf(ProblemCode::CardDeclined).status, textOf(declinedJson(record))};
}

Answer answerToPost(const KeyRecord& record, std::chrono::seconds retryAfter)
{
    if (!record.answer)
        return answerOf(problemOf(record, retryAfter));
    return {record.answer->status, typeFor(record.answer->status), record.answer->body};
}

Answer answerToStatus(const KeyRecord& record, std::chrono::seconds retryAfter)
{
    constexpr int kOk = 200;
    if (record.state == RecordState::Abandoned)
        return {kOk, kJsonType, textOf(abandonedStatus(record))};
    if (values::isTerminal(record.state))
        return {kOk, kJsonType, settledStatus(record)};
    return {kOk, kJsonType, textOf(openStatus(record, retryAfter)), retryAfter};
}

} // namespace payonce::protocol
