#include "shop/outbox_sender.h"

#include "idempotency/delivery_schedule.h"

#include <vector>

namespace payonce::shop {

using storage::OutboxMail;

namespace {

struct Round
{
    std::vector<OutboxMail> due;
    std::int64_t unsent = 0; // the due ones among them
};

} // namespace

struct OutboxSender::Sending
{
    OutboxMail mail;
    faults::Arrival arrival; // what the simulator knows of it
};

OutboxSender::OutboxSender(ShopParts& parts, MailSystem& mails, const OutboxNumbers& numbers, QObject* parent)
    : QObject(parent), m_parts(parts), m_mails(mails), m_numbers(numbers)
{
    connect(&m_timer, &QTimer::timeout, this, &OutboxSender::round);
}

void OutboxSender::start()
{
    m_timer.start(m_numbers.every);
    round();
}

void OutboxSender::round()
{
    if (m_roundOfEpoch == m_parts.records.epoch())
        return;
    m_roundOfEpoch = m_parts.records.epoch();
    m_parts.records.work<Round>(
        [now = m_parts.clock(), numbers = m_numbers](ShopStore& store) -> Outcome<Round> {
            auto due = store.outbox().takeDue(now, numbers.lease, numbers.most);
            if (!due)
                return values::Failure(due.error());
            const auto unsent = store.outbox().unsentCount(kBacklogCountedMost);
            if (!unsent)
                return values::Failure(unsent.error());
            return Round{*std::move(due), *unsent};
        },
        [this](const Outcome<Round>& round) {
            m_roundOfEpoch.reset();
            if (!round)
                return;
            m_parts.metrics.waiting(Backlog::Mails, round->unsent);
            for (const OutboxMail& mail : round->due)
                send(mail);
        });
}

void OutboxSender::send(const OutboxMail& mail)
{
    const auto sending = std::make_shared<Sending>(Sending{mail, {}});
    sending->arrival.operation = console::Operation::Mail;
    sending->arrival.account = mail.account;
    sending->arrival.actionId = mail.actionId;
    sending->arrival.attempt = std::to_string(mail.tries);
    m_parts.faults.reach(console::Point::OutboxBefore, sending->arrival,
                         m_parts.records.ifStillWanted([this, sending] { deliver(sending); }));
}

void OutboxSender::deliver(const Shared& sending)
{
    if (sending->arrival.isHit) // it never got there
        return tryLater(sending);
    m_mails.deliver(sending->mail, [this, sending](Delivery delivery) { delivered(sending, delivery); });
}

void OutboxSender::delivered(const Shared& sending, Delivery delivery)
{
    if (delivery == Delivery::Unknown)
        return tryLater(sending);
    m_parts.faults.reach(console::Point::OutboxSent, sending->arrival, m_parts.records.ifStillWanted([this, sending] {
        if (sending->arrival.isHit) // it got there, and nobody heard so
            tryLater(sending);
        else
            markSent(sending);
    }));
}

// What cannot be marked is sent again after its lease, under the same delivery id.
void OutboxSender::markSent(const Shared& sending)
{
    m_parts.records.work<void>(
        [mail = sending->mail, now = m_parts.clock()](ShopStore& store) { return store.outbox().markSent(mail, now); },
        [](const Outcome<void>&) {});
}

void OutboxSender::tryLater(const Shared& sending)
{
    const auto next = m_parts.clock() + idempotency::pauseAfter(sending->mail.tries);
    m_parts.records.work<void>([mail = sending->mail, next](ShopStore& store) { return store.outbox().tryLater(mail, next); },
                               [](const Outcome<void>&) {});
}

} // namespace payonce::shop
