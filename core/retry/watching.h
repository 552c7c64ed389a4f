// What processes that share one journal tell each other about an action (docs/client.md, invariant 11).
#pragma once

#include "retry/action.h"

namespace payonce::retry {

/// What the owner of an action shows of it.
struct Shown
{
    State state = State::Editing;
    Cause cause = Cause::None;
    std::string detail{};
    bool isLong = false;
    std::optional<values::MonotonicTime> nextTry{}; ///< one clock for all processes of a computer
    friend bool operator==(const Shown&, const Shown&) = default;
};

/// Another process's action as the journal has it; `shown` is missing until its owner knows that somebody looks.
struct WatchedAction
{
    StoredAction action;
    std::optional<Shown> shown{};
    friend bool operator==(const WatchedAction&, const WatchedAction&) = default;
};

/// What a viewer passes on to the owner.
enum class Press { CheckAgain, Cancel };

/// One look at what the other processes do, and what this one wants them to see.
struct Look
{
    Scope here;                              ///< whose open actions matter while none is current
    std::optional<values::ActionId> current; ///< the action on the screen
    Kind kind = Kind::Payment;               ///< of `current`, as its cart and lease
    std::string cartId{};
    LeaseNumber lease = 0;
    bool isBusy = false;          ///< says that this process lives
    bool wantsAll = false;        ///< not only what is new; also `current`, if it is this process's own after all
    std::optional<Shown> shown{}; ///< of `current`, which is ours: for those who look from now on
};

struct Sight
{
    bool hasCompany = false;         ///< another living process owns an action or looks at one
    std::vector<StoredAction> taken; ///< of owners that died: ours from here on, oldest first
    std::vector<Press> presses;      ///< pressed elsewhere for `current`, which is ours; each is given once
    /// What belongs on the screen and is another's: `current`, or what holds its cart, or else the oldest open action under
    /// `here`. Only where something may have changed.
    std::optional<WatchedAction> watched{};
};

/// What a viewer may say of it: what the owner shows, unless the journal knows better. Of actions without an end.
[[nodiscard]] Shown sayable(const WatchedAction& seen);

/// snake_case, for journals.
[[nodiscard]] const char* nameOf(Press press);

} // namespace payonce::retry
