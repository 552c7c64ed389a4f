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
    const auto& snapshot = m_context.snapshot();
    const auto& action = m_context.action();
    m_inFlight = action.id;
    m_awaited = true;
    const AttemptNote note{std::max(snapshot.attempt, 1), PreviousEnd::None, std::max(snapshot.presses, 1), snapshot.state};
    const auto purpose = action.wish ? ProbeRequest::Purpose::Fence : ProbeRequest::Purpose::Ask;
    m_context.emit(SendProbe{ProbeRequest{action.id, note, action.target.kind, purpose}});
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

Ending ProbeLine::ended()
{
    if (!m_inFlight)
        return Ending::Foreign;
    m_context.networkAnswered();
    const values::ActionId id = *std::exchange(m_inFlight, std::nullopt);
    const bool awaited = std::exchange(m_awaited, false);
    if (awaited)
        m_context.stopTimer(TimerKind::ProbeLimit);
    if (std::exchange(m_wanted, false))
        begin();
    return m_context.endingOf(id, awaited);
}

} // namespace payonce::retry
