// WebhookTables: what the bank says by itself, in one transaction with what it changes (docs/contract.md, Webhooks and mails).
#pragma once

#include "idempotency/event_rules.h"
#include "storage/server_ledger.h"

#include <vector>

namespace payonce::storage {

/// What an event did, and the record as it stands afterwards; none while it is parked, or where the event is a duplicate.
struct TakenEvent
{
    idempotency::EventOutcome outcome = idempotency::EventOutcome::Parked;
    std::optional<idempotency::KeyRecord> record;
};

/// On a database of openShopDatabase(), which outlives it with its ledger, on their thread. Calls that write belong to the
/// batch.
class WebhookTables
{
public:
    template <class T> using Stored = values::Result<T, idempotency::StoreError>;

    WebhookTables(Database& database, ServerLedger& ledger) : m_database(database), m_ledger(ledger) {}

    /// Event id, fact, effect and, where it contradicts, the discrepancy with its task: all of them or nothing.
    [[nodiscard]] Stored<TakenEvent> take(const idempotency::BankEvent& event, const idempotency::WriterStamp& stamp);
    /// Applies at most `limit` parked events whose record has come.
    [[nodiscard]] Stored<std::vector<TakenEvent>> takeParked(const idempotency::WriterStamp& stamp, int limit);
    /// Forgets events and facts that came before `time`.
    [[nodiscard]] Stored<void> dropBefore(values::WallTime time);
    /// Events that wait for their record; counts no further than `most`.
    [[nodiscard]] Stored<std::int64_t> parkedCount(std::int64_t most);

private:
    template <class T> using Read = values::Result<T, StorageError>;

    /// What is to come of an event, and what was read to know it.
    struct Decided
    {
        idempotency::EventOutcome outcome;
        idempotency::EventFacts facts;
    };

    [[nodiscard]] Read<Decided> decide(const idempotency::BankEvent& event);
    [[nodiscard]] Read<idempotency::EventFacts> gatherFacts(const idempotency::BankEvent& event);
    [[nodiscard]] Read<bool> keepNew(const idempotency::BankEvent& event, idempotency::EventOutcome outcome,
                                     values::WallTime now);
    [[nodiscard]] Read<TakenEvent> apply(const idempotency::BankEvent& event, const Decided& decided,
                                         const idempotency::WriterStamp& stamp);
    [[nodiscard]] Read<TakenEvent> unpark(const idempotency::BankEvent& event, const idempotency::WriterStamp& stamp);
    [[nodiscard]] Read<void> keepFact(const idempotency::BankEvent& event, values::WallTime now);
    [[nodiscard]] Read<void> keepDiscrepancy(const idempotency::BankEvent& event, const idempotency::KeyRecord& record,
                                             values::WallTime now);
    [[nodiscard]] Read<std::vector<idempotency::BankEvent>> parkedWithRecord(int limit);

    Database& m_database;
    ServerLedger& m_ledger;
};

} // namespace payonce::storage
