// Rows of key_records and orders to values and back. A row that no version of this program writes is Damaged.
#pragma once

#include "idempotency/ledger_rules.h"
#include "idempotency/order.h"
#include "storage/database.h"

namespace payonce::storage {

/// A record with the reconciler's plan for it.
struct RecordRow
{
    idempotency::KeyRecord record;
    idempotency::AskPlan plan;
};

/// An expression: the bank contradicts the order or record of the table named `row`.
[[nodiscard]] QString discrepancyOf(const char* row);

/// `SELECT … FROM key_records … WHERE` for recordOf(); the caller adds the condition.
[[nodiscard]] QString selectRecordsWhere(const QString& condition);
[[nodiscard]] values::Result<RecordRow, StorageError> recordOf(const Row& row);
/// The first row, if there is one.
[[nodiscard]] values::Result<std::optional<RecordRow>, StorageError> firstRecordOf(const Rows& rows);

[[nodiscard]] values::Result<void, StorageError> insertRecord(Database& database, const idempotency::KeyRecord& record);
/// The order row of a record that was just claimed.
[[nodiscard]] values::Result<void, StorageError> insertOrder(Database& database, const idempotency::KeyRecord& record);
/// What the order row of an action keeps of its record, without the answer; empty if there is none.
[[nodiscard]] values::Result<std::optional<idempotency::KeyRecord>, StorageError>
findKeptByOrder(Database& database, const idempotency::RecordKey& key);

/// `SELECT … FROM orders` for orderFromRow(); the caller adds the rest.
[[nodiscard]] QString selectOrders(const QString& rest);
[[nodiscard]] values::Result<idempotency::Order, StorageError> orderFromRow(const Row& row);

} // namespace payonce::storage
