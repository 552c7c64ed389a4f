// Snapshot: what a screen, a log or a test may know of ActionMachine.
#pragma once

#include "retry/action.h"

#include <array>

namespace payonce::retry {

struct Snapshot
{
    State state = State::Editing;
    Cause cause = Cause::None;
    /// None only in Editing before the first press of a new action. In Editing after NotStarted it is the action that the
    /// next press continues under the same ID.
    std::optional<StoredAction> action;
    std::string detail; ///< a sentence of the server that belongs to `cause`, if any
    FinalAnswer answer; ///< of Paid, Declined, NotCharged, Cancelled; of Conflict: what was final before, if anything
    int attempt = 0;    ///< number of the newest attempt
    int attemptsMax = 4;
    int posts = 0; ///< POSTs handed to the transport since the process started
    int probes = 0;
    int presses = 0;
    std::array<int, kStates> pressesIn{};           ///< of them, by the state that was shown
    std::optional<values::MonotonicTime> nextTry;   ///< of RetryWait and Offline: when the next POST leaves
    bool isLong = false;                            ///< this state has lasted for `longWait`
    std::optional<values::MonotonicTime> startedAt; ///< of Sending and after: when this process first sent or resumed
    bool anyByteTaken = false;                      ///< some attempt is not proven unsent
    bool isViewer = false;                          ///< another process owns the action; this one shows what that one shows
    int savesPending = 0;
    int networkPending = 0;
    friend bool operator==(const Snapshot&, const Snapshot&) = default;
};

/// *Cancel or use another card* may be offered and would be acted on.
[[nodiscard]] bool mayCancel(const Snapshot& snapshot);
/// The last thing this process can say; only a final answer or a person changes it.
[[nodiscard]] bool isOver(State state);

} // namespace payonce::retry
