// What the bank tells its shop by itself: one event a charge or decline, kept until it is delivered (docs/contract.md,
// Webhooks).
#pragma once

#include "idempotency/event_rules.h"
#include "storage/database.h"

#include <vector>

namespace payonce::bank {

/// The transition a charge or a decline is; the first, that the bank was asked at all, is told to nobody.
inline constexpr std::int64_t kDecisionSequence = 2;

/// An event that was taken to be delivered.
struct WaitingEvent
{
    idempotency::BankEvent event;
    int tries = 0; ///< with the one it was taken for
};

enum class EventEnd { Delivered, Failed };

/// Part of BankLedger: on its database and thread, every call within its caller's part of a transaction.
class BankEvents
{
public:
    template <class T> using Stored = values::Result<T, storage::StorageError>;

    explicit BankEvents(storage::Database& database) : m_database(database) {}

    /// For the transaction that charges or declines.
    [[nodiscard]] Stored<void> put(const values::BankKey& key, values::WallTime now);
    /// At most `limit` that are due, the longest waiting first. Nobody else gets them until `now + lease`.
    [[nodiscard]] Stored<std::vector<WaitingEvent>> takeDue(values::WallTime now, std::chrono::milliseconds lease, int limit);
    /// One that failed is tried again by the schedule, and given up after idempotency::kEventTriesMost.
    [[nodiscard]] Stored<void> end(const WaitingEvent& event, EventEnd how, values::WallTime now);

private:
    storage::Database& m_database;
};

} // namespace payonce::bank
