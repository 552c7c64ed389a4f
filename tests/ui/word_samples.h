// Every case in which the screen says something of its own, and every snapshot there could be.
#pragma once

#include "viewmodels/words.h"

#include <QtCore/QString>

#include <vector>

namespace payonce::tests {

/// Whose action it is decides the words too.
enum class Speaker { Payment, AdoptedPayment, Account, Request };

[[nodiscard]] std::vector<Speaker> everySpeaker();
/// "payment", "adopted payment", "account", "request": the headings of docs/words.md.
[[nodiscard]] QString nameOf(Speaker speaker);

/// One row of docs/words.md.
struct WordSample
{
    Speaker speaker;
    QString when;
    retry::Snapshot snapshot;
};

/// Every case with a sentence, a title, an assurance or a button that no other case of its speaker has, and more.
[[nodiscard]] std::vector<WordSample> everyWordSample();

/// Every state with every cause, sent or not, for a moment or long; whether the client can come there or not. Left out is
/// only what contradicts itself: that nothing was sent, and that some byte was.
[[nodiscard]] std::vector<retry::Snapshot> everySnapshotOf(Speaker speaker);

} // namespace payonce::tests
