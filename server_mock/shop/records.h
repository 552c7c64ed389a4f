// The shop's verbs on its ledger: asynchronous, on the main thread, each told only after its commit.
#pragma once

#include "idempotency/ledger_store.h"
#include "shop/metrics.h"
#include "shop/shop_store.h"
#include "shop/waiting_room.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace payonce::shop {

/// Bound into every fingerprint, and stored with each record: a later rule of comparison gets another id.
inline constexpr const char* kPolicyId = "payonce-1";

/// Wall time, read on the main thread.
using Clock = std::function<values::WallTime()>;
/// Monotonic time since any moment.
using Uptime = std::function<std::chrono::milliseconds()>;

class Records
{
public:
    template <class T> using Done = std::function<void(Outcome<T>)>;

    /// Asked at each save: does this one fail, as with a full disk? For the simulator.
    using FailsSave = std::function<bool()>;

    /// `owner` is this instance of the server. Records that settle wake who waits for them, after `done`.
    Records(LedgerWriter& writer, WaitingRoom& waiting, Metrics& metrics, Clock clock, std::string owner, FailsSave failsSave);

    /// Mints what the record would get: its bank key has the action's time and fresh random bits.
    void claim(const idempotency::ClaimRequest& request, Done<idempotency::ClaimDecision> done);
    /// For kinds without a bank: `work` runs on the writer thread, in the transaction that writes the record.
    using StoreWork = std::function<Outcome<idempotency::OnceOutcome>(ShopStore&, const idempotency::KeyRecord&)>;
    void claimOnce(const idempotency::OnceRequest& request, StoreWork onceWork, Done<idempotency::OnceDecision> done);
    /// `record`: as it was when its owner last saw it.
    void settle(const idempotency::KeyRecord& record, const idempotency::BankRow& row, Done<idempotency::KeyRecord> done);
    void markUnknown(const idempotency::KeyRecord& record, Done<idempotency::KeyRecord> done);
    void abandon(const idempotency::RecordKey& key, Done<idempotency::AbandonDecision> done);
    /// For who is not the owner: settles an open record for this instance, whoever had it.
    void takeOverAndSettle(const idempotency::KeyRecord& record, const idempotency::BankRow& row,
                           Done<idempotency::KeyRecord> done);
    void takeOverOpen(int limit, const std::vector<values::ActionId>& busy, Done<std::vector<idempotency::KeyRecord>> done);
    void find(const std::string& account, const values::ActionId& id, Done<std::optional<idempotency::KeyRecord>> done);

    /// Why the newest records could not be saved; empty: they were.
    [[nodiscard]] batch::Failed whyUnsaved() const { return m_writer.whyUnsaved(); }

    /// Wakes who waits here for a record that another server has settled.
    void wakeForSettledElsewhere();

    /// Work on the ledger that is no record: carts, cards.
    template <class T> void work(std::function<Outcome<T>(ShopStore&)> work, Done<T> done)
    {
        if (m_failsSave())
            work = [](ShopStore&) -> Outcome<T> { return values::Failure(idempotency::StoreError::DiskFull); };
        m_writer.submit<T>(std::move(work), ifStillWanted(std::move(done)));
    }
    /// As work(), but told even if forgetAll() came meanwhile.
    template <class T> void workRegardless(std::function<Outcome<T>(ShopStore&)> work, Done<T> done)
    {
        m_writer.submit<T>(std::move(work), std::move(done));
    }

    /// From now on nothing that was asked for before is told to anybody (but workRegardless()).
    void forgetAll() { ++m_epoch; }
    /// Changes with every forgetAll().
    [[nodiscard]] std::uint64_t epoch() const { return m_epoch; }
    /// `next`, which does nothing once forgetAll() has come: for work that goes on later.
    template <class Next> [[nodiscard]] auto ifStillWanted(Next next) const
    {
        return [this, next = std::move(next), epoch = m_epoch](auto&&... told) {
            if (epoch == m_epoch)
                next(std::forward<decltype(told)>(told)...);
        };
    }

private:
    /// Counts it if it was settled at `now`, tells it, then wakes who waits for a record that is settled.
    [[nodiscard]] Done<idempotency::KeyRecord> thenWake(values::WallTime now, Done<idempotency::KeyRecord> done);
    template <class Decision> void count(idempotency::RecordKind kind, const Decision& decision);
    void countEnd(const idempotency::KeyRecord& record);
    [[nodiscard]] idempotency::Ownership ownershipOf(const idempotency::KeyRecord& record) const;

    LedgerWriter& m_writer;
    WaitingRoom& m_waiting;
    Metrics& m_metrics;
    Clock m_clock;
    std::string m_owner;
    FailsSave m_failsSave;
    std::uint64_t m_epoch = 0;
};

} // namespace payonce::shop
