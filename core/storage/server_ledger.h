// ServerLedger: the shop's key records and orders in SQLite or PostgreSQL (docs/contract.md, States of a record).
#pragma once

#include "idempotency/ledger_store.h"
#include "storage/record_rows.h"

#include <memory>

namespace payonce::storage {

/// The shop's database, new or brought up to date. One writer thread opens and uses it.
[[nodiscard]] values::Result<std::unique_ptr<Database>, StorageError> openShopDatabase(const Location& location,
                                                                                       const OpenOptions& options = {});

[[nodiscard]] idempotency::StoreError toStoreError(StorageError error);
/// Database::whyUnsaved(), as a store says it.
[[nodiscard]] std::optional<idempotency::StoreError> whyUnsaved(const Database& database);

/// LedgerStore over a database of openShopDatabase(), which outlives it. Several servers may work on one database: a batch
/// begins when no other one writes, so its claims and takeovers rest on facts that stay true until it ends (the watermark among
/// them). A batch is one transaction of that database and covers ShopTables on the same database too; every call in it is
/// undone alone if it fails. Once the disk is full SQLite may give up the whole transaction: then every later call of the batch
/// and commitBatch() fail, and nothing is kept. settle() and markUnknown() of a record that is gone (ShopTables::reset) are
/// Unavailable.
class ServerLedger : public idempotency::LedgerStore
{
public:
    ServerLedger(Database& database, idempotency::AnswerRenderer render, const idempotency::LedgerNumbers& numbers = {});

    [[nodiscard]] values::Result<void, idempotency::StoreError> beginBatch() override;
    [[nodiscard]] values::Result<void, idempotency::StoreError> commitBatch() override;
    [[nodiscard]] values::Result<idempotency::ClaimDecision, idempotency::StoreError>
    claim(const idempotency::ClaimRequest& request, const idempotency::ClaimStamp& stamp) override;
    /// The work may use ShopTables and the like on the same database.
    [[nodiscard]] values::Result<idempotency::OnceDecision, idempotency::StoreError>
    claimOnce(const idempotency::OnceRequest& request, const idempotency::WriterStamp& stamp,
              const idempotency::OnceWork& work) override;
    [[nodiscard]] values::Result<idempotency::KeyRecord, idempotency::StoreError>
    settle(const idempotency::Ownership& by, const idempotency::BankRow& row, values::WallTime now) override;
    [[nodiscard]] values::Result<idempotency::AbandonDecision, idempotency::StoreError>
    abandon(const idempotency::RecordKey& key, const idempotency::WriterStamp& stamp) override;
    [[nodiscard]] values::Result<idempotency::KeyRecord, idempotency::StoreError>
    takeOverAndSettle(const idempotency::RecordKey& key, const idempotency::WriterStamp& stamp,
                      const idempotency::BankRow& row) override;
    [[nodiscard]] values::Result<idempotency::KeyRecord, idempotency::StoreError>
    markUnknown(const idempotency::Ownership& by) override;
    [[nodiscard]] values::Result<std::vector<idempotency::KeyRecord>, idempotency::StoreError>
    takeOverOpen(const std::string& owner, values::WallTime now, int limit, const std::vector<values::ActionId>& busy) override;
    [[nodiscard]] values::Result<std::optional<idempotency::KeyRecord>, idempotency::StoreError>
    findPurged(const idempotency::RecordKey& key) override;
    [[nodiscard]] values::Result<values::WallTime, idempotency::StoreError> raiseWatermark(values::WallTime to) override;
    [[nodiscard]] values::Result<int, idempotency::StoreError> purge(int limit) override;
    [[nodiscard]] values::Result<std::optional<idempotency::KeyRecord>, idempotency::StoreError>
    find(const std::string& account, const values::ActionId& id) override;

    /// takeOverAndSettle() for a caller that has a part of the transaction of its own, in which more happens.
    [[nodiscard]] values::Result<idempotency::KeyRecord, StorageError>
    settleInPart(const idempotency::RecordKey& key, const idempotency::WriterStamp& stamp, const idempotency::BankRow& row);

private:
    template <class T> using Stored = values::Result<T, StorageError>;

    [[nodiscard]] Stored<std::optional<RecordRow>> findRow(const std::string& account, const values::ActionId& id);
    [[nodiscard]] Stored<idempotency::KeyFacts> keyFacts(const idempotency::RecordKey& key, values::WallTime now);
    [[nodiscard]] Stored<idempotency::ClaimFacts> gatherFacts(const idempotency::ClaimRequest& request, values::WallTime now);
    [[nodiscard]] Stored<values::WallTime> readWatermark();
    [[nodiscard]] Stored<int> newTombstones(const std::string& account, values::WallTime now);
    /// Fills in roomAt, where newTombstones is at its most.
    [[nodiscard]] Stored<void> findRoom(const std::string& account, values::WallTime now, idempotency::KeyFacts& facts);
    /// wordOfPurged() of a key that has no record.
    [[nodiscard]] Stored<std::optional<idempotency::KeyRecord>> purgedWord(const idempotency::RecordKey& key);
    [[nodiscard]] Stored<idempotency::ClaimDecision> claimNow(const idempotency::ClaimRequest& request,
                                                              const idempotency::ClaimStamp& stamp);
    [[nodiscard]] Stored<void> writeClaimed(const idempotency::KeyRecord& record);
    /// The record `by` speaks of; Failed if there is none.
    [[nodiscard]] Stored<idempotency::KeyRecord> owned(const idempotency::Ownership& by);
    /// Settles a record that the caller may write; it stays as it is where the row settles nothing.
    [[nodiscard]] Stored<idempotency::KeyRecord> settleRecord(const idempotency::KeyRecord& record,
                                                              const idempotency::BankRow& row, values::WallTime now);
    [[nodiscard]] Stored<idempotency::KeyRecord> takeOverOne(const RecordRow& row, const idempotency::WriterStamp& stamp);
    [[nodiscard]] Stored<idempotency::FenceNumber> newestFence();
    [[nodiscard]] Stored<void> keepFence(idempotency::FenceNumber newest);
    [[nodiscard]] Stored<void> writeSettled(const idempotency::KeyRecord& record);
    [[nodiscard]] Stored<void> putReceipt(const idempotency::KeyRecord& record, values::WallTime now);
    [[nodiscard]] Stored<std::vector<RecordRow>> dueForTakeOver(const std::string& owner, values::WallTime now, int limit,
                                                                const std::vector<values::ActionId>& busy);
    [[nodiscard]] Stored<std::vector<idempotency::KeyRecord>> takeOver(const std::vector<RecordRow>& due,
                                                                       const std::string& owner, values::WallTime now);
    [[nodiscard]] Stored<void> writeTakenOver(const idempotency::KeyRecord& record, const idempotency::AskPlan& plan);

    Database& m_database;
    idempotency::AnswerRenderer m_render;
    idempotency::LedgerNumbers m_numbers;
};

} // namespace payonce::storage
