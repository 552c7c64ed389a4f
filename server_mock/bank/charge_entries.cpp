#include "bank/charge_entries.h"

#include "bank/bank_state.h"
#include "storage/binding.h"
#include "storage/server_ledger.h"

#include <utility>

namespace payonce::bank {

using storage::bound;
using storage::StorageError;
using storage::textOf;
using values::Failure;

namespace {

constexpr std::int64_t kListedMost = 100'000;

values::Result<ChargeEntry, StorageError> entryOf(const storage::Row& row)
{
    enum { ChargeId, ActionId, Amount, Currency, State, At, Key, Place };
    const auto amount = storage::moneyOf(row.at(Amount), row.at(Currency));
    const auto state = stateOf(textOf(row.at(State)));
    if (!amount || !state)
        return Failure(StorageError::Damaged);
    return ChargeEntry{textOf(row.at(ChargeId)), textOf(row.at(ActionId)),        *amount, *state, textOf(row.at(At)),
                       textOf(row.at(Key)),      storage::numberOf(row.at(Place))};
}

ChargeEntries entriesWhere(storage::Database& database, const QString& rest, const QVariantList& values)
{
    const auto rows =
        database.select(QStringLiteral("SELECT charge_id, action_id, amount, currency, state, at, bank_key, rowid "
                                       "FROM charges WHERE state <> 'fenced' ") +
                            rest,
                        values);
    if (!rows)
        return Failure(storage::toStoreError(rows.error()));
    std::vector<ChargeEntry> entries;
    for (const storage::Row& row : *rows) {
        auto entry = entryOf(row);
        if (!entry)
            return Failure(storage::toStoreError(entry.error()));
        entries.push_back(*std::move(entry));
    }
    return entries;
}

} // namespace

ChargeEntries chargesIn(storage::Database& database)
{
    return entriesWhere(database, QStringLiteral("ORDER BY rowid LIMIT ?"), {bound(kListedMost)});
}

ChargeEntries newestChargesIn(storage::Database& database, std::int64_t before, int limit)
{
    return entriesWhere(database, QStringLiteral("AND rowid < ? ORDER BY rowid DESC LIMIT ?"),
                        {bound(before), bound(std::int64_t{limit})});
}

} // namespace payonce::bank
