// The ledger in memory: for the simulation and for tests. Same rules as every other store, no disk.
#pragma once

#include "idempotency/ledger_store.h"
#include "idempotency/order.h"

#include <map>
#include <set>
#include <utility>

namespace payonce::idempotency {

/// "Durable" means: survives loseBatch(). A crash of the simulated server is loseBatch() and a new `owner` afterwards.
class MemoryLedgerStore : public LedgerStore
{
public:
    explicit MemoryLedgerStore(AnswerRenderer render, const LedgerNumbers& numbers = {});

    [[nodiscard]] values::Result<void, StoreError> beginBatch() override;
    [[nodiscard]] values::Result<void, StoreError> commitBatch() override;
    [[nodiscard]] values::Result<ClaimDecision, StoreError> claim(const ClaimRequest& request,
                                                                  const ClaimStamp& stamp) override;
    [[nodiscard]] values::Result<OnceDecision, StoreError> claimOnce(const OnceRequest& request, const WriterStamp& stamp,
                                                                     const OnceWork& work) override;
    [[nodiscard]] values::Result<KeyRecord, StoreError> settle(const Ownership& by, const BankRow& row,
                                                               values::WallTime now) override;
    [[nodiscard]] values::Result<AbandonDecision, StoreError> abandon(const RecordKey& key, const WriterStamp& stamp) override;
    [[nodiscard]] values::Result<KeyRecord, StoreError> takeOverAndSettle(const RecordKey& key, const WriterStamp& stamp,
                                                                          const BankRow& row) override;
    [[nodiscard]] values::Result<KeyRecord, StoreError> markUnknown(const Ownership& by) override;
    [[nodiscard]] values::Result<std::vector<KeyRecord>, StoreError>
    takeOverOpen(const std::string& owner, values::WallTime now, int limit, const std::vector<values::ActionId>& busy) override;
    [[nodiscard]] values::Result<std::optional<KeyRecord>, StoreError> findPurged(const RecordKey& key) override;
    [[nodiscard]] values::Result<values::WallTime, StoreError> raiseWatermark(values::WallTime to) override;
    [[nodiscard]] values::Result<int, StoreError> purge(int limit) override;
    [[nodiscard]] values::Result<std::optional<KeyRecord>, StoreError> find(const std::string& account,
                                                                            const values::ActionId& id) override;

    /// What is left after a crash before commitBatch: the state at beginBatch. Nothing happens without an open batch.
    void loseBatch();

    /// A cart the shop knows, with its total.
    void addCart(const std::string& account, const std::string& cartId, const values::Money& total);
    void addPaymentMethod(const std::string& account, const std::string& id);

    /// In the order of their numbers.
    [[nodiscard]] std::vector<Order> orders() const;
    /// By account and ID.
    [[nodiscard]] std::vector<KeyRecord> records() const;

private:
    using Key = std::pair<std::string, values::ActionId>;
    struct Entry
    {
        KeyRecord record;
        AskPlan plan;
    };
    struct State
    {
        std::map<Key, Entry> entries;
        std::map<Key, KeyRecord> keptByOrders; ///< of records that were purged
        values::WallTime watermark{};
        FenceNumber fence = 0;
        std::int64_t orderNumber = 1000; ///< the newest given
    };

    [[nodiscard]] std::optional<KeyRecord> purgedWord(const RecordKey& key) const;
    void settleBy(KeyRecord& record, const BankRow& row, values::WallTime now);
    [[nodiscard]] KeyFacts keyFacts(const RecordKey& key, values::WallTime now) const;
    [[nodiscard]] ClaimFacts gatherFacts(const ClaimRequest& request, values::WallTime now) const;
    void countTombstones(const std::string& account, values::WallTime now, KeyFacts& facts) const;
    [[nodiscard]] std::vector<Key> dueForTakeOver(const std::string& owner, values::WallTime now,
                                                  const std::vector<values::ActionId>& busy) const;

    AnswerRenderer m_render;
    LedgerNumbers m_numbers;
    State m_state;
    std::optional<State> m_atBegin; ///< present while a batch is open
    std::map<std::pair<std::string, std::string>, values::Money> m_carts;
    std::set<std::pair<std::string, std::string>> m_paymentMethods;
};

} // namespace payonce::idempotency
