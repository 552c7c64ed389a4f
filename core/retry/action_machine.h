// ActionMachine: the client's rules for one action at a time. No clock, randomness, socket, file or Qt type.
//
// The rules are docs/client.md; each is named where it is kept. In one breath: an ID is saved before the card is
// exchanged, the exact bytes before the first POST, a row before every POST; one POST and one probe at a time;
// what is not proven final or not sent is unknown, and unknown is asked about, never re-sent under another ID.
#pragma once

#include "retry/effect.h"
#include "retry/numbers.h"
#include "retry/snapshot.h"

#include <memory>

namespace payonce::retry {

class ActionMachine
{
public:
    explicit ActionMachine(const Numbers& numbers);
    ActionMachine(const ActionMachine&) = delete;
    ActionMachine& operator=(const ActionMachine&) = delete;
    ActionMachine(ActionMachine&&) = delete;
    ActionMachine& operator=(ActionMachine&&) = delete;
    ~ActionMachine();

    /// One step. `draw` is 64 fresh random bits; `now.wall` is in the server's time.
    /// Events that do not fit the state (a second press, a late timer, a late answer) change nothing a person sees and
    /// send nothing; a press is counted, a late end of a POST is still recorded.
    [[nodiscard]] Effects handle(const Event& event, const values::Now& now, std::uint64_t draw);

    [[nodiscard]] const Snapshot& snapshot() const;

private:
    class Private;
    std::unique_ptr<Private> m_private;
};

} // namespace payonce::retry
