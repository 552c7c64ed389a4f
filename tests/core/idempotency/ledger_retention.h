// The part of the conformance suite about retention: a purged key is never run as new, and its order answers for it.
#pragma once

#include "core/idempotency/ledger_abandons.h"

namespace payonce::tests {

class LedgerRetention : public LedgerAbandons
{
    Q_OBJECT

protected:
    using LedgerAbandons::LedgerAbandons;

private Q_SLOTS:
    void purgedRecord_isAnsweredByItsOrder_data();
    void purgedRecord_isAnsweredByItsOrder();
    void purgedKey_isNeverRunAsNew();
    void purgedPayment_holdsItsCartForEver();
    void abandonOfAPurgedKey_writesNothing();
    void watermark_neverSinks();
    void fenceNumbers_outliveThePurge();
    void purgedZombie_changesNothing();
    void openRecord_isNeverPurged();
    void record_staysUntilBothItsTimesAreBelow();
    void purge_isBounded();
    void keyOfAnotherForm_isKeptForEver_data();
    void keyOfAnotherForm_isKeptForEver();
};

} // namespace payonce::tests
