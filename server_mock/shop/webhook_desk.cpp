#include "shop/webhook_desk.h"

#include "protocol/bank_event_json.h"
#include "protocol/webhook_signature.h"
#include "shop/replies.h"

#include <utility>
#include <vector>

namespace payonce::shop {

using idempotency::BankEvent;
using idempotency::EventOutcome;
using idempotency::ProblemCode;

namespace {

protocol::WebhookHead headOf(const http::Request& request)
{
    return {request.value("webhook-id").toStdString(), request.value("webhook-timestamp").toStdString(),
            request.value("webhook-signature").toStdString()};
}

struct ParkedRound
{
    std::vector<storage::TakenEvent> applied;
    std::int64_t stillParked = 0;
};

http::Response answerFor(const Incoming& incoming, EventOutcome outcome)
{
    constexpr int kOk = 200;
    constexpr int kAccepted = 202; // heard, and not yet of any effect
    return responseOf(protocol::Answer{outcome == EventOutcome::Parked ? kAccepted : kOk, protocol::kJsonType,
                                       std::string(R"({"outcome":")") + idempotency::nameOf(outcome) + R"("})"},
                      incoming.echo());
}

} // namespace

WebhookDesk::WebhookDesk(ShopParts& parts, QByteArray secret, std::string instance, QObject* parent)
    : QObject(parent), m_parts(parts), m_secret(std::move(secret)), m_instance(std::move(instance))
{
    connect(&m_timer, &QTimer::timeout, this, &WebhookDesk::applyParked);
}

void WebhookDesk::start()
{
    m_timer.start(kParkedEvery);
    applyParked();
}

void WebhookDesk::take(const std::shared_ptr<Incoming>& incoming)
{
    const std::string body = incoming->request().body.toStdString();
    const auto head = headOf(incoming->request());
    if (m_secret.isEmpty())
        return refuse(incoming, ProblemCode::Unauthorized, "This shop shares no secret with a bank.");
    if (const auto verified = protocol::verifyWebhook(m_secret.toStdString(), head, body, m_parts.clock()); !verified)
        return refuse(incoming, ProblemCode::Unauthorized, verified.error());
    const auto event = protocol::parseBankEvent(head.id, body);
    if (!event)
        return refuse(incoming, event.error().code, event.error().detail);
    m_parts.faults.reach(console::Point::WebhookReceived, incoming->arrival,
                         m_parts.records.ifStillWanted([this, incoming, event = *event] { keep(incoming, event); }));
}

void WebhookDesk::keep(const std::shared_ptr<Incoming>& incoming, const BankEvent& event)
{
    m_parts.records.work<Taken>([event, stamp = stamp()](ShopStore& store) { return store.webhooks().take(event, stamp); },
                                [this, incoming](const Outcome<Taken>& taken) { kept(incoming, taken); });
}

void WebhookDesk::kept(const std::shared_ptr<Incoming>& incoming, const Outcome<Taken>& taken)
{
    if (!taken)
        return m_parts.faults.answer(incoming->arrival, storeUnavailable(*incoming, m_parts.numbers.retryAfter));
    wake(*taken);
    m_parts.faults.reach(console::Point::WebhookApplied, incoming->arrival, [this, incoming, outcome = taken->outcome] {
        m_parts.faults.answer(incoming->arrival, answerFor(*incoming, outcome));
    });
}

void WebhookDesk::applyParked()
{
    if (m_roundOfEpoch == m_parts.records.epoch())
        return;
    m_roundOfEpoch = m_parts.records.epoch();
    m_parts.records.work<ParkedRound>(
        [stamp = stamp()](ShopStore& store) -> Outcome<ParkedRound> {
            auto applied = store.webhooks().takeParked(stamp, kParkedMost);
            if (!applied)
                return values::Failure(applied.error());
            const auto parked = store.webhooks().parkedCount(kBacklogCountedMost);
            if (!parked)
                return values::Failure(parked.error());
            return ParkedRound{*std::move(applied), *parked};
        },
        [this](const Outcome<ParkedRound>& round) {
            m_roundOfEpoch.reset();
            if (!round)
                return;
            m_parts.metrics.waiting(Backlog::ParkedEvents, round->stillParked);
            for (const Taken& taken : round->applied)
                wake(taken);
        });
}

void WebhookDesk::wake(const Taken& taken)
{
    m_parts.metrics.bankTold(taken.outcome);
    if (taken.outcome == EventOutcome::Applied)
        m_parts.metrics.became(taken.record->state);
    if (taken.outcome == EventOutcome::Contradiction)
        m_parts.warn({"the bank says otherwise than the record; people must look", taken.record->id.toString(), {}});
    if (taken.outcome == EventOutcome::Applied && values::isTerminal(taken.record->state))
        m_parts.waiting.wake(*taken.record);
}

void WebhookDesk::refuse(const std::shared_ptr<Incoming>& incoming, ProblemCode code, const std::string& detail)
{
    protocol::Problem problem{code, detail, incoming->echo()};
    problem.instance = incoming->request().path.toStdString();
    m_parts.faults.answer(incoming->arrival, responseOf(problem));
}

} // namespace payonce::shop
