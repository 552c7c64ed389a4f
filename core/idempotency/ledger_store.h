// Port: where key records and orders live. Memory (simulation, tests), SQLite and PostgreSQL (core/storage).
#pragma once

#include "idempotency/once_rules.h"
#include "values/result.h"

#include <functional>
#include <vector>

namespace payonce::idempotency {

enum class StoreError { Unavailable, DiskFull, ReadOnly, Locked, Damaged, NewerVersion };

/// Builds the stored answer of a settled record (JSON, so it comes from outside).
using AnswerRenderer = std::function<StoredAnswer(const KeyRecord&)>;

/// What the work of claimOnce() came to: the answer to keep, or a rule that can change refused it and nothing is remembered.
using OnceOutcome = std::variant<StoredAnswer, RefuseClaim>;
/// Makes the business rows of the record that is about to be written, in the same transaction. Where it fails or refuses,
/// all it wrote is undone.
using OnceWork = std::function<values::Result<OnceOutcome, StoreError>(const KeyRecord&)>;

/// Who owns an open record: account, action, instance and fence number.
struct Ownership
{
    std::string account;
    values::ActionId id;
    std::string owner;
    FenceNumber fence = 0;
};

/// One thread each; several stores may share one database. Every call belongs to the open batch; nothing is durable before
/// commitBatch succeeded. A call that fails changes nothing; the batch goes on.
class LedgerStore
{
public:
    virtual ~LedgerStore() = default;

    [[nodiscard]] virtual values::Result<void, StoreError> beginBatch() = 0;
    /// Group commit: one sync for everything since beginBatch. On failure nothing of the batch is kept.
    [[nodiscard]] virtual values::Result<void, StoreError> commitBatch() = 0;

    /// Gathers the facts, decides by decideClaim, and writes what the decision says.
    [[nodiscard]] virtual values::Result<ClaimDecision, StoreError> claim(const ClaimRequest& request,
                                                                          const ClaimStamp& stamp) = 0;
    /// For kinds without a bank: finds the record, decides by decideOnce, and on RunOnce runs `work` and writes the record with
    /// what it answers. RunOnce and its record as written, or RefuseClaim where the work refused.
    [[nodiscard]] virtual values::Result<OnceDecision, StoreError>
    claimOnce(const OnceRequest& request, const WriterStamp& stamp, const OnceWork& work) = 0;
    /// Record, order and stored answer in one go. Writes nothing for a displaced owner or a terminal record.
    /// Returns the record as it stands afterwards.
    [[nodiscard]] virtual values::Result<KeyRecord, StoreError> settle(const Ownership& by, const BankRow& row,
                                                                       values::WallTime now) = 0;
    /// The first step of an abandon: finds the record, decides by decideAbandon, and writes what the decision says.
    [[nodiscard]] virtual values::Result<AbandonDecision, StoreError> abandon(const RecordKey& key,
                                                                              const WriterStamp& stamp) = 0;
    /// Whoever hears the bank first settles: an open record becomes `owner`'s under the next fence number and is settled, in
    /// one go. Writes nothing for a terminal record or a row that settles nothing. Returns the record as it stands afterwards.
    [[nodiscard]] virtual values::Result<KeyRecord, StoreError>
    takeOverAndSettle(const RecordKey& key, const WriterStamp& stamp, const BankRow& row) = 0;
    /// in_progress -> unknown, under the same owner's condition. Returns the record as it stands afterwards.
    [[nodiscard]] virtual values::Result<KeyRecord, StoreError> markUnknown(const Ownership& by) = 0;
    /// Every open record that `owner` may take over (mayTakeOver()) becomes unknown, owned by `owner` under the next fence
    /// number. At most `limit`, oldest first; leaves out the ones in `busy` (keys this server is asking the bank about right
    /// now).
    [[nodiscard]] virtual values::Result<std::vector<KeyRecord>, StoreError>
    takeOverOpen(const std::string& owner, values::WallTime now, int limit, const std::vector<values::ActionId>& busy) = 0;
    /// Of a key without a record: what wordOfPurged() says.
    [[nodiscard]] virtual values::Result<std::optional<KeyRecord>, StoreError> findPurged(const RecordKey& key) = 0;
    /// From the commit on nothing below it is claimed any more. It never sinks. Returns it as it stands afterwards.
    [[nodiscard]] virtual values::Result<values::WallTime, StoreError> raiseWatermark(values::WallTime to) = 0;
    /// Deletes at most `limit` records below the watermark; only in a later batch than the one that raised it. Returns how many
    /// went. The call that finds fewer also drops the answers that are not kept.
    [[nodiscard]] virtual values::Result<int, StoreError> purge(int limit) = 0;
    [[nodiscard]] virtual values::Result<std::optional<KeyRecord>, StoreError> find(const std::string& account,
                                                                                    const values::ActionId& id) = 0;
};

} // namespace payonce::idempotency
