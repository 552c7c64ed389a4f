// The part of the conformance suite about kinds without a bank: claim, work and record in one go.
#pragma once

#include "core/idempotency/ledger_retention.h"

namespace payonce::tests {

class LedgerOnce : public LedgerRetention
{
    Q_OBJECT

protected:
    using LedgerRetention::LedgerRetention;

private Q_SLOTS:
    void onceClaim_runsItsWorkOnceThenAnswersFromTheRecord();
    void onceRecord_isTerminalAndHasNoBankKey_data();
    void onceRecord_isTerminalAndHasNoBankKey();
    void refusalOfTheWork_isNotRemembered();
    void failureOfTheWork_isNotRemembered();
    void crashAmidTheWork_keepsNothing();
    void otherContentOrKind_isAMismatchEitherWay();
    void keyAbandonedBefore_neverRuns();
    void lateSignUp_isTombstonedAsExpired();
    void onceClaims_writeNoTombstoneThatCounts();
    void onceRecord_isNeitherTakenOverNorHoldsAnOrder();
    void onceAccounts_areApart();
    void purgedSignUp_isTooOldAndNeverRunAgain();
    void purgedPayment_isAMismatchForASignUp();
    void answerOfASignUp_isDroppedBeforeItsRecord();
};

} // namespace payonce::tests
