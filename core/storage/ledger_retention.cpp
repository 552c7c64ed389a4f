// The part of ServerLedger that is about what a new key may meet: the facts of a claim, and records that were purged.
#include "storage/server_ledger.h"

#include "idempotency/retention_rules.h"
#include "storage/binding.h"
#include "storage/undoable.h"
#include "values/check.h"

namespace payonce::storage {

using idempotency::ClaimFacts;
using idempotency::ClaimRequest;
using idempotency::KeyFacts;
using idempotency::KeyRecord;
using idempotency::RecordKey;
using idempotency::StoreError;
using values::ActionId;
using values::Failure;
using values::Result;
using values::WallTime;

namespace {

/// True of what ActionId writes for a UUIDv7 and of nothing else; standard SQL.
const QString kIsUuidV7 =
    QStringLiteral("action_id LIKE '________-____-7___-____-____________' AND substr(action_id, 20, 1) IN ('8', '9', 'a', 'b') "
                   "AND length(replace(action_id, '-', '')) = 32 AND rtrim(action_id, '0123456789abcdef-') = ''");

} // namespace

Result<KeyFacts, StorageError> ServerLedger::keyFacts(const RecordKey& key, WallTime now)
{
    auto found = findRow(key.account, key.id);
    if (!found)
        return Failure(found.error());
    KeyFacts facts;
    if (*found) {
        facts.record = std::move((*found)->record);
        return facts; // a record answers alone
    }
    auto purged = purgedWord(key);
    if (!purged)
        return Failure(purged.error());
    facts.purged = *std::move(purged);
    if (facts.purged)
        return facts; // and so does what is left of one
    const auto tombstones = newTombstones(key.account, now);
    if (!tombstones)
        return Failure(tombstones.error());
    facts.newTombstones = *tombstones;
    if (const auto room = findRoom(key.account, now, facts); !room)
        return Failure(room.error());
    return facts;
}

Result<ClaimFacts, StorageError> ServerLedger::gatherFacts(const ClaimRequest& request, WallTime now)
{
    const QVariant account = bound(request.account);
    const QVariant cart = bound(request.terms.cartId);
    // One statement for a new key, which most are: each costs by its columns, and a record has many.
    const auto rows = m_database.select(
        QStringLiteral(
            "SELECT (SELECT count(*) FROM key_records WHERE account = ? AND action_id = ?), "
            "(SELECT value FROM counters WHERE name = 'watermark'), "
            "(SELECT count(*) FROM key_records INDEXED BY tombstones_of_account "
            "WHERE account = ? AND bank_key IS NULL AND state = 'abandoned' AND first_seen > ?), "
            "(SELECT action_id FROM orders WHERE account = ? AND cart_id = ? AND status IN ('open', 'paid')), "
            "(SELECT total_minor FROM carts WHERE account = ? AND cart_id = ?), "
            "(SELECT currency FROM carts WHERE account = ? AND cart_id = ?), "
            "(SELECT count(*) FROM payment_methods WHERE id = ? AND account = ? AND expires_at > ?), "
            "(SELECT count(*) FROM key_records WHERE account = ? AND state IN ('in_progress', 'unknown')), "
            "(SELECT value FROM counters WHERE name = 'fence'), (SELECT value FROM counters WHERE name = 'order_number')"),
        {account, bound(request.id), account, bound(now - m_numbers.tombstoneSpan), account, cart, account, cart, account, cart,
         bound(request.terms.paymentMethod), account, bound(now), account});
    if (!rows)
        return Failure(rows.error());
    enum { Records, Watermark, Tombstones, Holder, Total, Currency, Methods, OpenRecords, Fence, OrderNumber };
    const Row& row = rows->first();
    const RecordKey key{request.account, request.id};
    ClaimFacts facts;
    if (numberOf(row.at(Records)) > 0 || idempotency::liesBelow(request.id, timeOf(row.at(Watermark)))) {
        auto ofKey = keyFacts(key, now); // a record, or what is left of one, answers alone
        if (!ofKey)
            return Failure(ofKey.error());
        static_cast<KeyFacts&>(facts) = *std::move(ofKey);
        return facts;
    }
    facts.newTombstones = row.at(Tombstones).toInt();
    if (const auto room = findRoom(request.account, now, facts); !room)
        return Failure(room.error());
    facts.cartHolder = ActionId::parseAnyForm(textOf(row.at(Holder)));
    facts.cartTotal = moneyOf(row.at(Total), row.at(Currency));
    if (facts.cartHolder.has_value() == row.at(Holder).isNull() || facts.cartTotal.has_value() == row.at(Total).isNull())
        return Failure(StorageError::Damaged);
    facts.paymentMethodKnown = numberOf(row.at(Methods)) > 0;
    facts.openRecords = row.at(OpenRecords).toInt();
    facts.nextFence = numberOf(row.at(Fence)) + 1;
    facts.nextOrderNumber = std::to_string(numberOf(row.at(OrderNumber)) + 1);
    return facts;
}

Result<int, StorageError> ServerLedger::newTombstones(const std::string& account, WallTime now)
{
    // Left alone, SQLite walks the bank keys that are NULL: the tombstones of everybody.
    const auto rows =
        m_database.select(QStringLiteral("SELECT count(*) FROM key_records INDEXED BY tombstones_of_account "
                                         "WHERE account = ? AND bank_key IS NULL AND state = 'abandoned' AND first_seen > ?"),
                          {bound(account), bound(now - m_numbers.tombstoneSpan)});
    if (!rows)
        return Failure(rows.error());
    return rows->first().first().toInt();
}

Result<void, StorageError> ServerLedger::findRoom(const std::string& account, WallTime now, KeyFacts& facts)
{
    if (facts.newTombstones < m_numbers.tombstonesMost)
        return {};
    const auto rows = m_database.select(
        QStringLiteral("SELECT first_seen FROM key_records INDEXED BY tombstones_of_account WHERE account = ? "
                       "AND bank_key IS NULL AND state = 'abandoned' AND first_seen > ? ORDER BY first_seen LIMIT 1 OFFSET ?"),
        {bound(account), bound(now - m_numbers.tombstoneSpan),
         bound(std::int64_t{facts.newTombstones - m_numbers.tombstonesMost})});
    if (!rows)
        return Failure(rows.error());
    facts.roomAt = timeOf(rows->value(0).value(0)) + m_numbers.tombstoneSpan;
    return {};
}

Result<WallTime, StorageError> ServerLedger::readWatermark()
{
    const auto rows = m_database.select(QStringLiteral("SELECT value FROM counters WHERE name = 'watermark'"));
    if (!rows)
        return Failure(rows.error());
    return timeOf(rows->value(0).value(0));
}

Result<std::optional<KeyRecord>, StorageError> ServerLedger::purgedWord(const RecordKey& key)
{
    const auto watermark = readWatermark();
    if (!watermark)
        return Failure(watermark.error());
    if (!idempotency::liesBelow(key.id, *watermark))
        return std::optional<KeyRecord>();
    auto kept = findKeptByOrder(m_database, key);
    if (!kept)
        return Failure(kept.error());
    if (*kept && (*kept)->state != values::RecordState::Abandoned)
        (*kept)->answer = m_render(**kept);
    return wordOfPurged(key, *watermark, *kept);
}

Result<std::optional<KeyRecord>, StoreError> ServerLedger::findPurged(const RecordKey& key)
{
    const auto found = findRow(key.account, key.id);
    if (!found)
        return Failure(toStoreError(found.error()));
    if (*found)
        return std::optional<KeyRecord>();
    return purgedWord(key).map_error(toStoreError);
}

Result<WallTime, StoreError> ServerLedger::raiseWatermark(WallTime to)
{
    const auto work = [&]() -> Result<WallTime, StorageError> {
        const auto raised = m_database.change(
            QStringLiteral("UPDATE counters SET value = ? WHERE name = 'watermark' AND value < ?"), {bound(to), bound(to)});
        if (!raised)
            return Failure(raised.error());
        return readWatermark();
    };
    return undoable(m_database, work).map_error(toStoreError);
}

// The text of a version 7 UUID begins with its time, so the first one of the watermark parts the older from the younger. A
// key of another form tells no time: the watermark is not for it.
Result<int, StoreError> ServerLedger::purge(int limit)
{
    CHECK(limit >= 0);
    const auto work = [&]() -> Result<int, StorageError> {
        const auto watermark = readWatermark();
        if (!watermark)
            return Failure(watermark.error());
        const QVariant firstKey = bound(ActionId::mint(*watermark, {}));
        const auto gone = m_database.change(
            QStringLiteral("DELETE FROM key_records WHERE (account, action_id) IN (SELECT account, action_id FROM key_records "
                           "WHERE settled_at < ? AND action_id < ? AND state IN ('succeeded', 'failed', 'abandoned') AND ") +
                kIsUuidV7 + QStringLiteral(" LIMIT ?)"),
            {bound(*watermark), firstKey, bound(std::int64_t{limit})});
        if (!gone)
            return Failure(gone.error());
        // Only behind the last of them: what goes need not lose its answer first, and each look is one at all old records.
        if (*gone == limit)
            return limit;
        const auto dropped =
            m_database.change(QStringLiteral("UPDATE key_records SET answer_status = NULL, answer_body = NULL "
                                             "WHERE settled_at < ? AND action_id >= ? AND answer_status IS NOT NULL AND ") +
                                  kIsUuidV7,
                              {bound(*watermark), firstKey});
        if (!dropped)
            return Failure(dropped.error());
        const auto signUps =
            m_database.change(QStringLiteral("UPDATE key_records SET answer_status = NULL, answer_body = NULL "
                                             "WHERE settled_at < ? AND kind = 'account' AND answer_status IS NOT NULL"),
                              {bound(idempotency::accountAnswersFrom(*watermark, m_numbers))});
        if (!signUps)
            return Failure(signUps.error());
        return static_cast<int>(*gone);
    };
    return undoable(m_database, work).map_error(toStoreError);
}

} // namespace payonce::storage
