// What the machine wants done: the only outputs of ActionMachine, carried out in order by runner/.
#pragma once

#include "retry/event.h"

namespace payonce::retry {

// A table, one effect a line.
// clang-format off

/// Save 1; answered by ActionSaved or ActionSaveFailed.
struct SaveAction { StoredAction action; };
/// Exchange the card for a token; answered by CardExchanged. The caller holds the card in memory, and only until it is
/// exchanged or refused: after a failure it may be asked for again (by itself, or after Try again).
struct ExchangeCard {};
/// Build the exact body from action and token (the same bytes for the same input), then, in one transaction, save 2 and the
/// row of the attempt that follows; answered by ReadySaved or ReadySaveFailed. Also emitted when Try again is pressed for an action that is ready already: that save takes back
/// *told not started* before anything is sent.
/// `body`: these bytes instead.
struct SaveReady { StoredAction action; CardToken card; AttemptStart first; std::optional<std::string> body = {}; };
/// Read the action on a new connection; answered by JournalReread.
struct RereadJournal { values::ActionId id; };
/// Best effort; not answered.
struct MarkToldNotStarted { values::ActionId id; LeaseNumber lease; };
/// Write the row of an attempt that save 2 did not bring along; answered by AttemptRowSaved or AttemptRowRefused.
struct SaveAttemptRow { values::ActionId id; LeaseNumber lease; int number; values::WallTime at; };
/// Record how an attempt ended; not answered (the outcome stands whether or not this is saved).
struct SaveAttemptEnd { values::ActionId id; LeaseNumber lease; int number; AttemptEnd end; };
/// Answered by FinalSaved or FinalSaveFailed.
struct SaveFinal { values::ActionId id; LeaseNumber lease; FinalAnswer answer; };
/// Answered by WishSaved or WishSaveFailed.
struct SaveWish { values::ActionId id; LeaseNumber lease; CancelWish wish; };
/// Best effort; not answered: the same facts lead to the same conflict.
struct SaveConflict { values::ActionId id; LeaseNumber lease; Cause cause; };
/// Close `own` for good (its cart is held by another action), and own the one that holds it. Answered by Adopted or AdoptFailed.
struct AdoptHolder { values::ActionId own; LeaseNumber lease; StoredAction holder; };
/// Best effort; not answered.
struct MarkSeen { values::ActionId id; LeaseNumber lease; };

/// Answered by PostEnded with the same number, always.
struct SendPost { PostRequest request; };
/// `Finished`: the final answer is known from elsewhere.
struct AbortPost { EndReason reason; };
/// Answered by ProbeEnded, always.
struct SendProbe { ProbeRequest request; };
struct AbortProbe { EndReason reason; };

/// Answered by TimerFired after `delay` on the monotonic clock, unless stopped or replaced.
struct StartTimer { TimerKind timer; std::chrono::milliseconds delay; };
struct StopTimer { TimerKind timer; };

// clang-format on

using Effect = std::variant<SaveAction, ExchangeCard, SaveReady, RereadJournal, MarkToldNotStarted, SaveAttemptRow,
                            SaveAttemptEnd, SaveFinal, SaveWish, SaveConflict, AdoptHolder, MarkSeen, SendPost, AbortPost,
                            SendProbe, AbortProbe, StartTimer, StopTimer>;
using Effects = std::vector<Effect>;

} // namespace payonce::retry
