// The part of the conformance suite that is the table of states: what every call makes of every state.
#pragma once

#include "core/idempotency/ledger_once.h"

namespace payonce::tests {

class LedgerStates : public LedgerOnce
{
    Q_OBJECT

protected:
    using LedgerOnce::LedgerOnce;

private Q_SLOTS:
    void everyCall_inEveryState_data();
    void everyCall_inEveryState();
    void anotherServersRecord_isTakenOverOnceItsLeaseHasLapsed();
    void lostServersRecord_isSettledByTheOther();

private:
    void bringInto(const QByteArray& state);
    void make(const QByteArray& call);
    [[nodiscard]] QByteArray state();
};

} // namespace payonce::tests
