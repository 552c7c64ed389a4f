#include "retry/pacing.h"

#include "retry/backoff.h"

#include <algorithm>

namespace payonce::retry {

using ms = std::chrono::milliseconds;

void Pacing::reset()
{
    m_permitted = true;
    m_delayOver = true;
    m_probeIndex = 0;
    m_unresolvedIndex = 0;
    m_offlineTries = 0;
    m_notBefore = {};
}

void Pacing::delayAfterUnknown(const std::optional<ms>& advice)
{
    const ms delay = backoff();
    const auto wanted = sensible(advice);
    startDelay(wanted ? std::max(delay, adviceDelay(m_context.numbers(), *wanted, m_context.draw())) : delay);
}

ms Pacing::delayAfterNotSent(int tries)
{
    const auto& numbers = m_context.numbers();
    const int asOffline = tries - numbers.notSentUntilOffline + 1;
    const ms delay = asOffline > 0 ? offlineDelay(numbers, asOffline) : postDelay(numbers, 1, m_context.draw());
    startDelay(delay);
    return delay;
}

ms Pacing::delayByAdvice(const std::optional<ms>& advice)
{
    const auto wanted = sensible(advice);
    const ms delay = wanted ? adviceDelay(m_context.numbers(), *wanted, m_context.draw()) : backoff();
    m_notBefore = m_context.now().mono + delay;
    startDelay(delay);
    return delay;
}

ms Pacing::nextProbe(const std::optional<ms>& advice)
{
    const auto& numbers = m_context.numbers();
    ms delay{};
    if (m_context.state() == State::Unresolved) {
        delay = unresolvedProbeDelay(numbers, m_unresolvedIndex++);
    } else if (m_context.state() == State::OfflineUnknown) {
        delay = offlineDelay(numbers, ++m_offlineTries);
    } else if (m_context.state() == State::Fencing) {
        delay = fenceDelay(advice);
    } else {
        delay = probeDelay(numbers, m_probeIndex++, m_context.draw());
        if (advice)
            delay = std::min(delay, *advice);
    }
    return std::max(delay, std::chrono::ceil<ms>(m_notBefore - m_context.now().mono));
}

/// As after an unknown outcome, then rarely, as while Unresolved.
ms Pacing::fenceDelay(const std::optional<ms>& advice)
{
    const auto& numbers = m_context.numbers();
    const int index = m_probeIndex++;
    const int often = static_cast<int>(numbers.probe.size());
    const ms delay =
        index < often ? probeDelay(numbers, index, m_context.draw()) : unresolvedProbeDelay(numbers, index - often + 2);
    return std::max(delay, sensible(advice).value_or(ms::zero()));
}

void Pacing::startDelay(ms delay)
{
    m_delayOver = false;
    m_context.startTimer(TimerKind::NextPost, delay);
}

std::optional<ms> Pacing::sensible(const std::optional<ms>& advice) const
{
    return advice && *advice <= m_context.numbers().adviceMost ? advice : std::nullopt;
}

ms Pacing::backoff()
{
    const int posts = std::max(attemptsPerhapsSent(m_context.action()), 1);
    return postDelay(m_context.numbers(), posts, m_context.draw());
}

} // namespace payonce::retry
