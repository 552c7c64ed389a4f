// Rows of the bank as people count them.
#pragma once

#include "idempotency/key_record.h"
#include "idempotency/ledger_store.h"
#include "storage/database.h"
#include "values/money.h"

#include <cstdint>
#include <string>
#include <vector>

namespace payonce::bank {

/// An approved or declined row.
struct ChargeEntry
{
    std::string chargeId; ///< empty for a decline
    std::string actionId;
    values::Money amount;
    idempotency::BankState state = idempotency::BankState::Approved;
    std::string at; ///< RFC 3339
    std::string bankKey{};
    std::int64_t place = 0; ///< newer ones have a greater one
};

using ChargeEntries = values::Result<std::vector<ChargeEntry>, idempotency::StoreError>;

/// In the order they were made, at most 100,000.
[[nodiscard]] ChargeEntries chargesIn(storage::Database& database);
/// A page of them, newest first, below the place `before`.
[[nodiscard]] ChargeEntries newestChargesIn(storage::Database& database, std::int64_t before, int limit);

} // namespace payonce::bank
