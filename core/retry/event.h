// What can happen to an action: the only inputs of ActionMachine.
#pragma once

#include "retry/journal.h"
#include "retry/transport.h"

#include <variant>

namespace payonce::retry {

/// The machine's timers; at most one of each kind runs. Starting one again replaces it.
enum class TimerKind {
    SoftDeadline, ///< of the POST in flight
    HardLimit,    ///< of the POST in flight
    ProbeLimit,   ///< of the probe in flight
    NextProbe,
    NextPost,     ///< backoff, server advice or offline retry
    GiveUp,       ///< Confirming and ServerWorking become Unresolved
    SaveAgain,    ///< a final answer whose save failed
    NextExchange, ///< the next try at the card exchange
    LongWait,     ///< Confirming and Fencing have lasted long enough for other words
    FenceDue,     ///< `valid_until` is over and late copies have had their time
};

// A table, one event a line.
// clang-format off

/// The person pressed Pay. `id` is freshly minted by the caller and used only where no saved ID is being continued.
/// `now.wall` of the step is the server's clock (local + offset).
/// `body`: what is POSTed where no card is exchanged first; absent, it is built from the token (payments).
struct PayPressed { values::ActionId id; Scope scope; Purchase purchase; Target target = {}; std::optional<std::string> body = {}; };
/// Found in the journal at start, already taken over (its `lease` is ours). `here`: the server and account we talk to now.
struct Resumed { StoredAction action; Scope here; };
struct TryAgainPressed {};
struct CheckAgainPressed {};
/// Cancel, use another card, or discard: one wish (invariant 8).
struct CancelPressed {};
/// A final answer has been read and done with: back to Editing, for a new action (as soon as the answer is saved).
struct StartOverPressed {};
/// Another living process owns an action that belongs on this screen, or ours: it is shown, and nothing is done for it here.
struct Watched { WatchedAction seen; };
/// The person has seen how it ended: it need not be shown again at the next start.
struct Acknowledged {};

struct ActionSaved { LeaseNumber lease; };
/// `anotherId`: a freshly minted ID, always given with ReferenceTaken; the machine repeats the save under it.
struct ActionSaveFailed { JournalError error; std::optional<values::ActionId> anotherId = {}; };
struct CardExchanged { ExchangeResult result; };
/// `row`: what became of the first attempt's row; Refused: nothing may be sent.
struct ReadySaved { PreparedRequest ready; AttemptBegun row; };
struct ReadySaveFailed { JournalError error; };
/// Answer to RereadJournal; empty: nothing there, or the journal could not be read (`readable` false).
struct JournalReread { bool readable; std::optional<StoredAction> action; };
struct AttemptRowSaved { int number; };
/// The row was not inserted (displaced, final) or the journal failed: nothing may be sent.
struct AttemptRowRefused { int number; std::optional<JournalError> error; };
struct FinalSaved {};
struct FinalSaveFailed { JournalError error; };
/// `kept`: ClosedUnsent, the journal has closed the action in the same transaction.
struct WishSaved { WishKept kept; };
/// It may be durable all the same.
struct WishSaveFailed { JournalError error; };
/// The own action is closed and the one that holds its cart is ours to ask about.
struct Adopted { StoredAction action; };
struct AdoptFailed { JournalError error; };

struct PostEnded { int number; WireResult result; };
struct ProbeEnded { WireResult result; };
struct TimerFired { TimerKind timer; };
/// The system says the network is back. Only ever a reason to try sooner.
struct NetworkHint {};
/// A wall-clock jump or a wake from sleep was seen: ask now.
struct ClockJumped {};

// clang-format on

using Event = std::variant<PayPressed, Resumed, Watched, TryAgainPressed, CheckAgainPressed, CancelPressed, StartOverPressed,
                           Acknowledged, ActionSaved, ActionSaveFailed, CardExchanged, ReadySaved, ReadySaveFailed,
                           JournalReread, AttemptRowSaved, AttemptRowRefused, FinalSaved, FinalSaveFailed, WishSaved,
                           WishSaveFailed, Adopted, AdoptFailed, PostEnded, ProbeEnded, TimerFired, NetworkHint, ClockJumped>;

} // namespace payonce::retry
