#include "retry/watching.h"

#include "retry/snapshot.h"

namespace payonce::retry {

namespace {

/// Where the owner has not said anything yet.
Shown derived(const StoredAction& action)
{
    if (attemptsPerhapsSent(action) > 0)
        return {action.attempts.back().end ? State::Confirming : State::Sending};
    if (action.adopted)
        return {State::Confirming};
    return {action.toldNotStarted ? State::NotStarted : State::Saving};
}

} // namespace

Shown sayable(const WatchedAction& seen)
{
    const auto& action = seen.action;
    if (action.wish && (!seen.shown || seen.shown->state != State::Fencing))
        return {State::Fencing, action.wish->cause, action.wish->detail};
    if (!seen.shown || isOver(seen.shown->state)) // its end is not saved yet
        return derived(action);
    switch (seen.shown->state) {
    case State::Editing: // the owner asks for another card; nothing was sent
    case State::Saving:
    case State::NotStarted:
        if (attemptsPerhapsSent(action) > 0)
            return derived(action);
        return seen.shown->state == State::Editing ? Shown{State::NotStarted} : *seen.shown;
    default: return *seen.shown;
    }
}

const char* nameOf(Press press)
{
    return press == Press::CheckAgain ? "check_again" : "cancel";
}

} // namespace payonce::retry
