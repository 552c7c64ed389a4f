#include "retry/fencing.h"

#include <utility>

namespace payonce::retry {

void Fencing::reset()
{
    m_pending.reset();
    m_perhaps.reset();
}

void Fencing::wish(CancelWish wish)
{
    if (isWished())
        return;
    const auto& action = m_context.action();
    for (const TimerKind timer : {TimerKind::NextPost, TimerKind::NextProbe, TimerKind::GiveUp, TimerKind::FenceDue})
        m_context.stopTimer(timer);
    m_context.show(State::Fencing, wish.cause, wish.detail);
    m_context.emit(SaveWish{action.id, action.lease, wish});
    m_pending = std::move(wish);
}

bool Fencing::wishAgain()
{
    if (!m_perhaps)
        return false;
    wish(*std::exchange(m_perhaps, std::nullopt));
    return true;
}

void Fencing::resume()
{
    const auto& wish = *m_context.action().wish;
    m_context.show(State::Fencing, wish.cause, wish.detail);
    begin();
}

void Fencing::saved()
{
    m_context.action().wish = std::exchange(m_pending, std::nullopt);
    m_perhaps.reset();
}

void Fencing::begin()
{
    if (m_post.isInFlight())
        m_post.abort(EndReason::User);
    m_probe.dismiss(); // it only asks
    m_pacing.beginProbes();
    m_probe.begin();
}

void Fencing::saveFailed()
{
    m_perhaps = std::exchange(m_pending, std::nullopt);
    m_context.startTimer(TimerKind::FenceDue, m_context.numbers().fenceAfter);
}

void Fencing::notYet(const Outcome& outcome)
{
    const auto& wish = *m_context.action().wish;
    const bool signIn = outcome.kind == OutcomeKind::SignInNeeded;
    m_context.show(State::Fencing, signIn ? Cause::SignInNeeded : wish.cause, signIn ? outcome.detail : wish.detail);
    if (outcome.kind == OutcomeKind::Wait)
        (void)m_pacing.delayByAdvice(outcome.delay);
    m_context.stopTimer(TimerKind::NextPost);
    m_probe.scheduleNext(m_pacing.nextProbe(outcome.delay));
}

FinalAnswer Fencing::named(FinalAnswer answer) const
{
    const auto& wish = m_context.snapshot().action->wish;
    if (wish && wish->cause == Cause::Refused && answer.state == State::Cancelled && answer.cause == Cause::Closed) {
        answer.state = State::NotCharged;
        answer.cause = Cause::Refused;
        answer.detail = wish->detail;
    }
    return answer;
}

} // namespace payonce::retry
