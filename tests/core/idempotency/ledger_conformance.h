// One suite for every LedgerStore: what docs/contract.md says about records, whatever they are kept in.
#pragma once

#include "core/idempotency/ledger_states.h"

namespace payonce::tests {

/// A test program derives from it and says how a bench is made; the claims of LedgerClaims, the
/// abandons of LedgerAbandons, the retention of LedgerRetention, the kinds of LedgerOnce and the table of LedgerStates run
/// with it.
class LedgerConformance : public LedgerStates
{
    Q_OBJECT

protected:
    using LedgerStates::LedgerStates;

private Q_SLOTS:
    void bankRow_settlesRecordOrderAndAnswerTogether_data();
    void bankRow_settlesRecordOrderAndAnswerTogether();
    void silentBankRow_settlesNothing();
    void storedAnswer_isReplayedByteForByte();
    void zombieWriter_changesNothing();
    void secondSettle_answersTheFirst();
    void bankKey_staysTheSameForEver();
    void fenceNumbers_onlyGrow();
    void crashInsideTheBatch_keepsNothingOfIt();
    void committedBatch_survivesACrash();
    void ownRecordAtWork_isNotTakenOverBeforeItsLeaseEnds();
    void silentRecord_isTakenOverLessAndLessOften();
    void takeOver_isBoundedOldestFirstAndLeavesOutTheBusy();
    void amounts_stayExact_data();
    void amounts_stayExact();
    void unknownRecord_cannotBeSettled();
};

} // namespace payonce::tests
