// The part of the conformance suite about abandoning: two durable steps, and only the bank's fence ends an open record.
#pragma once

#include "core/idempotency/ledger_claims.h"

namespace payonce::tests {

class LedgerAbandons : public LedgerClaims
{
    Q_OBJECT

protected:
    using LedgerClaims::LedgerClaims;

private Q_SLOTS:
    void abandonedBeforeItCame_isRefusedForEverWhateverItsBody();
    void openRecord_isNotAbandonedWithoutTheBanksFence_data();
    void openRecord_isNotAbandonedWithoutTheBanksFence();
    void wishToCancel_isNeverCleared();
    void fencedAfterTheWish_isCancelled_data();
    void fencedAfterTheWish_isCancelled();
    void chargedBeforeTheFence_isSettledAsCharged();
    void firstToHearTheBank_takesTheRecordOver();
    void silentBankRow_takesNothingOver();
    void terminalRecord_answersAsItStands_data();
    void terminalRecord_answersAsItStands();
    void abandonOfAnotherAccount_leavesTheRecordAlone();
    void abandonThatWasNotCommitted_isNotKept();
    void unknownRecord_cannotBeTakenOver();
};

} // namespace payonce::tests
