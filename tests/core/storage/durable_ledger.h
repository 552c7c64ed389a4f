// The part of the conformance suite about a database: batches, and several servers on it at once.
#pragma once

#include "core/idempotency/ledger_conformance.h"
#include "core/storage/durable_bench.h"

#include <functional>

namespace payonce::tests {

/// A test program of an engine derives from it and says where an empty database is to be made.
class DurableLedger : public LedgerConformance
{
    Q_OBJECT

public:
    using MakePlace = std::function<storage::Location()>;

protected:
    explicit DurableLedger(const MakePlace& makePlace);

    [[nodiscard]] ShopDatabase& shop() { return static_cast<DurableBench&>(bench()).shop(); }
    [[nodiscard]] storage::Location makePlace() { return m_makePlace(); }

private Q_SLOTS:
    void failingCall_doesNotUndoTheOthersOfItsBatch();
    void undoneWork_takesItsRowsWithItAndNothingElse_data();
    void undoneWork_takesItsRowsWithItAndNothingElse();
    void lockedDatabase_beginsNoBatch();
    void damagedRow_isDamaged_data();
    void damagedRow_isDamaged();
    void expiredCard_isNotKnown();
    void claimersOfOneKey_executeOnce();
    void claimersOfOneCart_executeOnce();
    void claimers_neverShareAFenceOrAnOrderNumber();
    void writersOfOneRecord_settleItOnce();
    void lapsedRecords_areTakenOverByOneServerEach();
    void openClaim_keepsThePurgeWaiting();
    void claimAndPurge_neverRunAKeyTwice();
    void firstServers_makeTheDatabaseTogether();

private:
    MakePlace m_makePlace;
};

} // namespace payonce::tests
