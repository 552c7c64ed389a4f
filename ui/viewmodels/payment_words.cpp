#include "viewmodels/payment_words.h"

#include "viewmodels/money_text.h"

#include <QtCore/QCoreApplication>
#include <QtCore/QDateTime>

namespace payonce::viewmodels {

namespace {

using retry::Cause;
using retry::State;

constexpr qsizetype kLongestServerSentence = 200;

class PaymentWords
{
    Q_DECLARE_TR_FUNCTIONS(PaymentWords)

public:
    explicit PaymentWords(const retry::Snapshot& snapshot) : m_snapshot(snapshot) {}

    [[nodiscard]] Words words() const;
    [[nodiscard]] Words viewed() const;
    [[nodiscard]] static Words ofJournal(retry::JournalError error);
    [[nodiscard]] static QString countdown(State state, std::chrono::seconds left, const QString& clockTime);

private:
    [[nodiscard]] Words notStarted() const;
    [[nodiscard]] QString notStartedBecause() const;
    [[nodiscard]] QString cardRefused() const;
    [[nodiscard]] Words offline() const;
    [[nodiscard]] Words paid() const;
    [[nodiscard]] Words declined() const;
    [[nodiscard]] QString declinedBecause() const;
    [[nodiscard]] Words cancelled() const;
    [[nodiscard]] QString cancelledBecause() const;
    [[nodiscard]] Words notChargedWords() const;
    [[nodiscard]] Words fencing() const;
    [[nodiscard]] QString fencingBecause() const;
    [[nodiscard]] Words conflict() const;
    [[nodiscard]] QString conflictBecause() const;
    [[nodiscard]] Words unresolved() const;
    [[nodiscard]] QString unresolvedBecause() const;
    [[nodiscard]] static QString ofJournalBecause(retry::JournalError error);

    [[nodiscard]] QString reference() const;
    [[nodiscard]] QString validUntil() const;
    [[nodiscard]] static QString notCharged() { return tr("You were not charged."); }
    [[nodiscard]] static QString dontPayElsewhere() { return tr("Do not pay elsewhere yet."); }
    [[nodiscard]] static QString onlyOnce() { return tr("You will not be charged twice."); }

    const retry::Snapshot& m_snapshot;
};

Words PaymentWords::words() const
{
    switch (m_snapshot.state) {
    case State::Editing: return {};
    case State::Saving:
        return {{},
                Mood::Working,
                tr("Processing…"),
                tr("Your payment is saved on this computer first, then sent."),
                onlyOnce(),
                {},
                {}};
    case State::NotStarted: return notStarted();
    case State::Sending:
        return {{},
                Mood::Working,
                tr("Processing…"),
                tr("Your payment %1 is on its way. There is nothing you need to press.").arg(reference()),
                onlyOnce(),
                {},
                {}};
    case State::Confirming:
        return {{},
                Mood::Working,
                tr("Confirming payment…"),
                tr("The answer is late; we are asking the shop whether payment %1 went through.").arg(reference()),
                onlyOnce(),
                {},
                {}};
    case State::ServerWorking:
        return {{},
                Mood::Working,
                tr("Confirming payment…"),
                tr("The shop is still working on payment %1.").arg(reference()),
                onlyOnce(),
                {},
                {}};
    case State::RetryWait:
        return {{},
                Mood::Working,
                tr("Still trying…"),
                tr("Payment %1 has no clear answer yet. We try again with the same payment.").arg(reference()),
                onlyOnce(),
                {},
                {}};
    case State::Offline:
    case State::OfflineUnknown: return offline();
    case State::Paid: return paid();
    case State::Declined: return declined();
    case State::NotCharged: return notChargedWords();
    case State::Fencing: return fencing();
    case State::Cancelled: return cancelled();
    case State::Unresolved: return unresolved();
    case State::Conflict: return conflict();
    }
    return {};
}

Words PaymentWords::viewed() const
{
    Words all = words();
    all.sentence += QLatin1Char(' ') + tr("Another PayOnce window is taking care of payment %1.").arg(reference());
    if (all.next == NextStep::TryAgain) // the card is in that window
        all = {all.key, all.mood, all.title, all.sentence, all.assurance, {}, {}};
    return all;
}

Words PaymentWords::notStarted() const
{
    const QString title = tr("Payment not started");
    if (m_snapshot.cause == Cause::CardRefused)
        return {{}, Mood::Refused, title, notStartedBecause(), notCharged(), NextStep::TryAgain, tr("Use another card")};
    // The other payment of this order may have been charged: nothing is said about charging but this.
    const QString assurance = m_snapshot.cause == Cause::CartHeld ? onlyOnce() : notCharged();
    const QString nextText = m_snapshot.cause == Cause::LeftUnsent ? tr("Continue") : tr("Try again");
    return {{}, Mood::Attention, title, notStartedBecause(), assurance, NextStep::TryAgain, nextText};
}

QString PaymentWords::notStartedBecause() const
{
    switch (m_snapshot.cause) {
    case Cause::DiskRefused: return tr("This computer could not save the payment, so it was not sent.");
    case Cause::ShopUnreachable: return tr("The shop could not be reached to prepare your card, so the payment was not sent.");
    case Cause::CardRefused: return cardRefused();
    case Cause::CartHeld: return tr("This order already has a payment on this computer, so a second one was not sent.");
    case Cause::LeftUnsent: return tr("PayOnce was closed before this payment was sent.");
    default: break; // causes of other states
    }
    return tr("The payment was not sent.");
}

QString PaymentWords::cardRefused() const
{
    const QString said = shortened(m_snapshot.detail);
    return said.isEmpty() ? tr("The shop did not accept the details of this card, so the payment was not sent.")
                          : tr("The shop did not accept the details of this card: %1").arg(said);
}

Words PaymentWords::offline() const
{
    // "Nothing has been sent" only where every attempt is proven unsent.
    if (m_snapshot.state == State::OfflineUnknown || m_snapshot.anyByteTaken)
        return {{},
                Mood::Attention,
                tr("The shop cannot be reached"),
                tr("The connection was lost after sending payment %1. We check as soon as the shop can be reached.")
                    .arg(reference()),
                dontPayElsewhere(),
                NextStep::CheckAgain,
                tr("Check again")};
    const QString until = validUntil();
    const QString sentence =
        until.isEmpty() ? tr("Nothing has been sent. Your payment goes out when the shop is back.")
                        : tr("Nothing has been sent. Your payment goes out when the shop is back, until %1.").arg(until);
    return {{}, Mood::Attention, tr("The shop cannot be reached"), sentence, onlyOnce(), {}, {}};
}

Words PaymentWords::paid() const
{
    const QString order = QString::fromStdString(m_snapshot.answer.orderNumber);
    const QString thanks =
        order.isEmpty() ? tr("Thank you. Your order is placed.") : tr("Thank you. Your order %1 is placed.").arg(order);
    const QString charged =
        m_snapshot.action ? tr("You were charged %1, once.").arg(moneyText(m_snapshot.action->purchase.amount)) : QString();
    return {{}, Mood::Good, tr("Paid"), thanks, charged, NextStep::Finish, tr("Done")};
}

Words PaymentWords::declined() const
{
    return {{},           Mood::Refused,       tr("Card declined"),   declinedBecause(),
            notCharged(), NextStep::StartOver, tr("Use another card")};
}

QString PaymentWords::declinedBecause() const
{
    const std::string& code = m_snapshot.answer.declineCode;
    if (code == "insufficient_funds")
        return tr("Your card was declined: there is not enough money on it.");
    if (code == "expired_card")
        return tr("Your card was declined: it has expired.");
    if (code == "incorrect_cvc")
        return tr("Your card was declined: the security code is wrong.");
    if (code == "processing_error")
        return tr("Your card was declined: the bank could not process it.");
    return tr("Your card was declined; the bank gave no reason.");
}

Words PaymentWords::cancelled() const
{
    // The payment that took its place may have been charged: nothing is said about charging but this.
    const QString assurance = m_snapshot.cause == Cause::CartTaken ? onlyOnce() : notCharged();
    return {{}, Mood::Refused, tr("Payment closed"), cancelledBecause(), assurance, NextStep::StartOver, tr("Pay again")};
}

QString PaymentWords::cancelledBecause() const
{
    if (m_snapshot.cause == Cause::Expired)
        return tr("Payment %1 reached the shop too late, so the shop closed it.").arg(reference());
    if (m_snapshot.cause == Cause::CartTaken)
        return tr("Payment %1 is closed: another payment of this order came first.").arg(reference());
    if (m_snapshot.cause == Cause::NeverSent)
        return tr("Payment %1 is closed. None of it was ever sent.").arg(reference());
    if (m_snapshot.cause == Cause::ClockWrong)
        return tr("This computer's clock was wrong when payment %1 was made, so the shop closed it. The clock has been "
                  "corrected from the shop's.")
            .arg(reference());
    return tr("Payment %1 is closed and can no longer go through.").arg(reference());
}

Words PaymentWords::notChargedWords() const
{
    const QString said = shortened(m_snapshot.answer.detail);
    const QString sentence = said.isEmpty() ? tr("The shop refused payment %1 before any charge.").arg(reference())
                                            : tr("The shop refused payment %1 before any charge: %2").arg(reference(), said);
    return {{}, Mood::Refused, tr("Payment refused"), sentence, notCharged(), NextStep::StartOver, tr("Correct it")};
}

Words PaymentWords::fencing() const
{
    // Not "you will not be charged": it may turn out that it was.
    const QString assurance = m_snapshot.isLong
                                  ? tr("If it was not charged, it will be closed; if it was, you will see it here as paid.")
                                  : onlyOnce();
    return {{}, Mood::Working, tr("Closing the payment…"), fencingBecause(), assurance, {}, {}};
}

QString PaymentWords::fencingBecause() const
{
    const QString sure = tr("Making sure that payment %1 can no longer go through.").arg(reference());
    if (m_snapshot.cause == Cause::SignInNeeded)
        return tr("Sign in again so that we can check payment %1.").arg(reference());
    if (m_snapshot.cause == Cause::Refused)
        return tr("The shop refused the last request.") + QLatin1Char(' ') + sure;
    if (m_snapshot.cause == Cause::Expired)
        return tr("The time for this payment is over.") + QLatin1Char(' ') + sure;
    return sure;
}

Words PaymentWords::conflict() const
{
    return {{},
            Mood::Attention,
            tr("This needs support"),
            conflictBecause(),
            tr("Nothing more will be sent. Please give reference %1 to support.").arg(reference()),
            NextStep::CopyForSupport,
            tr("Copy for support")};
}

QString PaymentWords::conflictBecause() const
{
    switch (m_snapshot.cause) {
    case Cause::KeyReused: return tr("The shop knows payment %1 with another content.").arg(reference());
    case Cause::WrongAmount: return tr("The shop answers for another amount than that of payment %1.").arg(reference());
    case Cause::TooOld: return tr("Payment %1 is too old: the shop can no longer tell what became of it.").arg(reference());
    case Cause::Discrepancy: return tr("The shop's own records about payment %1 do not agree.").arg(reference());
    default: return tr("The answers about payment %1 do not agree.").arg(reference());
    }
}

Words PaymentWords::unresolved() const
{
    return {{},
            Mood::Attention,
            tr("We cannot confirm it yet"),
            unresolvedBecause(),
            dontPayElsewhere(),
            NextStep::CheckAgain,
            tr("Check again")};
}

QString PaymentWords::unresolvedBecause() const
{
    switch (m_snapshot.cause) {
    case Cause::DiskRefused:
        return tr("This computer could not save the next try, so payment %1 is not sent again. We keep checking.")
            .arg(reference());
    case Cause::AttemptsSpent:
        return tr("We tried several times and have no clear answer about payment %1. We keep checking.").arg(reference());
    case Cause::PastValidity:
        return tr("The time to send payment %1 is over. It is not sent again; we keep checking what became of it.")
            .arg(reference());
    case Cause::SignInNeeded: return tr("Sign in again so that we can check payment %1.").arg(reference());
    case Cause::CartTaken: return tr("Another payment of this order is already under way at the shop.");
    case Cause::OtherServer:
        return tr("Payment %1 belongs to another sign-in or server. Switch back to check it.").arg(reference());
    case Cause::OtherOwner: return tr("Another PayOnce window has taken over payment %1. Please look there.").arg(reference());
    default: break; // late, and causes of other states
    }
    return tr("There is still no answer about payment %1. We keep checking.").arg(reference());
}

QString PaymentWords::ofJournalBecause(retry::JournalError error)
{
    switch (error) {
    case retry::JournalError::DiskFull: return tr("The disk is full. Make room on it and start PayOnce again.");
    case retry::JournalError::ReadOnly: return tr("Its file cannot be written. Allow that and start PayOnce again.");
    case retry::JournalError::Locked: return tr("Another program holds its file. Close that one and start PayOnce again.");
    case retry::JournalError::Damaged: return tr("Its file is damaged. Please ask support before you pay.");
    case retry::JournalError::NewerVersion: return tr("Its file was written by a newer PayOnce. Please start that one.");
    case retry::JournalError::CartHeld:
    case retry::JournalError::ReferenceTaken:
    case retry::JournalError::Displaced:
    case retry::JournalError::Failed: return tr("Its file cannot be used. Start PayOnce again, or ask support.");
    }
    return {};
}

Words PaymentWords::ofJournal(retry::JournalError error)
{
    return {QStringLiteral("journal_failed"),
            Mood::Attention,
            tr("Paying is switched off"),
            tr("PayOnce cannot use its payment journal. %1").arg(ofJournalBecause(error)),
            tr("Without the journal nothing is sent."),
            {},
            {}};
}

QString PaymentWords::countdown(State state, std::chrono::seconds left, const QString& clockTime)
{
    constexpr std::chrono::seconds kLongWait(90);
    if (state != State::RetryWait && state != State::Offline)
        return {};
    if (left > kLongWait)
        return tr("Next try at %1, same payment.").arg(clockTime);
    if (left.count() > 0)
        return tr("Next try in %1 s, same payment.").arg(left.count());
    return tr("Trying now, same payment.");
}

QString PaymentWords::reference() const
{
    return m_snapshot.action ? QString::fromStdString(values::reference(m_snapshot.action->id)) : QString();
}

QString PaymentWords::validUntil() const
{
    if (!m_snapshot.action)
        return {};
    const auto until = m_snapshot.action->validUntil.time_since_epoch().count();
    return QDateTime::fromMSecsSinceEpoch(until).toString(QStringLiteral("HH:mm"));
}

QString keyOf(const retry::Snapshot& snapshot)
{
    QString key;
    for (const QChar c : QString::fromLatin1(retry::nameOf(snapshot.state))) {
        if (c.isUpper() && !key.isEmpty())
            key += QLatin1Char('_');
        key += c.toLower();
    }
    if (snapshot.cause != Cause::None)
        key += QLatin1Char('.') + QString::fromLatin1(retry::nameOf(snapshot.cause));
    return key;
}

} // namespace

Words wordsFor(const retry::Snapshot& snapshot)
{
    Words words = snapshot.isViewer ? PaymentWords(snapshot).viewed() : PaymentWords(snapshot).words();
    words.key = keyOf(snapshot);
    return words;
}

Words wordsFor(retry::JournalError error)
{
    return PaymentWords::ofJournal(error);
}

QString countdownFor(const retry::Snapshot& snapshot, const values::Now& now)
{
    if (!snapshot.nextTry)
        return {};
    const auto left = std::chrono::ceil<std::chrono::seconds>(*snapshot.nextTry - now.mono);
    const auto at = (now.wall + left).time_since_epoch().count();
    return PaymentWords::countdown(snapshot.state, left,
                                   QDateTime::fromMSecsSinceEpoch(at).toString(QStringLiteral("HH:mm:ss")));
}

QString shortened(const std::string& sentence)
{
    const QString text = QString::fromStdString(sentence).simplified();
    return text.size() <= kLongestServerSentence ? text : text.left(kLongestServerSentence - 1) + QStringLiteral("…");
}

} // namespace payonce::viewmodels
