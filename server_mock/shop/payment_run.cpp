#include "shop/payment_run.h"

#include "shop/replies.h"

#include <utility>

namespace payonce::shop {

using idempotency::BankRow;
using idempotency::BankState;
using idempotency::KeyRecord;
using idempotency::RecordState;

PaymentRun::PaymentRun(ShopParts& parts, std::shared_ptr<Incoming> incoming, KeyRecord record)
    : m_parts(parts), m_incoming(std::move(incoming)), m_record(std::move(record)), m_epoch(parts.records.epoch())
{
}

void PaymentRun::start()
{
    if (m_incoming->wait) {
        m_waitEnd = m_parts.uptime() + *m_incoming->wait;
        m_parts.after(*m_incoming->wait, &m_home, [weak = weak_from_this()] {
            if (const auto self = weak.lock())
                self->waitPassed();
        });
    }
    reach(console::Point::KeyClaimed, [this] { askBank(); });
}

// `next` may run much later, or never.
void PaymentRun::reach(console::Point point, std::function<void()> next)
{
    m_parts.faults.reach(point, m_incoming->arrival, [self = shared_from_this(), next = std::move(next)] {
        if (self->m_epoch == self->m_parts.records.epoch())
            next();
    });
}

void PaymentRun::askBank()
{
    reach(console::Point::BankBefore, [this] {
        m_parts.bankDesk.charge(
            m_record, [self = shared_from_this()](const std::optional<BankRow>& row) { self->heardBank(row); },
            m_parts.faults.insideBank(m_incoming->arrival));
    });
}

void PaymentRun::heardBank(const std::optional<BankRow>& row)
{
    if (!row)
        return giveUp();
    switch (row->state) {
    case BankState::Approved:
    case BankState::Declined: return reach(console::Point::BankCommitted, [this, row = *row] { heardAnswer(row); });
    case BankState::Fenced: return heardAnswer(*row);
    case BankState::Running:
    case BankState::NeverSeen: return giveUp();
    }
}

void PaymentRun::heardAnswer(const BankRow& row)
{
    reach(console::Point::BankAnswered, [this, row] { settle(row); });
}

void PaymentRun::settle(const BankRow& row)
{
    m_parts.records.settle(m_record, row,
                           [self = shared_from_this()](const batch::Outcome<KeyRecord>& outcome) { self->settled(outcome); });
}

void PaymentRun::settled(const batch::Outcome<KeyRecord>& outcome)
{
    if (!outcome) {
        m_parts.warn({"the bank has answered, but the result could not be saved; the reconciler will save it",
                      m_incoming->arrival.actionId, m_incoming->arrival.attempt});
        KeyRecord open = m_record;
        open.state = RecordState::Unknown;
        return leaveOpen(open);
    }
    if (!values::isTerminal(outcome->state))
        return leaveOpen(*outcome); // a reconciler has it and will settle it
    const auto response = postResponse(*outcome, Telling::First, m_parts.numbers.retryAfter);
    m_parts.replays.remember(*m_incoming, *outcome, asReplay(response));
    reach(console::Point::ResultSaved, [this, response] { answer(response); });
}

void PaymentRun::giveUp()
{
    m_parts.warn(
        {"the bank did not answer; the outcome is unknown", m_incoming->arrival.actionId, m_incoming->arrival.attempt});
    m_parts.records.markUnknown(m_record, [self = shared_from_this()](const batch::Outcome<KeyRecord>& outcome) {
        KeyRecord record = outcome.value_or(self->m_record);
        if (!outcome)
            record.state = RecordState::Unknown;
        if (values::isTerminal(record.state))
            self->answer(record);
        else
            self->leaveOpen(record);
    });
}

// A client that said how long it waits is held on; the others hear how the record stands.
void PaymentRun::leaveOpen(const KeyRecord& record)
{
    if (m_isAnswered)
        return;
    const auto left = m_waitEnd - m_parts.uptime();
    m_isHeld = m_incoming->wait && left.count() > 0 &&
               m_parts.waiting.hold(record.account, record.id, left,
                                    [self = shared_from_this(), record](const std::optional<KeyRecord>& settled) {
                                        self->answer(settled.value_or(record));
                                    });
    if (!m_isHeld)
        answer(record);
}

void PaymentRun::waitPassed()
{
    if (m_isAnswered || m_isHeld)
        return;
    m_parts.records.find(m_record.account, m_record.id,
                         [self = shared_from_this()](const batch::Outcome<std::optional<KeyRecord>>& found) {
                             self->answer(found && *found ? **found : self->m_record);
                         });
}

void PaymentRun::answer(const KeyRecord& record)
{
    answer(postResponse(record, Telling::First, m_parts.numbers.retryAfter));
}

void PaymentRun::answer(const http::Response& response)
{
    if (!std::exchange(m_isAnswered, true))
        m_parts.faults.answer(m_incoming->arrival, response);
}

} // namespace payonce::shop
