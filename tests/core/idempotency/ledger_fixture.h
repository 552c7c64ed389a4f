// LedgerFixture: a bench for each test, and the port's calls in batches of their own.
#pragma once

#include "core/idempotency/ledger_bench.h"
#include "core/idempotency/ledger_samples.h"

#include <QtCore/QObject>

#include <functional>
#include <memory>
#include <type_traits>

namespace payonce::tests {

/// The value; a store error ends the test program.
template <class T> T valueOrFail(const values::Result<T, idempotency::StoreError>& result)
{
    if (!result)
        qFatal("the store failed: %d", static_cast<int>(result.error()));
    return *result;
}

inline void orFail(const values::Result<void, idempotency::StoreError>& result)
{
    if (!result)
        qFatal("the store failed: %d", static_cast<int>(result.error()));
}

/// What `work` returns, done in a batch of its own; a store error ends the test program.
template <class Ledger, class Work> auto inBatch(Ledger& ledger, Work work)
{
    orFail(ledger.beginBatch());
    if constexpr (std::is_same_v<decltype(work()), values::Result<void, idempotency::StoreError>>) {
        orFail(work());
        orFail(ledger.commitBatch());
    } else {
        auto result = valueOrFail(work());
        orFail(ledger.commitBatch());
        return result;
    }
}

/// The account `kAccount` has the card `kCard`, and `acct_b` one called `pm_known_b`. At most 20 open records
/// and 5 new tombstones an account.
class LedgerFixture : public QObject
{
    Q_OBJECT

public:
    using MakeBench = std::function<std::unique_ptr<LedgerBench>(const idempotency::LedgerNumbers&)>;

protected:
    explicit LedgerFixture(MakeBench makeBench);

    [[nodiscard]] LedgerBench& bench() { return *m_bench; }
    [[nodiscard]] idempotency::LedgerStore& store() { return m_bench->store(); }
    /// Each in a batch of its own; a store error fails the test.
    idempotency::ClaimDecision claim(const idempotency::ClaimRequest& request, const idempotency::ClaimStamp& stamp);
    idempotency::KeyRecord claimed(std::uint8_t number, const std::string& cartId = "own-cart");
    /// By kServer at `now`; the work answers `answer`.
    idempotency::OnceDecision claimOnce(const idempotency::OnceRequest& request, values::WallTime now = samples::kNow,
                                        const idempotency::StoredAnswer& answer = {201, "{}"});
    /// How often the work of claimOnce() ran in this test.
    [[nodiscard]] int runs() const { return m_runs; }
    idempotency::KeyRecord settle(const idempotency::Ownership& by, const idempotency::BankRow& row);
    idempotency::AbandonDecision abandon(std::uint8_t number, const std::string& account = samples::kAccount);
    /// By `owner`, a second after kNow.
    idempotency::KeyRecord takeOverAndSettle(std::uint8_t number, const std::string& owner, const idempotency::BankRow& row);
    idempotency::KeyRecord markUnknown(const idempotency::Ownership& by);
    std::vector<idempotency::KeyRecord> takeOver(const std::string& owner, values::WallTime now, int limit = 100,
                                                 const std::vector<values::ActionId>& busy = {});
    void raiseWatermark(values::WallTime to);
    int purge(int limit = 100);
    [[nodiscard]] std::optional<idempotency::KeyRecord> foundPurged(std::uint8_t number);
    [[nodiscard]] std::optional<idempotency::KeyRecord> found(std::uint8_t number);

private Q_SLOTS:
    void init();
    void cleanup();

private:
    MakeBench m_makeBench;
    std::unique_ptr<LedgerBench> m_bench;
    int m_runs = 0;
};

} // namespace payonce::tests
