#include "retry/step_context.h"

#include "values/check.h"

#include <utility>

namespace payonce::retry {

namespace {

std::size_t indexOf(TimerKind timer)
{
    return static_cast<std::size_t>(timer);
}

bool isAnsweredSave(const Effect& effect)
{
    return std::holds_alternative<SaveAction>(effect) || std::holds_alternative<SaveReady>(effect) ||
           std::holds_alternative<RereadJournal>(effect) || std::holds_alternative<SaveAttemptRow>(effect) ||
           std::holds_alternative<SaveFinal>(effect) || std::holds_alternative<SaveWish>(effect) ||
           std::holds_alternative<AdoptHolder>(effect);
}

/// States between which a person sees one long wait.
int waitOf(State state)
{
    const bool answers = state == State::Confirming || state == State::ServerWorking || state == State::RetryWait ||
                         state == State::OfflineUnknown;
    return answers ? 1 : state == State::Fencing ? 2 : 0;
}

} // namespace

StepContext::StepContext(const Numbers& numbers) : m_numbers(numbers)
{
    m_snapshot.attemptsMax = static_cast<int>(numbers.backoff.size()) + 1;
}

void StepContext::beginStep(const values::Now& now, std::uint64_t draw)
{
    CHECK(m_effects.empty());
    m_now = now;
    m_randomState = draw;
}

Effects StepContext::endStep()
{
    return std::exchange(m_effects, {});
}

std::uint64_t StepContext::draw()
{
    // SplitMix64 (Steele, Lea, Flood 2014).
    m_randomState += 0x9E3779B97F4A7C15U;
    std::uint64_t mixed = m_randomState;
    mixed = (mixed ^ (mixed >> 30U)) * 0xBF58476D1CE4E5B9U;
    mixed = (mixed ^ (mixed >> 27U)) * 0x94D049BB133111EBU;
    return mixed ^ (mixed >> 31U);
}

StoredAction& StepContext::action()
{
    CHECK(m_snapshot.action.has_value());
    return *m_snapshot.action;
}

Ending StepContext::endingOf(const values::ActionId& id, bool awaited) const
{
    if (!m_snapshot.action || m_snapshot.action->id != id)
        return Ending::Foreign;
    return awaited ? Ending::Awaited : Ending::Dismissed;
}

void StepContext::emit(Effect effect)
{
    if (isAnsweredSave(effect))
        ++m_snapshot.savesPending;
    if (std::holds_alternative<SendPost>(effect)) {
        ++m_snapshot.posts;
        ++m_snapshot.networkPending;
    }
    if (std::holds_alternative<SendProbe>(effect)) {
        ++m_snapshot.probes;
        ++m_snapshot.networkPending;
    }
    if (std::holds_alternative<ExchangeCard>(effect))
        ++m_snapshot.networkPending;
    m_effects.push_back(std::move(effect));
}

void StepContext::saveAnswered()
{
    if (m_snapshot.savesPending > 0)
        --m_snapshot.savesPending;
}

void StepContext::networkAnswered()
{
    CHECK(m_snapshot.networkPending > 0);
    --m_snapshot.networkPending;
}

void StepContext::startTimer(TimerKind timer, std::chrono::milliseconds delay)
{
    CHECK(delay.count() >= 0);
    m_running.set(indexOf(timer));
    emit(StartTimer{timer, delay});
}

void StepContext::stopTimer(TimerKind timer)
{
    if (!m_running.test(indexOf(timer)))
        return;
    m_running.reset(indexOf(timer));
    emit(StopTimer{timer});
}

void StepContext::stopAllTimers()
{
    for (std::size_t index = 0; index < kTimers; ++index)
        stopTimer(static_cast<TimerKind>(index));
}

bool StepContext::takeFired(TimerKind timer)
{
    const bool awaited = m_running.test(indexOf(timer));
    m_running.reset(indexOf(timer));
    return awaited;
}

void StepContext::show(State state, Cause cause, std::string detail)
{
    if (waitOf(m_snapshot.state) != waitOf(state)) {
        m_snapshot.isLong = false;
        stopTimer(TimerKind::LongWait);
        if (waitOf(state) != 0)
            startTimer(TimerKind::LongWait, m_numbers.longWait);
    }
    m_snapshot.state = state;
    m_snapshot.cause = cause;
    m_snapshot.detail = std::move(detail);
    m_snapshot.nextTry.reset();
}

bool StepContext::isPastValidity()
{
    return m_now.wall >= action().validUntil;
}

void StepContext::recountAttempts()
{
    const auto& action = m_snapshot.action;
    m_snapshot.anyByteTaken = action && (action->adopted || attemptsPerhapsSent(*action) > 0);
}

} // namespace payonce::retry
