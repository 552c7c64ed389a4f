#include "viewmodels/words.h"

#include "viewmodels/form_words.h"
#include "viewmodels/payment_words.h"

#include <QtCore/QDateTime>
#include <QtCore/QLocale>

#include <memory>

namespace payonce::viewmodels {

namespace {

using retry::Cause;
using retry::State;

constexpr qsizetype kLongestServerSentence = 200;
/// A longer wait is told as a time of day.
constexpr std::chrono::seconds kLongWait(90);

/// The words that belong to no kind.
class PlainWords
{
    Q_DECLARE_TR_FUNCTIONS(PlainWords)

public:
    [[nodiscard]] static Words ofJournal(retry::JournalError error);
    [[nodiscard]] static QString longWait(const QDateTime& until, const QDateTime& now);
    /// Of a window that only looks.
    [[nodiscard]] static QString anotherWindow();
    [[nodiscard]] static QString nothingToPress() { return tr("There is nothing you need to press."); }
    [[nodiscard]] static QString momentText(const QDateTime& at);

private:
    [[nodiscard]] static QString ofJournalBecause(retry::JournalError error);
};

QString PlainWords::ofJournalBecause(retry::JournalError error)
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

Words PlainWords::ofJournal(retry::JournalError error)
{
    return {QStringLiteral("journal_failed"),
            Mood::Attention,
            tr("Paying is switched off"),
            tr("PayOnce cannot use its payment journal. %1").arg(ofJournalBecause(error)),
            tr("Without the journal nothing is sent."),
            {},
            {}};
}

QString PlainWords::momentText(const QDateTime& at)
{
    //: a day and a time of day, as Qt's date formats write it
    return QLocale().toString(at, tr("d MMMM, HH:mm"));
}

QString PlainWords::anotherWindow()
{
    return tr("Another PayOnce window is taking care of it.");
}

QString PlainWords::longWait(const QDateTime& until, const QDateTime& now)
{
    const bool today = until.date() == now.date();
    return tr("The shop asked us to wait until %1.")
        .arg(today ? until.toString(QStringLiteral("HH:mm:ss")) : momentText(until));
}

std::unique_ptr<WordsOfKind> wordsOfKind(const retry::Snapshot& snapshot)
{
    const auto kind = snapshot.action ? snapshot.action->target.kind : retry::Kind::Payment;
    switch (kind) {
    case retry::Kind::Payment: break;
    case retry::Kind::Account: return std::make_unique<FormWords>(snapshot, accountTexts());
    case retry::Kind::Other: return std::make_unique<FormWords>(snapshot, requestTexts());
    }
    if (snapshot.action && snapshot.action->adopted)
        return std::make_unique<AdoptedPaymentWords>(snapshot);
    return std::make_unique<PaymentWords>(snapshot);
}

/// It ended in an earlier process and nobody has seen it yet: this process neither sent nor was asked anything.
bool isEndOfEarlier(const retry::Snapshot& snapshot)
{
    return retry::isOver(snapshot.state) && snapshot.action && !snapshot.isViewer && !snapshot.startedAt &&
           snapshot.presses == 0;
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

QDateTime dateTimeOf(values::WallTime time)
{
    return QDateTime::fromMSecsSinceEpoch(time.time_since_epoch().count());
}

} // namespace

Words wordsFor(const retry::Snapshot& snapshot)
{
    const auto kind = wordsOfKind(snapshot);
    Words words = kind->words();
    words.key = keyOf(snapshot);
    if (snapshot.isViewer) {
        words.sentence += QLatin1Char(' ') + PlainWords::anotherWindow();
        if (words.next == NextStep::TryAgain) { // the card is in that window
            words.next.reset();
            words.nextText.clear();
        }
    }
    if (isEndOfEarlier(snapshot)) {
        const QString earlier = kind->endedEarlier(PlainWords::momentText(dateTimeOf(snapshot.action->createdAt)));
        if (!earlier.isEmpty())
            words.sentence = earlier + QLatin1Char(' ') + words.sentence;
    }
    return words;
}

Words wordsFor(retry::JournalError error)
{
    return PlainWords::ofJournal(error);
}

QString headingFor(const retry::Snapshot& snapshot)
{
    return wordsOfKind(snapshot)->heading();
}

QString cancelWordsFor(const retry::Snapshot& snapshot)
{
    if (!retry::mayCancel(snapshot))
        return {};
    const auto kind = wordsOfKind(snapshot);
    return snapshot.state == State::NotStarted ? kind->discard() : kind->cancel();
}

QString idleWordsFor(const retry::Snapshot& snapshot)
{
    const bool isAsked = snapshot.cause == Cause::SignInNeeded || snapshot.cause == Cause::OtherServer;
    return snapshot.state == State::Editing || isAsked ? QString() : PlainWords::nothingToPress();
}

QString countdownFor(const retry::Snapshot& snapshot, const values::Now& now)
{
    const bool hasOne = snapshot.state == State::RetryWait || snapshot.state == State::Offline;
    if (!hasOne || !snapshot.nextTry)
        return {};
    const auto left = std::chrono::ceil<std::chrono::seconds>(*snapshot.nextTry - now.mono);
    // Only the shop asks for so long a wait. Whether anything is sent then depends on what is still valid then.
    if (left > kLongWait)
        return PlainWords::longWait(dateTimeOf(now.wall + left), dateTimeOf(now.wall));
    const auto kind = wordsOfKind(snapshot);
    return left.count() > 0 ? kind->nextTryIn(left.count()) : kind->tryingNow();
}

QString shortened(const std::string& sentence)
{
    const QString text = QString::fromStdString(sentence).simplified();
    return text.size() <= kLongestServerSentence ? text : text.left(kLongestServerSentence - 1) + QStringLiteral("…");
}

} // namespace payonce::viewmodels
