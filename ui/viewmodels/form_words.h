// The words of actions beside payments: a sign-up, or whatever else a button sends exactly once.
#pragma once

#include "viewmodels/words_of_kind.h"

namespace payonce::viewmodels {

/// Every text of such a kind. `%1` is the reference, or what the member says.
struct FormTexts
{
    QString heading;
    QString sendingTitle;
    QString confirmingTitle;
    QString saved;
    QString onItsWay;
    QString asking;
    QString shopWorks;
    QString shopBusy;
    QString notSentYet;
    QString goesOut; ///< %1: until when
    QString mayHaveArrived;
    QString onlyOne; ///< "You will not get two."
    QString notStartedTitle;
    QString diskRefused;
    QString alreadyOpen;
    QString leftUnsent;
    QString notSent;
    QString doneTitle;
    QString done;
    QString doneOnce;
    QString failedTitle;
    QString failed;
    QString nothingDone; ///< "No account was created."
    QString refusedTitle;
    QString refused;
    QString refusedBecause; ///< %2: the shop's sentence
    QString closingTitle;
    QString makingSure;
    QString timeIsOver;
    QString eitherWay;
    QString closedTitle;
    QString closed;
    QString closedByPerson;
    QString closedLate;
    QString closedUnsent;
    QString closedByClock;
    QString again; ///< a button
    QString stillUnknown;
    QString stepNotSaved;
    QString noClearAnswer;
    QString sendingIsOver;
    QString signIn;
    QString elsewhere;
    QString otherWindow;
    QString dontRepeat;
    QString otherContents;
    QString contrary;
    QString tooOld;
    QString recordsDisagree;
    QString cancel;  ///< a button
    QString discard; ///< a button
    QString nextTry; ///< %1: seconds
    QString tryingNow;
    QString endedEarlier; ///< %1: when it was begun
};

[[nodiscard]] FormTexts accountTexts();
[[nodiscard]] FormTexts requestTexts();

class FormWords : public WordsOfKind
{
public:
    FormWords(const retry::Snapshot& snapshot, FormTexts texts) : WordsOfKind(snapshot), m_texts(std::move(texts)) {}

    [[nodiscard]] QString heading() const override { return m_texts.heading; }
    [[nodiscard]] QString cancel() const override { return m_texts.cancel; }
    [[nodiscard]] QString discard() const override { return m_texts.discard; }
    [[nodiscard]] QString nextTryIn(std::int64_t seconds) const override { return m_texts.nextTry.arg(seconds); }
    [[nodiscard]] QString tryingNow() const override { return m_texts.tryingNow; }
    [[nodiscard]] QString endedEarlier(const QString& begun) const override { return m_texts.endedEarlier.arg(begun); }

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

private:
    [[nodiscard]] QString notStartedBecause() const;
    [[nodiscard]] QString fencingBecause() const;
    [[nodiscard]] QString cancelledBecause() const;
    [[nodiscard]] QString unresolvedBecause() const;
    [[nodiscard]] QString conflictBecause() const;

    FormTexts m_texts;
};

} // namespace payonce::viewmodels
