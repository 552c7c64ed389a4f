#include "viewmodels/payment_words.h"

#include "viewmodels/money_text.h"
#include "viewmodels/state_json.h"

namespace payonce::viewmodels {

using retry::Cause;

QString PaymentWords::heading() const
{
    return tr("Your payment");
}

QString PaymentWords::cancel() const
{
    return tr("Cancel or use another card");
}

QString PaymentWords::discard() const
{
    return tr("Discard this payment");
}

QString PaymentWords::nextTryIn(std::int64_t seconds) const
{
    return tr("Next try in %1 s, same payment.").arg(seconds);
}

QString PaymentWords::tryingNow() const
{
    return tr("Trying now, same payment.");
}

QString PaymentWords::endedEarlier(const QString& begun) const
{
    return tr("This is how your payment of %1 ended.").arg(begun);
}

Words PaymentWords::saving() const
{
    return working(tr("Processing…"), tr("Your payment is saved on this computer first, then sent."), onlyOnce());
}

Words PaymentWords::notStarted() const
{
    const QString title = tr("Payment not started");
    if (cause() == Cause::CardRefused)
        return {{}, Mood::Refused, title, notStartedBecause(), youWereNotCharged(), NextStep::TryAgain, tr("Use another card")};
    // The other payment of this order may have been charged: nothing is said about charging but this.
    const QString assurance = cause() == Cause::CartHeld ? onlyOnce() : youWereNotCharged();
    const QString nextText = cause() == Cause::LeftUnsent ? tr("Continue") : tr("Try again");
    return {{}, Mood::Attention, title, notStartedBecause(), assurance, NextStep::TryAgain, nextText};
}

QString PaymentWords::notStartedBecause() const
{
    switch (cause()) {
    case Cause::DiskRefused: return tr("This computer could not save the payment, so it was not sent.");
    case Cause::ShopUnreachable: return tr("The shop gave no usable answer about your card, so the payment was not sent.");
    case Cause::CardRefused: return cardRefused();
    case Cause::CartHeld: return tr("This order already has a payment on this computer, so a second one was not sent.");
    case Cause::LeftUnsent: break;
    default: return tr("The payment was not sent."); // causes of other states
    }
    const QString left = tr("PayOnce was closed before this payment was sent.");
    const bool hasCard = snapshot().action && snapshot().action->ready;
    return hasCard ? left : tr("%1 Your card was not kept, so you will be asked for it again.").arg(left);
}

QString PaymentWords::cardRefused() const
{
    const QString said = shortened(snapshot().detail);
    return said.isEmpty() ? tr("The shop did not accept the details of this card, so the payment was not sent.")
                          : tr("The shop did not accept the details of this card: %1").arg(said);
}

Words PaymentWords::sending() const
{
    return working(tr("Processing…"), tr("Your payment %1 is on its way. There is nothing you need to press.").arg(reference()),
                   onlyOnce());
}

Words PaymentWords::confirming() const
{
    return working(tr("Confirming payment…"),
                   tr("There is no clear answer yet; we are asking the shop whether payment %1 went through.").arg(reference()),
                   onlyOnce());
}

Words PaymentWords::serverWorking() const
{
    return working(tr("Confirming payment…"), tr("The shop is still working on payment %1.").arg(reference()), onlyOnce());
}

Words PaymentWords::retryWait() const
{
    // Once a byte has left, only the shop's own word brings a payment here.
    const QString sentence = snapshot().anyByteTaken
                                 ? tr("The shop cannot take payment %1 just now and asked us to try again later.")
                                 : tr("Nothing of payment %1 has been sent yet. We try again with the same payment.");
    return working(tr("Still trying…"), sentence.arg(reference()), onlyOnce());
}

Words PaymentWords::offline() const
{
    const QString until = validUntil();
    const QString sentence =
        until.isEmpty() ? tr("Nothing has been sent. Your payment goes out when the shop is back.")
                        : tr("Nothing has been sent. Your payment goes out when the shop is back, until %1.").arg(until);
    return {{}, Mood::Attention, tr("The shop cannot be reached"), sentence, onlyOnce(), {}, {}};
}

Words PaymentWords::offlineUnknown() const
{
    return {{},
            Mood::Attention,
            tr("The shop cannot be reached"),
            tr("Payment %1 may have arrived before the connection was lost. We check as soon as the shop can be reached.")
                .arg(reference()),
            dontPayElsewhere(),
            NextStep::CheckAgain,
            tr("Check again")};
}

Words PaymentWords::paid() const
{
    const auto& answer = snapshot().answer;
    const QString order = QString::fromStdString(answer.orderNumber);
    const QString thanks =
        order.isEmpty() ? tr("Thank you. Your order is placed.") : tr("Thank you. Your order %1 is placed.").arg(order);
    // An answer of a later time names no amount; the shop keeps this ID to the amount it was sent with.
    const auto amount = amountOf(snapshot());
    const QString charged = amount ? tr("You were charged %1, once.").arg(moneyText(*amount)) : QString();
    return {{}, Mood::Good, tr("Paid"), thanks, charged, NextStep::Finish, tr("Done")};
}

Words PaymentWords::declined() const
{
    return {{},
            Mood::Refused,
            tr("Card declined"),
            declinedBecause(),
            youWereNotCharged(),
            NextStep::StartOver,
            tr("Use another card")};
}

QString PaymentWords::declinedBecause() const
{
    const std::string& code = snapshot().answer.declineCode;
    if (code == "insufficient_funds")
        return tr("Your card was declined: there is not enough money on it.");
    if (code == "expired_card")
        return tr("Your card was declined: it has expired.");
    if (code == "incorrect_cvc")
        return tr("Your card was declined: the security code is wrong.");
    if (code == "processing_error")
        return tr("Your card was declined: the bank could not process it.");
    if (code == "generic_decline")
        return tr("Your card was declined; the bank gave no reason.");
    return tr("Your card was declined. Please ask your bank why.");
}

Words PaymentWords::notCharged() const
{
    const QString said = shortened(snapshot().answer.detail);
    const QString sentence = said.isEmpty() ? tr("The shop refused payment %1 before any charge.").arg(reference())
                                            : tr("The shop refused payment %1 before any charge: %2").arg(reference(), said);
    return {{}, Mood::Refused, tr("Payment refused"), sentence, youWereNotCharged(), NextStep::StartOver, tr("Correct it")};
}

Words PaymentWords::fencing() const
{
    // Not "you will not be charged": it may turn out that it was.
    const QString assurance = snapshot().isLong
                                  ? tr("If it was not charged, it will be closed; if it was, you will see it here as paid.")
                                  : onlyOnce();
    return working(tr("Closing the payment…"), fencingBecause(), assurance);
}

QString PaymentWords::makingSure() const
{
    return tr("Making sure that payment %1 can no longer go through.").arg(reference());
}

QString PaymentWords::fencingBecause() const
{
    switch (cause()) {
    case Cause::SignInNeeded: return tr("Sign in again so that we can check payment %1.").arg(reference());
    case Cause::Refused: return tr("The shop refused what was sent.") + QLatin1Char(' ') + makingSure();
    case Cause::Expired: return tr("The time for this payment is over.") + QLatin1Char(' ') + makingSure();
    default: return makingSure();
    }
}

Words PaymentWords::cancelled() const
{
    // The payment that took its place may have been charged: nothing is said about charging but this.
    const QString assurance = cause() == Cause::CartTaken ? onlyOnce() : youWereNotCharged();
    return {{},        Mood::Closed,        tr("Payment closed"), cancelledBecause().arg(reference()),
            assurance, NextStep::StartOver, tr("Pay again")};
}

QString PaymentWords::cancelledBecause() const
{
    if (isExpired())
        return tr("The time for payment %1 was over, so the shop closed it.");
    switch (cause()) {
    case Cause::NeverSent: return tr("Payment %1 is closed. None of it was ever sent.");
    case Cause::ClockWrong:
        return tr("This computer's clock was wrong when payment %1 was made, so the shop closed it. PayOnce now goes by the "
                  "shop's clock.");
    case Cause::CartTaken: return tr("Payment %1 is closed: another payment of this order came first.");
    default: break;
    }
    return isWishOfPerson() ? tr("Payment %1 is closed, as you wished. It can no longer go through.")
                            : tr("The shop closed payment %1. It can no longer go through.");
}

Words PaymentWords::unresolved() const
{
    const QString title = tr("We cannot confirm it yet");
    if (cause() == Cause::OtherServer) // nothing is asked from here
        return {{}, Mood::Attention, title, unresolvedBecause(), dontPayElsewhere(), {}, {}};
    return {{}, Mood::Attention, title, unresolvedBecause(), dontPayElsewhere(), NextStep::CheckAgain, tr("Check again")};
}

QString PaymentWords::unresolvedBecause() const
{
    const auto named = [this](const QString& sentence) { return sentence.arg(reference()); };
    switch (cause()) {
    case Cause::DiskRefused:
        return named(tr("This computer could not save the next step, so payment %1 is not sent again by itself. We keep "
                        "checking."));
    case Cause::AttemptsSpent:
        return named(tr("There is no clear answer about payment %1, and it is not sent again by itself. We keep checking."));
    case Cause::PastValidity:
        return named(tr("The time to send payment %1 is over. It is not sent again; we keep checking what became of it."));
    case Cause::SignInNeeded: return named(tr("Sign in again so that we can check payment %1."));
    case Cause::CartTaken: return named(tr("Another payment holds this order at the shop, so payment %1 was not taken."));
    case Cause::OtherServer: return named(tr("Payment %1 belongs to another sign-in or server. Switch back to check it."));
    case Cause::OtherOwner: return named(tr("Another PayOnce window is looking after payment %1. Please look there."));
    default: // late, and causes of other states
        return named(tr("We do not know yet whether payment %1 went through. We keep checking."));
    }
}

Words PaymentWords::conflict() const
{
    return {{},
            Mood::Attention,
            tr("This needs support"),
            conflictBecause().arg(reference()) + QLatin1Char(' ') + tr("Nothing more will be sent."),
            tr("Do not pay elsewhere yet. Please give reference %1 to support.").arg(reference()),
            NextStep::CopyForSupport,
            tr("Copy for support")};
}

QString PaymentWords::conflictBecause() const
{
    switch (cause()) {
    case Cause::KeyReused: return tr("The shop knows payment %1, but with other contents.");
    case Cause::WrongAmount: return tr("The shop's answer about payment %1 names another amount.");
    case Cause::TooOld: return tr("Payment %1 is too old: the shop can no longer tell what became of it.");
    case Cause::Discrepancy: return tr("The shop's own records about payment %1 do not agree.");
    default: return tr("The shop gave two answers about payment %1 that do not agree.");
    }
}

QString AdoptedPaymentWords::heading() const
{
    return tr("Payment of your order");
}

QString AdoptedPaymentWords::cancel() const
{
    return tr("Cancel that payment");
}

QString AdoptedPaymentWords::endedEarlier(const QString&) const
{
    return {}; // when it was begun is not known
}

Words AdoptedPaymentWords::confirming() const
{
    return working(
        tr("Confirming payment…"),
        tr("This order already has another payment, %1. We are asking the shop whether it went through.").arg(reference()),
        onlyOnce());
}

Words AdoptedPaymentWords::serverWorking() const
{
    return working(tr("Confirming payment…"),
                   tr("The shop is still working on another payment of this order, %1.").arg(reference()), onlyOnce());
}

Words AdoptedPaymentWords::offlineUnknown() const
{
    Words words = PaymentWords::offlineUnknown();
    words.sentence = tr("This order has another payment, %1. We check it as soon as the shop can be reached.").arg(reference());
    return words;
}

Words AdoptedPaymentWords::paid() const
{
    const auto& answer = snapshot().answer;
    const QString order = QString::fromStdString(answer.orderNumber);
    Words words = PaymentWords::paid();
    words.sentence = order.isEmpty()
                         ? tr("This order is paid, by another payment: %1.").arg(reference())
                         : tr("This order is paid, by another payment: %1. Its number is %2.").arg(reference(), order);
    words.assurance = answer.charged ? tr("%1 was charged, once.").arg(moneyText(*answer.charged)) : onlyOnce();
    return words;
}

Words AdoptedPaymentWords::declined() const
{
    Words words = PaymentWords::declined();
    words.sentence = tr("Another payment of this order, %1, was declined.").arg(reference());
    words.assurance = itWasNotCharged();
    words.nextText = tr("Pay now");
    return words;
}

Words AdoptedPaymentWords::fencing() const
{
    Words words = PaymentWords::fencing();
    if (cause() != Cause::SignInNeeded)
        words.sentence = makingSure();
    return words;
}

Words AdoptedPaymentWords::cancelled() const
{
    Words words = PaymentWords::cancelled();
    words.sentence = tr("Another payment of this order, %1, is closed. It can no longer go through.").arg(reference());
    words.assurance = itWasNotCharged();
    words.nextText = tr("Pay now");
    return words;
}

QString AdoptedPaymentWords::makingSure() const
{
    return tr("Making sure that the other payment of this order, %1, can no longer go through.").arg(reference());
}

QString AdoptedPaymentWords::unresolvedBecause() const
{
    switch (cause()) {
    case Cause::DiskRefused:
        return tr("This computer could not save the next step about another payment of this order, %1. We keep checking.")
            .arg(reference());
    case Cause::SignInNeeded:
    case Cause::CartTaken:
    case Cause::OtherServer:
    case Cause::OtherOwner: return PaymentWords::unresolvedBecause();
    default:
        return tr("We do not know yet whether another payment of this order, %1, went through. We keep checking.")
            .arg(reference());
    }
}

} // namespace payonce::viewmodels
