// Pacing: when the next POST and the next probe may go out, by backoff, schedule and server advice.
#pragma once

#include "retry/step_context.h"

namespace payonce::retry {

class Pacing
{
public:
    using ms = std::chrono::milliseconds;

    explicit Pacing(StepContext& context) : m_context(context) {}

    /// A new current action: the first POST needs neither a probe nor a delay.
    void reset();

    // The next POST needs two things: a permission (nothing was sent, or a probe found nothing or failed since the last
    // POST ended unknown) and that its delay has passed.
    void permit() { m_permitted = true; }
    void forbid() { m_permitted = false; }
    [[nodiscard]] bool isPermitted() const { return m_permitted; }
    void delayOver() { m_delayOver = true; }
    [[nodiscard]] bool isDelayOver() const { return m_delayOver; }

    /// After an attempt that is not proven unsent: backoff, and never earlier than the advice.
    void delayAfterUnknown(const std::optional<ms>& advice);
    /// After a proven unsent one; the delay. `tries`: of them in a row.
    ms delayAfterNotSent(int tries);
    /// Server advice for POSTs and probes alike; the delay.
    ms delayByAdvice(const std::optional<ms>& advice);
    /// Until when nothing may be sent by itself.
    [[nodiscard]] bool isAdvisedToWait() const { return m_context.now().mono < m_notBefore; }

    /// The probe schedule begins again; its first probe is sent at once by the caller.
    void beginProbes() { m_probeIndex = 1; }
    void beginUnresolvedProbes() { m_unresolvedIndex = 0; }
    /// While the shop cannot be reached, probes go out as rarely as POSTs would.
    void beginOfflineProbes() { m_offlineTries = 0; }
    /// The delay before the next probe. `advice`: the shop holds the answer itself (`Prefer: wait`), so it may follow early;
    /// a fence follows no earlier.
    ms nextProbe(const std::optional<ms>& advice);

private:
    void startDelay(ms delay);
    ms fenceDelay(const std::optional<ms>& advice);
    [[nodiscard]] std::optional<ms> sensible(const std::optional<ms>& advice) const;
    ms backoff();

    StepContext& m_context;
    bool m_permitted = false;
    bool m_delayOver = false;
    int m_probeIndex = 0;
    int m_unresolvedIndex = 0;
    int m_offlineTries = 0;
    values::MonotonicTime m_notBefore{};
};

} // namespace payonce::retry
