#include "storage/webhook_tables.h"

#include "storage/binding.h"
#include "storage/undoable.h"
#include "values/check.h"

#include <utility>

namespace payonce::storage {

using idempotency::BankEvent;
using idempotency::EventFacts;
using idempotency::EventOutcome;
using idempotency::KeyRecord;
using idempotency::StoreError;
using idempotency::WriterStamp;
using values::Failure;
using values::Result;
using values::WallTime;

namespace {

QVariant boundTransition(const BankEvent& event)
{
    return bound(std::string_view(idempotency::transitionOf(event)));
}

Result<BankEvent, StorageError> eventOf(const Row& row)
{
    enum { Id, BankKey, Transition, Sequence, ChargeId, DeclineCode, AmountMinor, Currency, SaidAt };
    const auto key = values::BankKey::parse(textOf(row.at(BankKey)));
    const auto amount = moneyOf(row.at(AmountMinor), row.at(Currency));
    const auto state = idempotency::stateOfTransition(textOf(row.at(Transition)));
    if (!key || !amount || !state)
        return Failure(StorageError::Damaged);
    return BankEvent{textOf(row.at(Id)),         *key,    {*state, textOf(row.at(ChargeId)), textOf(row.at(DeclineCode))},
                     numberOf(row.at(Sequence)), *amount, timeOf(row.at(SaidAt))};
}

} // namespace

Result<TakenEvent, StoreError> WebhookTables::take(const BankEvent& event, const WriterStamp& stamp)
{
    const auto work = [&]() -> Read<TakenEvent> {
        auto decided = decide(event);
        if (!decided)
            return Failure(decided.error());
        const auto isNew = keepNew(event, decided->outcome, stamp.now);
        if (!isNew)
            return Failure(isNew.error());
        if (!*isNew)
            return TakenEvent{EventOutcome::Duplicate, {}};
        return apply(event, *decided, stamp);
    };
    return undoable(m_database, work).map_error(toStoreError);
}

Result<WebhookTables::Decided, StorageError> WebhookTables::decide(const BankEvent& event)
{
    auto facts = gatherFacts(event);
    if (!facts)
        return Failure(facts.error());
    const EventOutcome outcome = decideEvent(event, *facts);
    return Decided{outcome, *std::move(facts)};
}

// False: this id was here before, and only its count goes up.
Result<bool, StorageError> WebhookTables::keepNew(const BankEvent& event, EventOutcome outcome, WallTime now)
{
    const auto added = m_database.change(
        QStringLiteral("INSERT INTO webhook_events (id, bank_key, transition, sequence, charge_id, decline_code, amount_minor, "
                       "currency, said_at, received_at, outcome) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) "
                       "ON CONFLICT DO NOTHING"),
        {bound(event.id), bound(event.bankKey), boundTransition(event), bound(event.sequence), bound(event.row.chargeId),
         bound(event.row.declineCode), bound(event.amount.minorUnits), bound(event.amount.currency.code()), bound(event.at),
         bound(now), bound(std::string_view(idempotency::nameOf(outcome)))});
    if (!added)
        return Failure(added.error());
    if (*added == 1)
        return true;
    const auto counted = m_database.change(QStringLiteral("UPDATE webhook_events SET deliveries = deliveries + 1 WHERE id = ?"),
                                           {bound(event.id)});
    if (!counted)
        return Failure(counted.error());
    return false;
}

Result<EventFacts, StorageError> WebhookTables::gatherFacts(const BankEvent& event)
{
    const auto records = m_database.select(selectRecordsWhere(QStringLiteral("r.bank_key = ?")), {bound(event.bankKey)});
    if (!records)
        return Failure(records.error());
    auto record = firstRecordOf(*records);
    if (!record)
        return Failure(record.error());
    const auto known = m_database.select(
        QStringLiteral("SELECT (SELECT count(*) FROM webhook_events WHERE bank_key = ? AND transition = ? AND charge_id = ? "
                       "AND amount_minor = ? AND currency = ? AND id <> ? AND outcome <> 'parked'), "
                       "(SELECT max(sequence) FROM webhook_facts WHERE bank_key = ?)"),
        {bound(event.bankKey), boundTransition(event), bound(event.row.chargeId), bound(event.amount.minorUnits),
         bound(event.amount.currency.code()), bound(event.id), bound(event.bankKey)});
    if (!known)
        return Failure(known.error());
    EventFacts facts;
    if (*record)
        facts.record = std::move((*record)->record);
    facts.isFactKnown = numberOf(known->first().at(0)) > 0;
    if (!known->first().at(1).isNull())
        facts.newestSequence = numberOf(known->first().at(1));
    return facts;
}

// The event's row tells the outcome already.
Result<TakenEvent, StorageError> WebhookTables::apply(const BankEvent& event, const Decided& decided, const WriterStamp& stamp)
{
    const auto& [outcome, facts] = decided;
    if (outcome == EventOutcome::Parked)
        return TakenEvent{outcome, {}};
    Read<void> written = keepFact(event, stamp.now);
    if (written && outcome == EventOutcome::Contradiction)
        written = keepDiscrepancy(event, *facts.record, stamp.now);
    if (!written)
        return Failure(written.error());
    if (outcome != EventOutcome::Applied)
        return TakenEvent{outcome, facts.record};
    auto settled = m_ledger.settleInPart({facts.record->account, facts.record->id}, stamp, event.row);
    if (!settled)
        return Failure(settled.error());
    return TakenEvent{outcome, *std::move(settled)};
}

Result<TakenEvent, StorageError> WebhookTables::unpark(const BankEvent& event, const WriterStamp& stamp)
{
    auto decided = decide(event);
    if (!decided)
        return Failure(decided.error());
    const auto marked = m_database.change(QStringLiteral("UPDATE webhook_events SET outcome = ? WHERE id = ?"),
                                          {bound(std::string_view(idempotency::nameOf(decided->outcome))), bound(event.id)});
    if (!marked)
        return Failure(marked.error());
    return apply(event, *decided, stamp);
}

Result<void, StorageError> WebhookTables::keepFact(const BankEvent& event, WallTime now)
{
    return done(m_database.change(
        QStringLiteral("INSERT INTO webhook_facts (bank_key, transition, sequence, event_id, at) VALUES (?, ?, ?, ?, ?) "
                       "ON CONFLICT (bank_key, transition) DO UPDATE SET sequence = excluded.sequence, "
                       "event_id = excluded.event_id WHERE excluded.sequence > webhook_facts.sequence"),
        {bound(event.bankKey), boundTransition(event), bound(event.sequence), bound(event.id), bound(now)}));
}

Result<void, StorageError> WebhookTables::keepDiscrepancy(const BankEvent& event, const KeyRecord& record, WallTime now)
{
    const auto kept = m_database.change(
        QStringLiteral("INSERT INTO discrepancies (event_id, account, action_id, state, transition, charge_id, decline_code, "
                       "amount_minor, currency, at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"),
        {bound(event.id), bound(record.account), bound(record.id), bound(std::string_view(values::nameOf(record.state))),
         boundTransition(event), bound(event.row.chargeId), bound(event.row.declineCode), bound(event.amount.minorUnits),
         bound(event.amount.currency.code()), bound(now)});
    if (!kept)
        return Failure(kept.error());
    return done(m_database.change(
        QStringLiteral("INSERT INTO support_tasks (account, action_id, cause, opened_at) VALUES (?, ?, 'discrepancy', ?) "
                       "ON CONFLICT (account, action_id, cause) DO UPDATE SET closed_at = NULL"),
        {bound(record.account), bound(record.id), bound(now)}));
}

Result<std::vector<BankEvent>, StorageError> WebhookTables::parkedWithRecord(int limit)
{
    const auto rows = m_database.select(
        QStringLiteral("SELECT e.id, e.bank_key, e.transition, e.sequence, e.charge_id, e.decline_code, e.amount_minor, "
                       "e.currency, e.said_at FROM webhook_events AS e WHERE e.outcome = 'parked' AND EXISTS "
                       "(SELECT 1 FROM key_records AS r WHERE r.bank_key = e.bank_key) ORDER BY e.sequence, e.id LIMIT ?"),
        {bound(std::int64_t{limit})});
    if (!rows)
        return Failure(rows.error());
    std::vector<BankEvent> events;
    for (const Row& row : *rows) {
        auto event = eventOf(row);
        if (!event)
            return Failure(event.error());
        events.push_back(*std::move(event));
    }
    return events;
}

Result<std::vector<TakenEvent>, StoreError> WebhookTables::takeParked(const WriterStamp& stamp, int limit)
{
    CHECK(limit >= 0);
    const auto parked = parkedWithRecord(limit);
    if (!parked)
        return Failure(toStoreError(parked.error()));
    std::vector<TakenEvent> taken;
    for (const BankEvent& event : *parked) {
        auto one = undoable(m_database, [&] { return unpark(event, stamp); });
        if (!one)
            return Failure(toStoreError(one.error()));
        taken.push_back(*std::move(one));
    }
    return taken;
}

Result<void, StoreError> WebhookTables::dropBefore(WallTime time)
{
    const auto work = [&]() -> Read<void> {
        for (const QString& sql : {QStringLiteral("DELETE FROM webhook_events WHERE received_at < ?"),
                                   QStringLiteral("DELETE FROM webhook_facts WHERE at < ?")}) {
            if (const auto dropped = m_database.change(sql, {bound(time)}); !dropped)
                return Failure(dropped.error());
        }
        return {};
    };
    return undoable(m_database, work).map_error(toStoreError);
}

Result<std::int64_t, StoreError> WebhookTables::parkedCount(std::int64_t most)
{
    const auto rows = m_database.select(
        QStringLiteral("SELECT count(*) FROM (SELECT 1 FROM webhook_events WHERE outcome = 'parked' LIMIT ?) AS parked"),
        {bound(most)});
    if (!rows)
        return Failure(toStoreError(rows.error()));
    return numberOf(rows->first().first());
}

} // namespace payonce::storage
