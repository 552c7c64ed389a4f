#include "bank/bank_events.h"

#include "bank/bank_state.h"
#include "idempotency/delivery_schedule.h"
#include "storage/binding.h"

#include <utility>

namespace payonce::bank {

using idempotency::BankState;
using storage::bound;
using storage::done;
using storage::StorageError;
using storage::textOf;
using values::Failure;
using values::Result;

namespace {

Result<WaitingEvent, StorageError> eventOf(const storage::Row& row)
{
    enum { BankKey, Sequence, CreatedAt, Tries, State, ChargeId, DeclineCode, Amount, Currency };
    const auto key = values::BankKey::parse(textOf(row.at(BankKey)));
    const auto amount = storage::moneyOf(row.at(Amount), row.at(Currency));
    if (!key || !amount)
        return Failure(StorageError::Damaged);
    const auto sequence = storage::numberOf(row.at(Sequence));
    const bool isApproved = stateOf(textOf(row.at(State))) == BankState::Approved;
    return WaitingEvent{
        {"evt_" + key->toString() + '_' + std::to_string(sequence),
         *key,
         {isApproved ? BankState::Approved : BankState::Declined, textOf(row.at(ChargeId)), textOf(row.at(DeclineCode))},
         sequence,
         *amount,
         storage::timeOf(row.at(CreatedAt))},
        row.at(Tries).toInt()};
}

} // namespace

Result<void, StorageError> BankEvents::put(const values::BankKey& key, values::WallTime now)
{
    return done(m_database.change(
        QStringLiteral("INSERT INTO events (bank_key, sequence, created_at, tries, next_try_at) VALUES (?, ?, ?, 0, ?)"),
        {bound(key), bound(kDecisionSequence), bound(now), bound(now)}));
}

Result<std::vector<WaitingEvent>, StorageError> BankEvents::takeDue(values::WallTime now, std::chrono::milliseconds lease,
                                                                    int limit)
{
    const auto rows = m_database.select(
        QStringLiteral("SELECT e.bank_key, e.sequence, e.created_at, e.tries, c.state, c.charge_id, c.decline_code, c.amount, "
                       "c.currency FROM events AS e JOIN charges AS c ON c.bank_key = e.bank_key WHERE e.next_try_at IS NOT "
                       "NULL AND (e.next_try_at <= ? OR e.next_try_at > ?) ORDER BY e.next_try_at LIMIT ?"),
        {bound(now), bound(now + idempotency::kPlanAheadMost), bound(std::int64_t{limit})});
    if (!rows)
        return Failure(rows.error());
    std::vector<WaitingEvent> taken;
    for (const storage::Row& row : *rows) {
        auto event = eventOf(row);
        if (!event)
            return Failure(event.error());
        // Another program on this bank may have taken it since: whoever counts the try up has it.
        const auto changed = m_database.change(
            QStringLiteral("UPDATE events SET tries = tries + 1, next_try_at = ? WHERE bank_key = ? AND "
                           "sequence = ? AND tries = ? AND next_try_at IS NOT NULL"),
            {bound(now + lease), bound(event->event.bankKey), bound(event->event.sequence), bound(std::int64_t{event->tries})});
        if (!changed)
            return Failure(changed.error());
        ++event->tries;
        if (*changed == 1)
            taken.push_back(*std::move(event));
    }
    return taken;
}

Result<void, StorageError> BankEvents::end(const WaitingEvent& event, EventEnd how, values::WallTime now)
{
    if (how == EventEnd::Delivered)
        return done(m_database.change(
            QStringLiteral("UPDATE events SET next_try_at = NULL, delivered_at = ? WHERE bank_key = ? AND sequence = ?"),
            {bound(now), bound(event.event.bankKey), bound(event.event.sequence)}));
    const bool isGivenUp = event.tries >= idempotency::kEventTriesMost;
    return done(m_database.change(
        QStringLiteral("UPDATE events SET next_try_at = ? WHERE bank_key = ? AND sequence = ? AND tries = ? AND "
                       "next_try_at IS NOT NULL"),
        {isGivenUp ? QVariant() : bound(now + idempotency::pauseAfter(event.tries)), bound(event.event.bankKey),
         bound(event.event.sequence), bound(std::int64_t{event.tries})}));
}

} // namespace payonce::bank
