// Port: the durable memory of the client. Implemented by core/storage; called on a worker thread.
#pragma once

#include "retry/watching.h"
#include "values/result.h"

namespace payonce::retry {

enum class JournalError {
    DiskFull,
    ReadOnly,
    Locked,
    Damaged,
    NewerVersion,   ///< written by a later version of the program
    CartHeld,       ///< another unresolved or paid action holds this cart
    ReferenceTaken, ///< mint another ID: this journal has an action with the same reference
    Displaced,      ///< the lease number is not the newest any more
    Failed,         ///< anything else; treated as "may be durable, may be not"
};

enum class AttemptBegun { Inserted, Refused };

/// What a saved wish to cancel leads to.
enum class WishKept {
    Fence,        ///< the shop must be asked to close the action
    ClosedUnsent, ///< every attempt is proven unsent: the action is Cancelled (NeverSent) from here on
};

/// Every method blocks until durable (SQLite WAL, synchronous=FULL) or failed.
class Journal
{
public:
    virtual ~Journal() = default;

    /// Save 1. The same ID again replaces an action that is not ready and has no attempt.
    /// Returns the lease number under which the caller now owns the action.
    [[nodiscard]] virtual values::Result<LeaseNumber, JournalError> saveAction(const StoredAction& action) = 0;
    /// Save 2 and the row of the attempt that follows it: one transaction, both durable or neither. Clears `toldNotStarted`.
    /// The same bytes again are fine, also where attempts were made. `Refused`: the row is not there, by the rule of
    /// beginAttempt; save 2 is durable all the same.
    [[nodiscard]] virtual values::Result<AttemptBegun, JournalError>
    saveReady(const values::ActionId& id, LeaseNumber lease, const PreparedRequest& ready, const AttemptStart& first) = 0;
    /// One statement: inserted only if the lease is the newest, the action is ready, not final, without a wish to cancel and
    /// without a conflict.
    [[nodiscard]] virtual values::Result<AttemptBegun, JournalError> beginAttempt(const values::ActionId& id, LeaseNumber lease,
                                                                                  int number, values::WallTime at) = 0;
    [[nodiscard]] virtual values::Result<void, JournalError> endAttempt(const values::ActionId& id, LeaseNumber lease,
                                                                        int number, const AttemptEnd& end) = 0;
    /// A final answer never changes: the same one again is fine, another one is `Failed`.
    [[nodiscard]] virtual values::Result<void, JournalError> saveFinal(const values::ActionId& id, LeaseNumber lease,
                                                                       const FinalAnswer& answer) = 0;
    [[nodiscard]] virtual values::Result<void, JournalError> markToldNotStarted(const values::ActionId& id,
                                                                                LeaseNumber lease) = 0;
    /// In one transaction: the wish, and the end of the action if every attempt row proves that nothing was sent. The same
    /// wish again is fine and comes to the same; the first one stands.
    [[nodiscard]] virtual values::Result<WishKept, JournalError> saveWish(const values::ActionId& id, LeaseNumber lease,
                                                                          const CancelWish& wish) = 0;
    /// The first one stands. Also of an action with a final answer.
    [[nodiscard]] virtual values::Result<void, JournalError> saveConflict(const values::ActionId& id, LeaseNumber lease,
                                                                          Cause cause) = 0;
    /// In one transaction: `own` is Cancelled (CartTaken), and `holder` is ours: as this journal has it, or else as given
    /// (no body, adopted). Returns it under the lease that the caller now has; unchanged where it has a final answer.
    [[nodiscard]] virtual values::Result<StoredAction, JournalError> adopt(const values::ActionId& own, LeaseNumber lease,
                                                                           const StoredAction& holder) = 0;
    /// How it ended has been seen: takeOverOpen() leaves it out from now on.
    [[nodiscard]] virtual values::Result<void, JournalError> markSeen(const values::ActionId& id, LeaseNumber lease) = 0;
    /// Reads on a new connection, so that it shows what is durable. Empty: no such action.
    [[nodiscard]] virtual values::Result<std::optional<StoredAction>, JournalError> read(const values::ActionId& id) = 0;
    /// Takes over every action without a final answer that no other living process owns (next lease number) and returns them,
    /// oldest first; behind them those whose end nobody has seen.
    [[nodiscard]] virtual values::Result<std::vector<StoredAction>, JournalError> takeOverOpen() = 0;

    // For several processes on one journal. Neither need be durable. A journal for one process has nobody to look at.

    /// Takes over what belonged to processes that died, takes out what was pressed elsewhere, and sees what the living do.
    [[nodiscard]] virtual values::Result<Sight, JournalError> look(const Look& /*look*/) { return Sight{}; }
    /// For the owner of the action to act on.
    [[nodiscard]] virtual values::Result<void, JournalError> press(const values::ActionId& /*id*/, Press /*what*/)
    {
        return {};
    }
};

} // namespace payonce::retry
