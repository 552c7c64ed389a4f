// The first half of the conformance suite: what a claim answers.
#pragma once

#include "core/idempotency/ledger_fixture.h"

namespace payonce::tests {

class LedgerClaims : public LedgerFixture
{
    Q_OBJECT

protected:
    using LedgerFixture::LedgerFixture;

private Q_SLOTS:
    void claim_executesOnceThenAnswersFromTheRecord();
    void otherBody_isAMismatchInEveryState_data();
    void otherBody_isAMismatchInEveryState();
    void newPolicyOfTheShop_comparesUnderTheStoredOne();
    void policyOfANewerVersion_isNeitherTheSameNorAnother();
    void claimedIdentity_isTheOneThatIsSettled();
    void heldCart_isTombstonedForTheSecondAction();
    void paidCart_isHeldForEver();
    void declinedCart_isFreeAgain();
    void lateKey_isTombstonedAsExpiredForEver();
    void refusedClaim_isNotRemembered_data();
    void refusedClaim_isNotRemembered();
    void orderNumbers_countFrom1001WithoutGaps();
    void accounts_areApart();
    void openRecords_areBoundedPerAccount();
    void newTombstones_areBoundedPerAccountAndHour();
};

} // namespace payonce::tests
