// ProbeLine: the one channel for probes and fences, beside the POST and never waiting for it (invariant 5).
#pragma once

#include "retry/step_context.h"

namespace payonce::retry {

class ProbeLine
{
public:
    explicit ProbeLine(StepContext& context) : m_context(context) {}

    [[nodiscard]] bool isInFlight() const { return m_inFlight && m_awaited; }

    /// Asks now, or fences where the wish to cancel is saved, unless a probe is in flight already. Waits for the end of an
    /// earlier action's probe that was cut short.
    void begin();
    /// Asks after `delay`, unless a probe is in flight.
    void scheduleNext(std::chrono::milliseconds delay);
    /// Its own time limit has passed; its end is still reported.
    void limitReached();
    /// The action needs no probe any more: ends the one in flight and lets nobody hear of its end.
    void dismiss();
    [[nodiscard]] Ending ended();

private:
    StepContext& m_context;
    std::optional<values::ActionId> m_inFlight; ///< whose
    bool m_awaited = false;
    bool m_wanted = false; ///< begin() was called while an earlier action's probe was still ending
};

} // namespace payonce::retry
