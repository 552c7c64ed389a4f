#include "storage/server_ledger.h"

#include "storage/binding.h"
#include "storage/outbox_table.h"
#include "storage/undoable.h"
#include "values/check.h"

#include <algorithm>

namespace payonce::storage {

using idempotency::AbandonDecision;
using idempotency::AskPlan;
using idempotency::BankRow;
using idempotency::ClaimDecision;
using idempotency::ClaimFacts;
using idempotency::ClaimRequest;
using idempotency::ClaimStamp;
using idempotency::KeyRecord;
using idempotency::Ownership;
using idempotency::RecordKey;
using idempotency::StoreError;
using idempotency::WriterStamp;
using values::ActionId;
using values::Failure;
using values::Result;
using values::WallTime;

namespace {

/// `PLdg`: how the shop's files are told from others (PRAGMA application_id).
constexpr std::int32_t kApplicationId = 0x504c6467;

const QStringList kSteps{QStringLiteral(":/schema/ledger_1.sql"), QStringLiteral(":/schema/ledger_2.sql"),
                         QStringLiteral(":/schema/ledger_3.sql"), QStringLiteral(":/schema/ledger_4.sql"),
                         QStringLiteral(":/schema/ledger_5.sql")};

/// "No row" of a write that its condition should have let through.
Result<void, StorageError> exactlyOne(const Result<std::int64_t, StorageError>& changed)
{
    if (!changed)
        return Failure(changed.error());
    if (*changed != 1)
        return Failure(StorageError::Failed);
    return {};
}

} // namespace

Result<std::unique_ptr<Database>, StorageError> openShopDatabase(const Location& location, const OpenOptions& options)
{
    return Database::open(location, {kApplicationId, kSteps}, options);
}

StoreError toStoreError(StorageError error)
{
    switch (error) {
    case StorageError::DiskFull: return StoreError::DiskFull;
    case StorageError::ReadOnly: return StoreError::ReadOnly;
    case StorageError::Locked: return StoreError::Locked;
    case StorageError::Damaged: return StoreError::Damaged;
    case StorageError::NewerVersion: return StoreError::NewerVersion;
    case StorageError::Lost:
    case StorageError::Constraint:
    case StorageError::Failed: return StoreError::Unavailable;
    }
    return StoreError::Unavailable;
}

std::optional<StoreError> whyUnsaved(const Database& database)
{
    const auto why = database.whyUnsaved();
    return why ? std::optional(toStoreError(*why)) : std::nullopt;
}

ServerLedger::ServerLedger(Database& database, idempotency::AnswerRenderer render, const idempotency::LedgerNumbers& numbers)
    : m_database(database), m_render(std::move(render)), m_numbers(numbers)
{
}

Result<void, StoreError> ServerLedger::beginBatch()
{
    return m_database.begin().map_error(toStoreError);
}

Result<void, StoreError> ServerLedger::commitBatch()
{
    return m_database.commit().map_error(toStoreError);
}

Result<ClaimDecision, StoreError> ServerLedger::claim(const ClaimRequest& request, const ClaimStamp& stamp)
{
    return undoable(m_database, [&] { return claimNow(request, stamp); }).map_error(toStoreError);
}

Result<ClaimDecision, StorageError> ServerLedger::claimNow(const ClaimRequest& request, const ClaimStamp& stamp)
{
    const auto facts = gatherFacts(request, stamp.now);
    if (!facts)
        return Failure(facts.error());
    ClaimDecision decision = decideClaim(request, *facts, stamp, m_numbers);
    Result<void, StorageError> written;
    if (const auto* execute = std::get_if<idempotency::Execute>(&decision))
        written = writeClaimed(execute->record);
    else if (const auto* tombstone = std::get_if<idempotency::WriteTombstone>(&decision))
        written = insertRecord(m_database, tombstone->record);
    if (!written)
        return Failure(written.error());
    return decision;
}

Result<void, StorageError> ServerLedger::writeClaimed(const KeyRecord& record)
{
    if (const auto inserted = insertRecord(m_database, record); !inserted)
        return inserted;
    if (const auto inserted = insertOrder(m_database, record); !inserted)
        return inserted;
    // Both counters at once: a claim takes one fence number and one order number.
    return done(
        m_database.change(QStringLiteral("UPDATE counters SET value = value + 1 WHERE name IN ('fence', 'order_number')")));
}

Result<KeyRecord, StorageError> ServerLedger::owned(const Ownership& by)
{
    auto found = findRow(by.account, by.id);
    if (!found)
        return Failure(found.error());
    if (!*found)
        return Failure(StorageError::Failed);
    return std::move((*found)->record);
}

Result<KeyRecord, StoreError> ServerLedger::settle(const Ownership& by, const BankRow& row, WallTime now)
{
    const auto work = [&]() -> Result<KeyRecord, StorageError> {
        auto record = owned(by);
        if (!record || !mayWrite(*record, by.owner, by.fence))
            return record;
        return settleRecord(*record, row, now);
    };
    return undoable(m_database, work).map_error(toStoreError);
}

Result<KeyRecord, StorageError> ServerLedger::settleRecord(const KeyRecord& record, const BankRow& row, WallTime now)
{
    auto after = settled(record, row, now);
    if (!after)
        return record;
    if (after->state != values::RecordState::Abandoned)
        after->answer = m_render(*after);
    if (const auto written = writeSettled(*after); !written)
        return Failure(written.error());
    if (const auto put = putReceipt(*after, now); !put)
        return Failure(put.error());
    return *std::move(after);
}

Result<AbandonDecision, StoreError> ServerLedger::abandon(const RecordKey& key, const WriterStamp& stamp)
{
    const auto work = [&]() -> Result<AbandonDecision, StorageError> {
        const auto facts = keyFacts(key, stamp.now);
        if (!facts)
            return Failure(facts.error());
        auto decision = decideAbandon(key, *facts, stamp, m_numbers);
        Result<void, StorageError> written;
        if (const auto* tombstone = std::get_if<idempotency::WriteTombstone>(&decision))
            written = insertRecord(m_database, tombstone->record);
        if (std::holds_alternative<idempotency::FenceAtBank>(decision))
            written =
                exactlyOne(m_database.change(QStringLiteral("UPDATE key_records SET cancel_requested = 1 WHERE account = ? "
                                                            "AND action_id = ? AND state IN ('in_progress', 'unknown')"),
                                             {bound(key.account), bound(key.id)}));
        if (!written)
            return Failure(written.error());
        return decision;
    };
    return undoable(m_database, work).map_error(toStoreError);
}

Result<KeyRecord, StoreError> ServerLedger::takeOverAndSettle(const RecordKey& key, const WriterStamp& stamp,
                                                              const BankRow& row)
{
    return undoable(m_database, [&] { return settleInPart(key, stamp, row); }).map_error(toStoreError);
}

Result<KeyRecord, StorageError> ServerLedger::settleInPart(const RecordKey& key, const WriterStamp& stamp, const BankRow& row)
{
    auto found = findRow(key.account, key.id);
    if (!found)
        return Failure(found.error());
    if (!*found)
        return Failure(StorageError::Failed);
    if (!settled((*found)->record, row, stamp.now))
        return std::move((*found)->record);
    auto taken = takeOverOne(**found, stamp);
    if (!taken)
        return taken;
    return settleRecord(*taken, row, stamp.now);
}

Result<KeyRecord, StorageError> ServerLedger::takeOverOne(const RecordRow& row, const WriterStamp& stamp)
{
    const auto newest = newestFence();
    if (!newest)
        return Failure(newest.error());
    KeyRecord record = takenOver(row.record, stamp.owner, *newest + 1, stamp.now, m_numbers);
    if (const auto written = writeTakenOver(record, row.plan); !written)
        return Failure(written.error());
    if (const auto kept = keepFence(*newest + 1); !kept)
        return Failure(kept.error());
    return record;
}

Result<idempotency::FenceNumber, StorageError> ServerLedger::newestFence()
{
    const auto counter = m_database.select(QStringLiteral("SELECT value FROM counters WHERE name = 'fence'"));
    if (!counter)
        return Failure(counter.error());
    return counter->isEmpty() ? 0 : numberOf(counter->first().first());
}

Result<void, StorageError> ServerLedger::keepFence(idempotency::FenceNumber newest)
{
    return exactlyOne(m_database.change(QStringLiteral("UPDATE counters SET value = ? WHERE name = 'fence'"), {bound(newest)}));
}

Result<void, StorageError> ServerLedger::writeSettled(const KeyRecord& record)
{
    const auto reason = record.reason ? bound(std::string_view(nameOf(*record.reason))) : QVariant();
    const auto status = record.answer ? bound(std::int64_t{record.answer->status}) : QVariant();
    const auto body = record.answer ? boundBytes(record.answer->body) : QVariant();
    const auto settledRow = exactlyOne(m_database.change(
        QStringLiteral("UPDATE key_records SET state = ?, settled_at = ?, charge_id = ?, decline_code = ?, reason = ?, "
                       "answer_status = ?, answer_body = ? WHERE account = ? AND action_id = ? AND owner = ? AND fence = ? "
                       "AND state IN ('in_progress', 'unknown')"),
        {bound(std::string_view(values::nameOf(record.state))), bound(record.settledAt), bound(record.chargeId),
         bound(record.declineCode), reason, status, body, bound(record.account), bound(record.id), bound(record.owner),
         bound(record.fence)}));
    if (!settledRow)
        return settledRow;
    return exactlyOne(m_database.change(
        QStringLiteral("UPDATE orders SET status = ?, charge_id = ?, decline_code = ?, reason = ?, settled_at = ? "
                       "WHERE id = ? AND status = 'open'"),
        {bound(std::string_view(idempotency::nameOf(idempotency::orderStatusFor(record.state)))), bound(record.chargeId),
         bound(record.declineCode), reason, bound(record.settledAt), bound(record.orderId)}));
}

// Whoever settles, the receipt is written here, in the transaction that makes the payment paid.
Result<void, StorageError> ServerLedger::putReceipt(const KeyRecord& record, WallTime now)
{
    if (record.state != values::RecordState::Succeeded)
        return {};
    CHECK(record.terms);
    return putMail(m_database, receiptOf(record.paymentId, record.account, record.id, record.orderId, record.terms->email),
                   now);
}

Result<KeyRecord, StoreError> ServerLedger::markUnknown(const Ownership& by)
{
    const auto work = [&]() -> Result<KeyRecord, StorageError> {
        auto record = owned(by);
        if (!record || !mayWrite(*record, by.owner, by.fence))
            return record;
        record->state = values::RecordState::Unknown;
        const auto written = exactlyOne(m_database.change(
            QStringLiteral(
                "UPDATE key_records SET state = 'unknown' WHERE account = ? AND action_id = ? AND owner = ? AND fence = ? "
                "AND state IN ('in_progress', 'unknown')"),
            {bound(by.account), bound(by.id), bound(by.owner), bound(by.fence)}));
        if (!written)
            return Failure(written.error());
        return record;
    };
    return undoable(m_database, work).map_error(toStoreError);
}

Result<std::vector<KeyRecord>, StoreError> ServerLedger::takeOverOpen(const std::string& owner, WallTime now, int limit,
                                                                      const std::vector<ActionId>& busy)
{
    CHECK(limit >= 0);
    const auto work = [&]() -> Result<std::vector<KeyRecord>, StorageError> {
        const auto due = dueForTakeOver(owner, now, limit, busy);
        if (!due)
            return Failure(due.error());
        return takeOver(*due, owner, now);
    };
    return undoable(m_database, work).map_error(toStoreError);
}

Result<std::vector<RecordRow>, StorageError> ServerLedger::dueForTakeOver(const std::string& owner, WallTime now, int limit,
                                                                          const std::vector<ActionId>& busy)
{
    const std::string_view home = idempotency::homeOf(owner);
    // mayTakeOver() said in SQL, so that an index walk finds the few that are due; busy ones are left out afterwards.
    const auto rows = m_database.select(
        selectRecordsWhere(QStringLiteral(
            "r.state IN ('in_progress', 'unknown') AND ((r.owner <> ? AND substr(r.owner, 1, ?) = ?) OR "
            "(((r.owner = ? AND r.state = 'unknown') OR r.lease_until <= ? OR r.lease_until > ?) AND (r.next_ask_at <= ? OR "
            "r.next_ask_at > ?))) ORDER BY r.first_seen, r.action_id LIMIT ?")),
        {bound(owner), bound(static_cast<std::int64_t>(home.size())), bound(home), bound(owner), bound(now),
         bound(now + idempotency::leaseBelievedMost(m_numbers)), bound(now), bound(now + m_numbers.askAgainMost),
         bound(static_cast<std::int64_t>(limit) + static_cast<std::int64_t>(busy.size()))});
    if (!rows)
        return Failure(rows.error());
    std::vector<RecordRow> due;
    for (const Row& row : *rows) {
        auto candidate = recordOf(row);
        if (!candidate)
            return Failure(candidate.error());
        const bool isBusy = std::find(busy.begin(), busy.end(), candidate->record.id) != busy.end();
        const bool isDue = !isBusy && mayTakeOver(candidate->record, candidate->plan, owner, now, m_numbers);
        if (isDue && due.size() < static_cast<std::size_t>(limit))
            due.push_back(*std::move(candidate));
    }
    return due;
}

Result<std::vector<KeyRecord>, StorageError> ServerLedger::takeOver(const std::vector<RecordRow>& due, const std::string& owner,
                                                                    WallTime now)
{
    const auto newest = newestFence();
    if (!newest)
        return Failure(newest.error());
    idempotency::FenceNumber fence = *newest;
    std::vector<KeyRecord> taken;
    for (const RecordRow& row : due) {
        CHECK(mayTakeOver(row.record, row.plan, owner, now, m_numbers));
        KeyRecord record = takenOver(row.record, owner, ++fence, now, m_numbers);
        if (const auto written = writeTakenOver(record, planAfterTakeOver(row.record, row.plan, owner, now, m_numbers));
            !written)
            return Failure(written.error());
        taken.push_back(std::move(record));
    }
    if (taken.empty())
        return taken;
    if (const auto kept = keepFence(fence); !kept)
        return Failure(kept.error());
    return taken;
}

Result<void, StorageError> ServerLedger::writeTakenOver(const KeyRecord& record, const AskPlan& plan)
{
    return exactlyOne(m_database.change(
        QStringLiteral("UPDATE key_records SET state = ?, owner = ?, fence = ?, lease_until = ?, asked = ?, next_ask_at = ? "
                       "WHERE account = ? AND action_id = ? AND state IN ('in_progress', 'unknown')"),
        {bound(std::string_view(values::nameOf(record.state))), bound(record.owner), bound(record.fence),
         bound(record.leaseUntil), bound(std::int64_t{plan.asked}), bound(plan.nextAt), bound(record.account),
         bound(record.id)}));
}

Result<std::optional<RecordRow>, StorageError> ServerLedger::findRow(const std::string& account, const ActionId& id)
{
    const auto rows =
        m_database.select(selectRecordsWhere(QStringLiteral("r.account = ? AND r.action_id = ?")), {bound(account), bound(id)});
    if (!rows)
        return Failure(rows.error());
    return firstRecordOf(*rows);
}

Result<std::optional<KeyRecord>, StoreError> ServerLedger::find(const std::string& account, const ActionId& id)
{
    auto found = findRow(account, id);
    if (!found)
        return Failure(toStoreError(found.error()));
    return *found ? std::optional(std::move((*found)->record)) : std::nullopt;
}

} // namespace payonce::storage
