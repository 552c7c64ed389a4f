#include "viewmodels/form_words.h"

#include <QtCore/QCoreApplication>

namespace payonce::viewmodels {

using retry::Cause;

namespace {

/// What all of these kinds say alike.
class Common
{
    Q_DECLARE_TR_FUNCTIONS(FormWords)

public:
    static QString unreachable() { return tr("The shop cannot be reached"); }
    static QString tryingTitle() { return tr("Still trying…"); }
    static QString unknownTitle() { return tr("We cannot confirm it yet"); }
    static QString supportTitle() { return tr("This needs support"); }
    static QString tryAgain() { return tr("Try again"); }
    static QString goOn() { return tr("Continue"); }
    static QString checkAgain() { return tr("Check again"); }
    static QString correctIt() { return tr("Correct it"); }
    static QString finish() { return tr("Done"); }
    static QString copy() { return tr("Copy for support"); }
    static QString noMore() { return tr("Nothing more will be sent."); }
    static QString giveReference() { return tr("Please give reference %1 to support."); }
};

} // namespace

Words FormWords::saving() const
{
    return working(m_texts.sendingTitle, m_texts.saved, m_texts.onlyOne);
}

Words FormWords::notStarted() const
{
    // What holds it open may have been done: nothing is said about that.
    const QString assurance = cause() == Cause::CartHeld ? m_texts.onlyOne : m_texts.nothingDone;
    const QString nextText = cause() == Cause::LeftUnsent ? Common::goOn() : Common::tryAgain();
    return {{}, Mood::Attention, m_texts.notStartedTitle, notStartedBecause(), assurance, NextStep::TryAgain, nextText};
}

QString FormWords::notStartedBecause() const
{
    switch (cause()) {
    case Cause::DiskRefused: return m_texts.diskRefused;
    case Cause::CartHeld: return m_texts.alreadyOpen;
    case Cause::LeftUnsent: return m_texts.leftUnsent;
    default: return m_texts.notSent; // causes of other states and kinds
    }
}

Words FormWords::sending() const
{
    return working(m_texts.sendingTitle, m_texts.onItsWay.arg(reference()), m_texts.onlyOne);
}

Words FormWords::confirming() const
{
    return working(m_texts.confirmingTitle, m_texts.asking.arg(reference()), m_texts.onlyOne);
}

Words FormWords::serverWorking() const
{
    return working(m_texts.confirmingTitle, m_texts.shopWorks.arg(reference()), m_texts.onlyOne);
}

Words FormWords::retryWait() const
{
    const QString sentence = snapshot().anyByteTaken ? m_texts.shopBusy : m_texts.notSentYet;
    return working(Common::tryingTitle(), sentence.arg(reference()), m_texts.onlyOne);
}

Words FormWords::offline() const
{
    return {{}, Mood::Attention, Common::unreachable(), m_texts.goesOut.arg(validUntil()), m_texts.onlyOne, {}, {}};
}

Words FormWords::offlineUnknown() const
{
    return {{},
            Mood::Attention,
            Common::unreachable(),
            m_texts.mayHaveArrived.arg(reference()),
            m_texts.dontRepeat,
            NextStep::CheckAgain,
            Common::checkAgain()};
}

Words FormWords::paid() const
{
    return {{}, Mood::Good, m_texts.doneTitle, m_texts.done, m_texts.doneOnce, NextStep::Finish, Common::finish()};
}

Words FormWords::declined() const
{
    return {{},
            Mood::Refused,
            m_texts.failedTitle,
            m_texts.failed.arg(reference()),
            m_texts.nothingDone,
            NextStep::StartOver,
            m_texts.again};
}

Words FormWords::notCharged() const
{
    const QString said = shortened(snapshot().answer.detail);
    const QString sentence = said.isEmpty() ? m_texts.refused.arg(reference()) : m_texts.refusedBecause.arg(reference(), said);
    return {{}, Mood::Refused, m_texts.refusedTitle, sentence, m_texts.nothingDone, NextStep::StartOver, Common::correctIt()};
}

Words FormWords::fencing() const
{
    const QString assurance = snapshot().isLong ? m_texts.eitherWay : m_texts.onlyOne;
    return working(m_texts.closingTitle, fencingBecause().arg(reference()), assurance);
}

QString FormWords::fencingBecause() const
{
    switch (cause()) {
    case Cause::SignInNeeded: return m_texts.signIn;
    case Cause::Expired: return m_texts.timeIsOver + QLatin1Char(' ') + m_texts.makingSure;
    default: return m_texts.makingSure;
    }
}

Words FormWords::cancelled() const
{
    return {{},
            Mood::Closed,
            m_texts.closedTitle,
            cancelledBecause().arg(reference()),
            m_texts.nothingDone,
            NextStep::StartOver,
            m_texts.again};
}

QString FormWords::cancelledBecause() const
{
    if (isExpired())
        return m_texts.closedLate;
    if (cause() == Cause::NeverSent)
        return m_texts.closedUnsent;
    if (cause() == Cause::ClockWrong)
        return m_texts.closedByClock;
    return isWishOfPerson() ? m_texts.closedByPerson : m_texts.closed;
}

Words FormWords::unresolved() const
{
    const QString sentence = unresolvedBecause().arg(reference());
    if (cause() == Cause::OtherServer) // nothing is asked from here
        return {{}, Mood::Attention, Common::unknownTitle(), sentence, m_texts.dontRepeat, {}, {}};
    return {
        {}, Mood::Attention, Common::unknownTitle(), sentence, m_texts.dontRepeat, NextStep::CheckAgain, Common::checkAgain()};
}

QString FormWords::unresolvedBecause() const
{
    switch (cause()) {
    case Cause::DiskRefused: return m_texts.stepNotSaved;
    case Cause::AttemptsSpent: return m_texts.noClearAnswer;
    case Cause::PastValidity: return m_texts.sendingIsOver;
    case Cause::SignInNeeded: return m_texts.signIn;
    case Cause::OtherServer: return m_texts.elsewhere;
    case Cause::OtherOwner: return m_texts.otherWindow;
    default: return m_texts.stillUnknown; // late, and causes of other states and kinds
    }
}

Words FormWords::conflict() const
{
    return {{},
            Mood::Attention,
            Common::supportTitle(),
            conflictBecause().arg(reference()) + QLatin1Char(' ') + Common::noMore(),
            m_texts.dontRepeat + QLatin1Char(' ') + Common::giveReference().arg(reference()),
            NextStep::CopyForSupport,
            Common::copy()};
}

QString FormWords::conflictBecause() const
{
    switch (cause()) {
    case Cause::KeyReused: return m_texts.otherContents;
    case Cause::TooOld: return m_texts.tooOld;
    case Cause::Discrepancy: return m_texts.recordsDisagree;
    default: return m_texts.contrary;
    }
}

} // namespace payonce::viewmodels
