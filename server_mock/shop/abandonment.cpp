#include "shop/abandonment.h"

#include "shop/replies.h"
#include "values/check.h"

#include <variant>

namespace payonce::shop {

using idempotency::AbandonDecision;
using idempotency::KeyRecord;

void Abandonment::abandon(const std::shared_ptr<Incoming>& incoming)
{
    CHECK(incoming->action);
    const auto kind = incoming->saidKind().value_or(idempotency::RecordKind::Payment);
    m_parts.records.abandon(
        {incoming->arrival.account, *incoming->action, kind}, [this, incoming](const Outcome<AbandonDecision>& decision) {
            if (decision)
                lookedUp(incoming, *decision);
            else
                m_parts.faults.answer(incoming->arrival, storeUnavailable(incoming->action, m_parts.numbers.retryAfter));
        });
}

void Abandonment::lookedUp(const std::shared_ptr<Incoming>& incoming, const AbandonDecision& decision)
{
    m_parts.faults.reach(console::Point::KeyLookedUp, incoming->arrival,
                         m_parts.records.ifStillWanted([this, incoming, decision] { decided(incoming, decision); }));
}

void Abandonment::decided(const std::shared_ptr<Incoming>& incoming, const AbandonDecision& decision)
{
    if (const auto* open = std::get_if<idempotency::FenceAtBank>(&decision))
        return awaitEnd(incoming, open->record);
    if (const auto* written = std::get_if<idempotency::WriteTombstone>(&decision))
        return tell(incoming, written->record);
    if (const auto* refused = std::get_if<idempotency::RefuseClaim>(&decision))
        return m_parts.faults.answer(incoming->arrival,
                                     refusalResponse(*refused, *incoming->action, m_parts.numbers.retryAfter));
    if (const auto* old = std::get_if<idempotency::TooOld>(&decision)) {
        if (incoming->saysPayment())
            return tell(incoming, old->record);
        return m_parts.faults.answer(incoming->arrival, keyTooOld(old->record.id));
    }
    tell(incoming, std::get<idempotency::AnswerFrom>(decision).record);
}

// The waiting room wakes us whoever settles: this fence, the worker, the reconciler.
void Abandonment::awaitEnd(const std::shared_ptr<Incoming>& incoming, const KeyRecord& record)
{
    const auto woken = [this, incoming, record](const std::optional<KeyRecord>& settled) {
        if (settled)
            tell(incoming, *settled);
        else
            tellPresent(incoming, record);
    };
    const bool isHeld = m_parts.waiting.hold(record.account, record.id, m_parts.numbers.abandonLimit, woken);
    fenceAtBank(record);
    if (!isHeld)
        tell(incoming, record);
}

// It may end long after the client was told the present state. Lost altogether, the reconciler fences.
void Abandonment::fenceAtBank(const KeyRecord& record)
{
    if (m_parts.bankDesk.isFencing(record))
        return;
    m_parts.bankDesk.fence(record, [this, record](const std::optional<idempotency::BankRow>& row) {
        if (row)
            m_parts.records.takeOverAndSettle(record, *row, [](const Outcome<KeyRecord>&) {});
    });
}

void Abandonment::tellPresent(const std::shared_ptr<Incoming>& incoming, const KeyRecord& record)
{
    m_parts.records.find(record.account, record.id, [this, incoming, record](const Outcome<std::optional<KeyRecord>>& found) {
        tell(incoming, found && *found ? **found : record);
    });
}

void Abandonment::tell(const std::shared_ptr<Incoming>& incoming, const KeyRecord& record)
{
    m_parts.faults.answer(incoming->arrival, statusResponse(record, m_parts.numbers.retryAfter));
}

} // namespace payonce::shop
