#include "simulation/transitions.h"

#include <array>
#include <bitset>

namespace payonce::simulation {

namespace {

using retry::State;

constexpr std::size_t kStates = static_cast<std::size_t>(State::Conflict) + 1;

constexpr std::size_t indexOf(State state)
{
    return static_cast<std::size_t>(state);
}

struct Step
{
    State before;
    std::bitset<kStates> after;
};

template <class... States> std::bitset<kStates> states(States... all)
{
    std::bitset<kStates> set;
    (set.set(indexOf(all)), ...);
    return set;
}

const std::bitset<kStates> kEnds = states(State::Paid, State::Declined, State::NotCharged, State::Cancelled);
/// Bytes may have left, and the answer is awaited.
const std::bitset<kStates> kWaits =
    states(State::Confirming, State::ServerWorking, State::RetryWait, State::OfflineUnknown, State::Unresolved, State::Fencing);

/// docs/client.md, States. What is not here is never shown: nothing leaves an end, only an end or the fence leaves Unresolved,
/// and once it is fencing nothing but an end follows, or Unresolved where the wish could not be saved. Back to NotStarted goes
/// what is proven unsent (Referee::checkWords sees to that).
const std::array kSteps = {
    Step{State::Editing, states(State::Saving)},
    Step{State::Saving, states(State::NotStarted, State::Sending, State::Unresolved, State::Fencing)},
    Step{State::NotStarted, states(State::Editing, State::Saving, State::Fencing)},
    Step{State::Sending, kEnds | kWaits | states(State::Offline)},
    Step{State::Confirming, kEnds | kWaits | states(State::Offline, State::NotStarted)},
    Step{State::ServerWorking, kEnds | kWaits},
    Step{State::RetryWait, kEnds | kWaits | states(State::Sending, State::Offline, State::NotStarted)},
    Step{State::Offline, kEnds | states(State::Sending, State::NotStarted, State::Fencing, State::Unresolved)},
    Step{State::OfflineUnknown, kEnds | kWaits},
    Step{State::Unresolved, kEnds | states(State::Fencing)},
    Step{State::Fencing, kEnds | states(State::Unresolved)},
};

} // namespace

bool mayFollow(State before, State after)
{
    if (before == after)
        return true;
    for (const auto& step : kSteps)
        if (step.before == before)
            return step.after.test(indexOf(after));
    return false; // Paid, Declined, NotCharged, Cancelled and Conflict
}

} // namespace payonce::simulation
