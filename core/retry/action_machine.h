// ActionMachine: the client's rules for one action at a time. No clock, randomness, socket, file or Qt type.
//
// The rules are docs/client.md; each is named where it is kept. In one breath: an ID is saved before the card is
// exchanged, the exact bytes before the first POST, a row before every POST; one POST and one probe at a time;
// what is not proven final or not sent is unknown, and unknown is asked about, never re-sent under another ID.
#pragma once

#include "retry/effect.h"
#include "retry/numbers.h"

namespace payonce::retry {

/// What a screen, a log or a test may know of the machine.
struct Snapshot
{
    State state = State::Editing;
    Cause cause = Cause::None;
    std::optional<StoredAction> action; ///< none only in Editing before the first press
    std::string detail;                 ///< a sentence of the server that belongs to `cause`, if any
    FinalAnswer answer;                 ///< of Paid, Declined, Cancelled
    int attempt = 0;                    ///< number of the newest attempt
    int attemptsMax = 4;
    int posts = 0;                      ///< POSTs handed to the transport since the process started
    int probes = 0;
    int presses = 0;
    std::optional<values::MonotonicTime> nextTry; ///< of RetryWait and Offline: when the next POST leaves
    std::optional<values::MonotonicTime> startedAt; ///< of Sending and after: when this process first sent or resumed
    bool anyByteTaken = false;          ///< some attempt is not proven unsent
    int savesPending = 0;
    int networkPending = 0;
};

class ActionMachine
{
public:
    explicit ActionMachine(const Numbers& numbers);

    /// One step. `draw` is 64 fresh random bits; `now.wall` is in the server's time.
    /// Events that do not fit the state (a second press, a late timer, a late answer) change nothing and return nothing.
    [[nodiscard]] Effects handle(const Event& event, const values::Now& now, std::uint64_t draw);

    [[nodiscard]] const Snapshot& snapshot() const { return m_snapshot; }

private:
    Numbers m_numbers;
    Snapshot m_snapshot;
};

} // namespace payonce::retry
