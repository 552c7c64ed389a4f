#include "retry/probe_line.h"

#include <algorithm>
#include <utility>

namespace payonce::retry {

void ProbeLine::begin()
{
    m_context.stopTimer(TimerKind::NextProbe);
    if (m_inFlight) {
        m_wanted = !m_awaited;
        return;
    }
    m_inFlight = true;
    m_awaited = true;
    const auto& snapshot = m_context.snapshot();
    m_context.emit(SendProbe{ProbeRequest{m_context.action().id, AttemptNote{snapshot.attempt, PreviousEnd::None,
                                                                             std::max(snapshot.presses, 1), snapshot.state}}});
    m_context.startTimer(TimerKind::ProbeLimit, m_context.numbers().probeLimit);
}

void ProbeLine::scheduleNext(std::chrono::milliseconds delay)
{
    if (!isInFlight())
        m_context.startTimer(TimerKind::NextProbe, delay);
}

void ProbeLine::limitReached()
{
    if (m_inFlight)
        m_context.emit(AbortProbe{EndReason::HardDeadline});
}

void ProbeLine::dismiss()
{
    m_wanted = false;
    if (isInFlight())
        m_context.emit(AbortProbe{EndReason::Finished});
    m_awaited = false;
}

bool ProbeLine::ended()
{
    if (!m_inFlight)
        return false;
    m_context.networkAnswered();
    m_inFlight = false;
    const bool awaited = std::exchange(m_awaited, false);
    if (awaited)
        m_context.stopTimer(TimerKind::ProbeLimit);
    if (std::exchange(m_wanted, false))
        begin();
    return awaited;
}

} // namespace payonce::retry
