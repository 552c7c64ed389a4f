// The words of payments: this computer's own, and another device's that holds the same order.
#pragma once

#include "viewmodels/words_of_kind.h"

#include <QtCore/QCoreApplication>

namespace payonce::viewmodels {

class PaymentWords : public WordsOfKind
{
    Q_DECLARE_TR_FUNCTIONS(PaymentWords)

public:
    using WordsOfKind::WordsOfKind;

    [[nodiscard]] QString heading() const override;
    [[nodiscard]] QString cancel() const override;
    [[nodiscard]] QString discard() const override;
    [[nodiscard]] QString nextTryIn(std::int64_t seconds) const override;
    [[nodiscard]] QString tryingNow() const override;
    [[nodiscard]] QString endedEarlier(const QString& begun) const override;

protected:
    [[nodiscard]] Words saving() const override;
    [[nodiscard]] Words notStarted() const override;
    [[nodiscard]] Words sending() const override;
    [[nodiscard]] Words confirming() const override;
    [[nodiscard]] Words serverWorking() const override;
    [[nodiscard]] Words retryWait() const override;
    [[nodiscard]] Words offline() const override;
    [[nodiscard]] Words offlineUnknown() const override;
    [[nodiscard]] Words paid() const override;
    [[nodiscard]] Words declined() const override;
    [[nodiscard]] Words notCharged() const override;
    [[nodiscard]] Words fencing() const override;
    [[nodiscard]] Words cancelled() const override;
    [[nodiscard]] Words unresolved() const override;
    [[nodiscard]] Words conflict() const override;

    [[nodiscard]] virtual QString makingSure() const;
    [[nodiscard]] virtual QString unresolvedBecause() const;
    [[nodiscard]] static QString onlyOnce() { return tr("You will not be charged twice."); }
    [[nodiscard]] static QString dontPayElsewhere() { return tr("Do not pay elsewhere yet."); }

private:
    [[nodiscard]] QString notStartedBecause() const;
    [[nodiscard]] QString cardRefused() const;
    [[nodiscard]] QString declinedBecause() const;
    [[nodiscard]] QString fencingBecause() const;
    [[nodiscard]] QString cancelledBecause() const;
    [[nodiscard]] QString conflictBecause() const;
    [[nodiscard]] static QString youWereNotCharged() { return tr("You were not charged."); }
};

/// A payment that another device began. Only what the shop tells of it is known: its amount is in no sentence unless the
/// shop named it, and whoever made it may be charged, so nothing is said about "you".
class AdoptedPaymentWords : public PaymentWords
{
    Q_DECLARE_TR_FUNCTIONS(AdoptedPaymentWords)

public:
    using PaymentWords::PaymentWords;

    [[nodiscard]] QString heading() const override;
    [[nodiscard]] QString cancel() const override;
    [[nodiscard]] QString endedEarlier(const QString& begun) const override;

protected:
    // It is never sent from here, only asked about.
    [[nodiscard]] Words saving() const override { return confirming(); }
    [[nodiscard]] Words notStarted() const override { return confirming(); }
    [[nodiscard]] Words sending() const override { return confirming(); }
    [[nodiscard]] Words retryWait() const override { return confirming(); }
    [[nodiscard]] Words offline() const override { return offlineUnknown(); }
    [[nodiscard]] Words confirming() const override;
    [[nodiscard]] Words serverWorking() const override;
    [[nodiscard]] Words offlineUnknown() const override;
    [[nodiscard]] Words paid() const override;
    [[nodiscard]] Words declined() const override;
    [[nodiscard]] Words notCharged() const override { return cancelled(); }
    [[nodiscard]] Words fencing() const override;
    [[nodiscard]] Words cancelled() const override;
    [[nodiscard]] QString makingSure() const override;
    [[nodiscard]] QString unresolvedBecause() const override;

private:
    [[nodiscard]] static QString itWasNotCharged() { return tr("That payment was not charged."); }
};

} // namespace payonce::viewmodels
