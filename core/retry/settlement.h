// Settlement: a final answer wins at once, never reverts (invariant 13), and is saved until the disk takes it.
#pragma once

#include "retry/step_context.h"

namespace payonce::retry {

class Settlement
{
public:
    explicit Settlement(StepContext& context) : m_context(context) {}

    /// Shows the answer now and saves it. Ends every timer.
    void settle(const FinalAnswer& answer);
    /// An answer that the journal already holds.
    void showSaved(const FinalAnswer& answer);
    /// The shop contradicts itself or us: the first cause stays, a final answer behind it stays saved (invariant 13).
    void conflict(Cause cause);
    /// One that the journal already holds.
    void showSavedConflict();
    /// Another final answer came in behind the one that is shown. The shop never charges for what it closed, so only that
    /// difference counts which matters to a person.
    [[nodiscard]] bool isContrary(const FinalAnswer& answer) const;
    void acknowledged();

    void saved();
    void saveFailed(JournalError error);
    /// What is over is saved once more, by its owner of now.
    void saveUnder(LeaseNumber lease);
    void saveAgain();
    /// Back to Editing for a new action, as soon as the answer is saved: until then the journal still holds the cart.
    void startOver();

private:
    void emitSave();

    StepContext& m_context;
    bool m_savePending = false;
    bool m_saved = false;
    bool m_startOverWished = false;
    int m_tries = 0;
};

} // namespace payonce::retry
