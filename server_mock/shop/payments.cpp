#include "shop/payments.h"

#include "protocol/payment_request.h"
#include "shop/payment_run.h"
#include "shop/replies.h"
#include "values/overloaded.h"

#include <utility>
#include <variant>

namespace payonce::shop {

namespace {

using idempotency::KeyRecord;

} // namespace

void Payments::pay(const std::shared_ptr<Incoming>& incoming)
{
    if (const auto replay = m_parts.replays.find(*incoming)) {
        m_parts.metrics.claimed(idempotency::RecordKind::Payment, ClaimEnd::Replayed);
        return tellOnceLookedUp(incoming, *replay);
    }
    const auto payment = protocol::parsePayment(incoming->request().body.toStdString());
    if (!payment) {
        incoming->isRefusedWith(payment.error().code);
        return tell(incoming, responseOf(protocol::Problem{payment.error().code, payment.error().detail, incoming->action}));
    }
    const auto fingerprint =
        protocol::fingerprintOf(kPolicyId, nameOf(idempotency::RecordKind::Payment), kPaymentRoute, payment->canonicalBody);
    const idempotency::ClaimRequest claim{incoming->arrival.account, *incoming->action, kPolicyId, fingerprint, payment->terms};
    m_parts.records.claim(claim, [this, incoming](const Outcome<idempotency::ClaimDecision>& decision) {
        if (decision)
            return lookedUp(incoming, *decision);
        incoming->isRefusedWith(idempotency::ProblemCode::StoreUnavailable);
        tell(incoming, storeUnavailable(incoming->action, m_parts.numbers.retryAfter));
    });
}

// Remembered before the point, at which the work may stand still while a purge goes by.
void Payments::lookedUp(const std::shared_ptr<Incoming>& incoming, const idempotency::ClaimDecision& decision)
{
    if (const auto* known = std::get_if<idempotency::AnswerFrom>(&decision);
        known != nullptr && values::isTerminal(known->record.state)) {
        const auto replay = postResponse(known->record, Telling::Replay, m_parts.numbers.retryAfter);
        m_parts.replays.remember(*incoming, known->record, replay);
        return tellOnceLookedUp(incoming, replay);
    }
    m_parts.faults.reach(console::Point::KeyLookedUp, incoming->arrival,
                         m_parts.records.ifStillWanted([this, incoming, decision] { decided(incoming, decision); }));
}

void Payments::tellOnceLookedUp(const std::shared_ptr<Incoming>& incoming, const http::Response& response)
{
    m_parts.faults.reach(console::Point::KeyLookedUp, incoming->arrival,
                         m_parts.records.ifStillWanted([this, incoming, response] { tell(incoming, response); }));
}

void Payments::decided(const std::shared_ptr<Incoming>& incoming, const idempotency::ClaimDecision& decision)
{
    std::visit(values::Overloaded{
                   [&](const idempotency::Execute& execute) {
                       std::make_shared<PaymentRun>(m_parts, incoming, execute.record)->start();
                   },
                   [&](const idempotency::WriteTombstone& tombstone) {
                       tell(incoming, postResponse(tombstone.record, Telling::First, m_parts.numbers.retryAfter));
                   },
                   [&](const idempotency::AnswerFrom& known) { repeatOpen(incoming, known.record); },
                   [&](const idempotency::Mismatch&) {
                       incoming->isRefusedWith(idempotency::ProblemCode::KeyReused);
                       tell(incoming, keyReused(*incoming->action));
                   },
                   [&](const idempotency::RefuseClaim& refusal) {
                       incoming->isRefusedWith(refusal.code);
                       tell(incoming, refusalResponse(refusal, *incoming->action, m_parts.numbers.retryAfter));
                   },
               },
               decision);
}

void Payments::repeatOpen(const std::shared_ptr<Incoming>& incoming, const KeyRecord& record)
{
    const auto answer = [this, incoming](const KeyRecord& stands) {
        tell(incoming, postResponse(stands, Telling::Replay, m_parts.numbers.retryAfter));
    };
    // When the time has passed the record may have become unknown meanwhile.
    const auto woken = [this, incoming, record, answer](const std::optional<KeyRecord>& settled) {
        if (settled)
            return answer(*settled);
        m_parts.records.find(record.account, record.id, [record, answer](const Outcome<std::optional<KeyRecord>>& found) {
            answer(found && *found ? **found : record);
        });
    };
    const bool isHeld = incoming->wait && m_parts.waiting.hold(record.account, record.id, *incoming->wait, woken);
    if (!isHeld)
        answer(record);
}

void Payments::tell(const std::shared_ptr<Incoming>& incoming, const http::Response& response)
{
    m_parts.faults.answer(incoming->arrival, response);
}

} // namespace payonce::shop
