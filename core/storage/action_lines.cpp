#include "storage/action_lines.h"

#include "storage/binding.h"
#include "storage/record_rows.h"
#include "storage/server_ledger.h"
#include "values/check.h"

#include <utility>

namespace payonce::storage {

using idempotency::StoreError;
using values::Failure;
using values::Result;

namespace {

/// The columns in the order of both statements.
enum Column {
    Place,
    Account,
    ActionKey,
    State,
    BankKeyText,
    RecordCharge,
    At,
    Discrepancy,
    OrderKey,
    Number,
    CartId,
    AmountMinor,
    Currency,
    Status,
    OrderCharge,
    CreatedAt
};

QString columnsOf(const char* place)
{
    return QStringLiteral("SELECT %1.rowid, %1.account, %1.action_id, r.state, r.bank_key, r.charge_id, "
                          "COALESCE(r.first_seen, o.created_at), ")
               .arg(QLatin1String(place)) +
           discrepancyOf(place) +
           QStringLiteral(", o.id, o.number, o.cart_id, o.amount_minor, o.currency, o.status, o.charge_id, o.created_at ");
}

QString recordsWhere(const QString& condition)
{
    return columnsOf("r") +
           QStringLiteral("FROM key_records AS r LEFT JOIN orders AS o ON o.account = r.account AND o.action_id = r.action_id "
                          "WHERE r.kind <> 'support' AND ") +
           condition;
}

Result<void, StorageError> takeOrder(const Row& row, std::optional<OrderLine>& order)
{
    if (row.at(OrderKey).isNull())
        return {};
    const auto amount = moneyOf(row.at(AmountMinor), row.at(Currency));
    const auto status = idempotency::orderStatusOf(textOf(row.at(Status)));
    if (!amount || !status)
        return Failure(StorageError::Damaged);
    order = OrderLine{textOf(row.at(OrderKey)),    textOf(row.at(Number)),   textOf(row.at(CartId)), *amount, *status,
                      textOf(row.at(OrderCharge)), timeOf(row.at(CreatedAt))};
    return {};
}

Result<ActionLine, StorageError> lineOf(const Row& row)
{
    ActionLine line;
    if (const auto taken = takeOrder(row, line.order); !taken)
        return Failure(taken.error());
    line.place = numberOf(row.at(Place));
    line.account = textOf(row.at(Account));
    line.actionId = textOf(row.at(ActionKey));
    line.state = values::recordStateOf(textOf(row.at(State)));
    line.bankKey = textOf(row.at(BankKeyText));
    line.chargeId = textOf(row.at(RecordCharge));
    line.at = timeOf(row.at(At));
    line.hasDiscrepancy = row.at(Discrepancy).toBool();
    if (line.state.has_value() == row.at(State).isNull())
        return Failure(StorageError::Damaged);
    return line;
}

} // namespace

ActionLines::Lines ActionLines::withRecord(std::int64_t before, int limit)
{
    CHECK(limit >= 0);
    return linesOf(recordsWhere(QStringLiteral("r.rowid < ? ORDER BY r.rowid DESC LIMIT ?")),
                   {bound(before), bound(std::int64_t{limit})});
}

ActionLines::Lines ActionLines::withOrder(std::int64_t before, int limit)
{
    CHECK(limit >= 0);
    return linesOf(columnsOf("o") + QStringLiteral("FROM orders AS o LEFT JOIN key_records AS r ON r.account = o.account AND "
                                                   "r.action_id = o.action_id WHERE o.rowid < ? ORDER BY o.rowid DESC LIMIT ?"),
                   {bound(before), bound(std::int64_t{limit})});
}

ActionLines::Lines ActionLines::ofBankKey(const std::string& bankKey)
{
    return linesOf(recordsWhere(QStringLiteral("r.bank_key = ?")), {bound(bankKey)});
}

Result<std::int64_t, StoreError> ActionLines::mailCount()
{
    const auto rows = m_database.select(QStringLiteral("SELECT count(*) FROM mails"));
    if (!rows)
        return Failure(toStoreError(rows.error()));
    return numberOf(rows->first().first());
}

ActionLines::Lines ActionLines::linesOf(const QString& sql, const QVariantList& values)
{
    const auto rows = m_database.select(sql, values);
    if (!rows)
        return Failure(toStoreError(rows.error()));
    std::vector<ActionLine> lines;
    lines.reserve(static_cast<std::size_t>(rows->size()));
    for (const Row& row : *rows) {
        auto line = lineOf(row);
        if (!line)
            return Failure(toStoreError(line.error()));
        lines.push_back(*std::move(line));
    }
    return lines;
}

} // namespace payonce::storage
