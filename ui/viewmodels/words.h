// The words for where an action stands (docs/words.md: every sentence, when it is said, and why it is true then).
#pragma once

#include "retry/action_machine.h"

#include <QtCore/QString>

#include <optional>

namespace payonce::viewmodels {

/// How a state feels; the screen chooses mark and colour by it.
enum class Mood { Working, Good, Refused, Closed, Attention };

/// What pressing `checkout.next` does.
/// TryAgain keeps the saved action (its ID), and where its card is gone leads back to the form; StartOver is a new action;
/// CopyForSupport puts what support needs on the clipboard.
enum class NextStep { TryAgain, CheckAgain, StartOver, Finish, CopyForSupport };

struct Words
{
    QString key; ///< for machines: state and cause, e.g. `confirming`, `not_started.disk_refused`
    Mood mood = Mood::Working;
    QString title;
    QString sentence;
    QString assurance; ///< the one thing people need to know about their money; may be empty
    std::optional<NextStep> next;
    QString nextText; ///< empty if there is no next step
};

/// Words for every kind, state and cause. Never a sentence that is not known to be true.
[[nodiscard]] Words wordsFor(const retry::Snapshot& snapshot);
/// Words for a journal that cannot be used at start.
[[nodiscard]] Words wordsFor(retry::JournalError error);
/// What the status is about: "Your payment".
[[nodiscard]] QString headingFor(const retry::Snapshot& snapshot);
/// The quiet way out; empty where it is not offered.
[[nodiscard]] QString cancelWordsFor(const retry::Snapshot& snapshot);
/// What stands where there is no button; empty where a person has something to do.
[[nodiscard]] QString idleWordsFor(const retry::Snapshot& snapshot);
/// When the next try leaves, or empty where the state has none.
[[nodiscard]] QString countdownFor(const retry::Snapshot& snapshot, const values::Now& now);
/// A sentence of the server, cut to a length that fits the screen.
[[nodiscard]] QString shortened(const std::string& sentence);

} // namespace payonce::viewmodels
