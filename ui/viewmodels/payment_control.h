// PaymentControl: what the screen needs of the client, so that a test can put any state on the screen.
#pragma once

#include "retry/action_machine.h"

#include <QtCore/QObject>

namespace payonce::viewmodels {

/// Implemented by RunnerPaymentControl over runner::ActionRunner. Lives on the GUI thread; no call blocks.
class PaymentControl : public QObject
{
    Q_OBJECT

public:
    using QObject::QObject;

    [[nodiscard]] virtual const retry::Snapshot& snapshot() const = 0;
    /// Both clocks; the wall clock is this computer's.
    [[nodiscard]] virtual values::Now now() const = 0;

    /// When it returns, the snapshot is no longer Editing.
    virtual void pay(const retry::Purchase& purchase, const retry::Card& card) = 0;
    virtual void tryAgain() = 0;
    virtual void checkAgain() = 0;
    /// Cancel, use another card, or discard, where retry::mayCancel says so.
    virtual void cancel() = 0;
    virtual void startOver() = 0;
    /// The person has seen how it ended.
    virtual void acknowledge() = 0;

Q_SIGNALS:
    /// The snapshot is another one.
    void snapshotChanged();
    /// The journal has been read: a first payment may be offered.
    void ready();
    /// Nothing can be paid until the program is started with a good journal.
    void journalFailed(payonce::retry::JournalError error);
};

} // namespace payonce::viewmodels
