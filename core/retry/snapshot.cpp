#include "retry/snapshot.h"

namespace payonce::retry {

bool mayCancel(const Snapshot& snapshot)
{
    const Cause cause = snapshot.cause;
    if (!snapshot.action || cause == Cause::OtherServer || cause == Cause::OtherOwner || cause == Cause::CartTaken)
        return false;
    switch (snapshot.state) {
    case State::NotStarted: return cause == Cause::LeftUnsent;
    case State::Confirming: return snapshot.isLong;
    case State::ServerWorking:
    case State::RetryWait:
    case State::Offline:
    case State::OfflineUnknown:
    case State::Unresolved: return true;
    case State::Editing:
    case State::Saving:
    case State::Sending:
    case State::Paid:
    case State::Declined:
    case State::NotCharged:
    case State::Fencing:
    case State::Cancelled:
    case State::Conflict: break;
    }
    return false;
}

bool isOver(State state)
{
    return isFinal(state) || state == State::Conflict;
}

} // namespace payonce::retry
