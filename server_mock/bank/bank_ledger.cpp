#include "bank/bank_ledger.h"

#include "bank/bank_state.h"
#include "storage/binding.h"
#include "storage/server_ledger.h"
#include "storage/undoable.h"

#include <utility>

namespace payonce::bank {

using idempotency::BankRow;
using idempotency::BankState;
using idempotency::StoreError;
using storage::bound;
using storage::StorageError;
using storage::textOf;
using storage::toStoreError;
using values::Failure;
using values::Result;

namespace {

/// `PBnk`: how a bank's database is told from others.
constexpr std::int32_t kApplicationId = 0x50426e6b;

const QStringList kSteps{QStringLiteral(":/schema/bank_1.sql"), QStringLiteral(":/schema/bank_2.sql"),
                         QStringLiteral(":/schema/bank_3.sql")};

} // namespace

storage::Schema bankSchema()
{
    return {kApplicationId, kSteps};
}

BankLedger::Outcome<std::unique_ptr<BankLedger>> BankLedger::open(const storage::Location& location,
                                                                  const std::string& newBankId)
{
    auto database = storage::Database::open(location, bankSchema());
    if (!database)
        return Failure(toStoreError(database.error()));
    std::unique_ptr<BankLedger> ledger(new BankLedger(std::move(*database)));
    if (const auto read = ledger->readBankId(newBankId); !read)
        return Failure(toStoreError(read.error()));
    return ledger;
}

Result<void, StorageError> BankLedger::readBankId(const std::string& newBankId)
{
    const auto added = m_database->change(
        QStringLiteral("INSERT INTO meta (name, value) VALUES ('bank_id', ?) ON CONFLICT DO NOTHING"), {bound(newBankId)});
    if (!added)
        return Failure(added.error());
    const auto rows = m_database->select(QStringLiteral("SELECT value FROM meta WHERE name = 'bank_id'"));
    if (!rows)
        return Failure(rows.error());
    m_bankId = textOf(rows->value(0).value(0));
    return {};
}

BankLedger::Outcome<void> BankLedger::beginBatch()
{
    return m_database->begin().map_error(toStoreError);
}

BankLedger::Outcome<void> BankLedger::commitBatch()
{
    return m_database->commit().map_error(toStoreError);
}

std::optional<StoreError> BankLedger::whyUnsaved() const
{
    return storage::whyUnsaved(*m_database);
}

BankLedger::Outcome<void> BankLedger::change(const QString& sql, const QVariantList& values)
{
    const auto work = [&]() -> Result<void, StorageError> { return done(m_database->change(sql, values)); };
    return storage::undoable(*m_database, work).map_error(toStoreError);
}

BankLedger::Outcome<void> BankLedger::keepCard(const std::string& paymentMethod, const Card& card, values::WallTime now)
{
    return change(QStringLiteral("INSERT INTO cards (payment_method, decline_code, brand, last4, at) VALUES (?, ?, ?, ?, ?)"),
                  {bound(paymentMethod), bound(card.declineCode), bound(card.brand), bound(card.lastFour),
                   bound(values::toRfc3339(now))});
}

// A payment method that this bank never gave out is declined like a card it does not want.
BankLedger::Outcome<std::string> BankLedger::declineCodeOf(const std::string& paymentMethod)
{
    const auto rows =
        m_database->select(QStringLiteral("SELECT decline_code FROM cards WHERE payment_method = ?"), {bound(paymentMethod)});
    if (!rows)
        return Failure(toStoreError(rows.error()));
    return rows->isEmpty() ? std::string("generic_decline") : textOf(rows->first().first());
}

BankLedger::Outcome<BankRow> BankLedger::charge(const ChargeOrder& order, const ChargeStamp& stamp)
{
    const auto code = declineCodeOf(order.paymentMethod);
    if (!code)
        return Failure(code.error());
    const bool isApproved = code->empty();
    const BankState state = isApproved ? BankState::Approved : BankState::Declined;
    const QVariantList values{bound(order.key),
                              bound(std::string_view(nameOf(state))),
                              bound(order.actionId),
                              isApproved ? bound(stamp.chargeId) : QVariant(),
                              bound(order.amount.minorUnits),
                              bound(order.amount.currency.code()),
                              isApproved ? QVariant() : bound(*code),
                              bound(values::toRfc3339(stamp.now))};
    // Only who writes the row has something to tell: the event is the charge's, in one part of the transaction with it.
    const auto work = [&]() -> Result<void, StorageError> {
        const auto inserted = m_database->change(
            QStringLiteral("INSERT INTO charges (bank_key, state, action_id, charge_id, amount, currency, decline_code, at) "
                           "VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (bank_key) DO NOTHING"),
            values);
        if (!inserted)
            return Failure(inserted.error());
        if (const auto put = *inserted == 1 ? m_events.put(order.key, stamp.now) : Result<void, StorageError>(); !put)
            return put;
        return !order.inside || order.inside() ? Result<void, StorageError>() : Failure(StorageError::DiskFull);
    };
    if (const auto written = storage::undoable(*m_database, work); !written)
        return Failure(toStoreError(written.error()));
    return lookup(order.key);
}

BankLedger::Outcome<BankRow> BankLedger::lookup(const values::BankKey& key)
{
    const auto rows = m_database->select(
        QStringLiteral("SELECT state, charge_id, decline_code FROM charges WHERE bank_key = ?"), {bound(key)});
    if (!rows)
        return Failure(toStoreError(rows.error()));
    if (rows->isEmpty())
        return BankRow{};
    const storage::Row& row = rows->first();
    const auto state = stateOf(textOf(row.at(0)));
    if (!state)
        return Failure(StoreError::Damaged);
    return BankRow{*state, textOf(row.at(1)), textOf(row.at(2))};
}

BankLedger::Outcome<BankRow> BankLedger::fence(const values::BankKey& key, values::WallTime now)
{
    const auto added = change(
        QStringLiteral("INSERT INTO charges (bank_key, state, at) VALUES (?, 'fenced', ?) ON CONFLICT (bank_key) DO NOTHING"),
        {bound(key), bound(values::toRfc3339(now))});
    if (!added)
        return Failure(added.error());
    return lookup(key);
}

BankLedger::Outcome<std::vector<WaitingEvent>> BankLedger::takeEvents(values::WallTime now, std::chrono::milliseconds lease,
                                                                      int limit)
{
    return storage::undoable(*m_database, [&] { return m_events.takeDue(now, lease, limit); }).map_error(toStoreError);
}

BankLedger::Outcome<void> BankLedger::endEvent(const WaitingEvent& event, EventEnd how, values::WallTime now)
{
    return storage::undoable(*m_database, [&] { return m_events.end(event, how, now); }).map_error(toStoreError);
}

BankLedger::Outcome<void> BankLedger::clear()
{
    if (const auto cleared = change(QStringLiteral("DELETE FROM events"), {}); !cleared)
        return cleared;
    if (const auto cleared = change(QStringLiteral("DELETE FROM charges"), {}); !cleared)
        return cleared;
    return change(QStringLiteral("DELETE FROM cards"), {});
}

} // namespace payonce::bank
