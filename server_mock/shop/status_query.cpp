#include "shop/status_query.h"

#include "shop/replies.h"

#include <utility>

namespace payonce::shop {

using idempotency::KeyRecord;

void StatusQuery::look(const std::shared_ptr<Incoming>& incoming)
{
    ask(incoming, [this, incoming](const std::optional<KeyRecord>& record) {
        m_parts.faults.reach(console::Point::KeyLookedUp, incoming->arrival,
                             m_parts.records.ifStillWanted([this, incoming, record] { lookedUp(incoming, record); }));
    });
}

void StatusQuery::ask(const std::shared_ptr<Incoming>& incoming, std::function<void(const std::optional<KeyRecord>&)> told)
{
    m_parts.records.find(incoming->arrival.account, *incoming->action,
                         [this, incoming, told = std::move(told)](const Outcome<std::optional<KeyRecord>>& record) {
                             if (record)
                                 told(*record);
                             else
                                 m_parts.faults.answer(incoming->arrival,
                                                       storeUnavailable(incoming->action, m_parts.numbers.retryAfter));
                         });
}

void StatusQuery::lookedUp(const std::shared_ptr<Incoming>& incoming, const std::optional<KeyRecord>& record)
{
    if (record)
        found(incoming, *record);
    else
        absent(incoming);
}

void StatusQuery::found(const std::shared_ptr<Incoming>& incoming, const KeyRecord& record)
{
    const auto woken = [this, incoming](const std::optional<KeyRecord>& settled) {
        if (settled)
            tell(incoming, *settled);
        else
            lookAgain(incoming);
    };
    const bool isHeld = !values::isTerminal(record.state) && incoming->wait &&
                        m_parts.waiting.hold(record.account, record.id, *incoming->wait, woken);
    if (!isHeld)
        tell(incoming, record);
}

// The time has passed: the present state, whatever it is, without waiting again.
void StatusQuery::lookAgain(const std::shared_ptr<Incoming>& incoming)
{
    incoming->wait.reset();
    ask(incoming, [this, incoming](const std::optional<KeyRecord>& record) { lookedUp(incoming, record); });
}

// Below the watermark the order row answers, so that a purged payment is never "unknown".
void StatusQuery::absent(const std::shared_ptr<Incoming>& incoming)
{
    const idempotency::RecordKey key{incoming->arrival.account, *incoming->action};
    m_parts.records.work<std::optional<KeyRecord>>(
        [key](ShopStore& store) { return store.ledger().findPurged(key); },
        [this, incoming](const Outcome<std::optional<KeyRecord>>& purged) {
            if (!purged)
                m_parts.faults.answer(incoming->arrival, storeUnavailable(incoming->action, m_parts.numbers.retryAfter));
            else if (!*purged)
                unknownAction(incoming);
            else if (incoming->saysPayment())
                tell(incoming, **purged);
            else
                m_parts.faults.answer(incoming->arrival, keyTooOld(*incoming->action));
        });
}

void StatusQuery::unknownAction(const std::shared_ptr<Incoming>& incoming)
{
    const protocol::Problem problem{idempotency::ProblemCode::ActionUnknown, "This shop has never seen this action.",
                                    incoming->action};
    m_parts.faults.answer(incoming->arrival, responseOf(problem));
}

void StatusQuery::tell(const std::shared_ptr<Incoming>& incoming, const KeyRecord& record)
{
    m_parts.faults.answer(incoming->arrival, statusResponse(record, m_parts.numbers.retryAfter));
}

} // namespace payonce::shop
