#include "retry/confirmation.h"

#include <utility>

namespace payonce::retry {

using ms = std::chrono::milliseconds;

Confirmation::Confirmation(StepContext& context, Settlement& settlement)
    : m_context(context), m_settlement(settlement), m_post(context), m_probe(context), m_pacing(context)
{
}

void Confirmation::reset()
{
    m_post.reset();
    m_pacing.reset();
    m_late = m_clockRuns = m_personAsked = m_personPost = false;
    m_notSentInARow = 0;
}

void Confirmation::readySaved(int number, AttemptBegun row)
{
    if (row == AttemptBegun::Refused)
        return rowRefused(AttemptRowRefused{number, {}});
    if (!m_post.isOccupied())
        return rowSaved(AttemptRowSaved{number});
    // An earlier action's POST is still ending. This row is closed unsent; the next one is saved when the line is free.
    (void)m_post.rowSaved(number, PostLine::Permission::Withhold);
    (void)tryPost();
}

void Confirmation::resume()
{
    reset();
    m_context.snapshot().startedAt = m_context.now().mono;
    m_context.startTimer(TimerKind::GiveUp, m_context.numbers().unresolvedAfter);
    m_clockRuns = true;
    m_context.show(State::Confirming);
    afterUnknown(State::Confirming, {});
}

void Confirmation::yieldToOtherOwner()
{
    quiet();
    m_context.show(State::Unresolved, Cause::OtherOwner);
    m_context.emit(RereadJournal{m_context.action().id});
}

void Confirmation::closeNeverSent()
{
    finish(FinalAnswer{State::Cancelled, Cause::NeverSent, {}, {}, {}});
}

void Confirmation::finish(const FinalAnswer& answer)
{
    m_settlement.settle(answer);
    m_post.dismiss();
    m_probe.dismiss();
}

void Confirmation::quiet()
{
    m_context.stopAllTimers();
    m_post.dismiss();
    m_probe.dismiss();
}

void Confirmation::rowSaved(const AttemptRowSaved& event)
{
    const State state = m_context.state();
    const bool byPerson = std::exchange(m_personPost, false);
    const bool open = !isFinal(state) && (state != State::Unresolved || byPerson);
    const auto permission = open && !m_context.isPastValidity() ? PostLine::Permission::Send : PostLine::Permission::Withhold;
    if (!m_post.rowSaved(event.number, permission))
        return;
    if (permission == PostLine::Permission::Withhold) {
        if (open)
            noMorePosts(Cause::PastValidity);
        return;
    }
    m_context.stopTimer(TimerKind::NextProbe); // the soft deadline takes over
    if (!m_context.snapshot().startedAt)
        m_context.snapshot().startedAt = m_context.now().mono;
    if (!std::exchange(m_clockRuns, true))
        m_context.startTimer(TimerKind::GiveUp, m_context.numbers().unresolvedAfter);
    // A repeat after an unknown attempt goes on being confirmed.
    if (state != State::Confirming && state != State::ServerWorking && state != State::Unresolved)
        m_context.show(State::Sending);
}

void Confirmation::rowRefused(const AttemptRowRefused& event)
{
    if (!m_post.rowRefused(event.number))
        return;
    m_personPost = false;
    if (isFinal(m_context.state()))
        return;
    if (!event.error || *event.error == JournalError::Displaced)
        return yieldToOtherOwner();
    if (m_context.snapshot().anyByteTaken)
        return unresolved(Cause::DiskRefused);
    // The row may be durable all the same: marked, so that no later process sends it by itself.
    quiet();
    auto& action = m_context.action();
    action.toldNotStarted = true;
    m_context.emit(MarkToldNotStarted{action.id, action.lease});
    m_context.show(State::NotStarted, Cause::DiskRefused);
}

void Confirmation::postEnded(const PostEnded& event)
{
    if (!m_post.ended(event.number, event.result))
        return;
    const auto& action = m_context.action();
    const Outcome outcome = classifyPost(event.result, action.id, action.purchase.amount);
    if (outcome.kind != OutcomeKind::NotSent)
        m_notSentInARow = 0;
    switch (outcome.kind) {
    case OutcomeKind::NotSent: return afterNotSent();
    case OutcomeKind::Final: return finish(outcome.answer);
    case OutcomeKind::Working: return afterUnknown(State::ServerWorking, outcome.delay);
    case OutcomeKind::BeingChecked:
    case OutcomeKind::NotFound:
    case OutcomeKind::Unknown:
    case OutcomeKind::TryAgain: return afterUnknown(State::Confirming, outcome.delay);
    case OutcomeKind::Wait: return afterAdvice(outcome);
    case OutcomeKind::Refused:
    case OutcomeKind::SignInNeeded:
    case OutcomeKind::KeyReused:
    case OutcomeKind::CartTaken:
    case OutcomeKind::ContraryAnswer: return stopFor(outcome);
    }
}

/// An attempt that ends unknown: probe at once; the next POST only after *not found* or a failed probe, and its backoff.
void Confirmation::afterUnknown(State state, std::optional<ms> advice)
{
    m_pacing.forbid();
    m_pacing.beginProbes();
    showOpen(state);
    if (m_context.state() != State::Unresolved)
        m_pacing.delayAfterUnknown(advice);
    m_probe.begin();
}

/// Proven unsent attempts do not count. "Nothing was sent" is said only where no byte of any attempt was ever taken.
void Confirmation::afterNotSent()
{
    ++m_notSentInARow;
    if (m_context.state() == State::Unresolved)
        return probeLater();
    const ms delay = m_pacing.delayAfterNotSent(m_notSentInARow);
    if (m_context.snapshot().anyByteTaken) {
        m_pacing.forbid();
        showOpen(State::Confirming);
        m_probe.begin();
        return;
    }
    m_pacing.permit();
    m_late = m_clockRuns = false;
    m_context.stopTimer(TimerKind::GiveUp);
    m_context.show(m_notSentInARow >= m_context.numbers().notSentUntilOffline ? State::Offline : State::RetryWait);
    m_context.snapshot().nextTry = m_context.now().mono + delay;
}

/// `rate-limited`, `store-unavailable`: this copy was not run; the same ID goes out again when the shop says.
void Confirmation::afterAdvice(const Outcome& outcome)
{
    const ms delay = m_pacing.delayByAdvice(outcome.delay);
    m_pacing.permit();
    if (m_context.state() == State::Unresolved)
        return probeLater();
    if (!mayPostByItself())
        return unresolved(Cause::AttemptsSpent, outcome.detail);
    m_context.show(State::RetryWait, Cause::None, outcome.detail);
    m_context.snapshot().nextTry = m_context.now().mono + delay;
}

/// A refusal proves nothing about earlier copies (invariant 7), so it is Unresolved, and the probe decides.
void Confirmation::stopFor(const Outcome& outcome)
{
    unresolved(causeOf(outcome.kind), outcome.detail);
    m_probe.begin();
}

void Confirmation::softDeadline()
{
    if (m_context.state() == State::Sending)
        showOpen(State::Confirming);
    m_pacing.beginProbes();
    m_probe.begin();
}

void Confirmation::probeEnded(const ProbeEnded& event)
{
    if (!m_probe.ended())
        return;
    const auto& action = m_context.action();
    const Outcome outcome = classifyProbe(event.result, action.id, action.purchase.amount);
    switch (outcome.kind) {
    case OutcomeKind::Final: return finish(outcome.answer);
    case OutcomeKind::Working: return probeAnsweredOpen(State::ServerWorking, outcome);
    case OutcomeKind::BeingChecked: return probeAnsweredOpen(State::Confirming, outcome);
    case OutcomeKind::NotFound: return probeNotFound();
    case OutcomeKind::Wait: return probeAdvised(outcome);
    case OutcomeKind::SignInNeeded:
    case OutcomeKind::CartTaken:
    case OutcomeKind::ContraryAnswer: m_personAsked = false; return unresolved(causeOf(outcome.kind), outcome.detail);
    case OutcomeKind::NotSent:
    case OutcomeKind::TryAgain:
    case OutcomeKind::Refused:
    case OutcomeKind::KeyReused:
    case OutcomeKind::Unknown: return probeFailed();
    }
}

/// The shop has the record and works on it: keep asking, send nothing.
void Confirmation::probeAnsweredOpen(State state, const Outcome& outcome)
{
    noteReachable();
    m_personAsked = false;
    m_pacing.forbid();
    m_post.arrived();
    showOpen(state);
    probeLater(outcome.delay);
}

/// *Not yet* (invariant 6): permits the same ID again, never a new one.
void Confirmation::probeNotFound()
{
    noteReachable();
    if (m_post.isBusy()) {
        if (m_post.isFrozen() && mayPostByItself() && m_context.state() != State::Unresolved)
            m_post.abort(EndReason::FrozenPost); // a fresh connection, the same ID
        m_personAsked = false;
        return probeLater();
    }
    m_pacing.permit();
    if (std::exchange(m_personAsked, false))
        return postForPerson();
    tryPostElseProbe();
}

void Confirmation::probeFailed()
{
    m_personAsked = false;
    if (!m_post.isBusy())
        m_pacing.permit();
    tryPostElseProbe();
}

void Confirmation::probeAdvised(const Outcome& outcome)
{
    m_personAsked = false;
    (void)m_pacing.delayByAdvice(outcome.delay);
    if (!m_post.isBusy())
        m_pacing.permit();
    probeLater();
}

/// Attempts that may have left are counted over all processes; told-not-started is never sent by itself (invariant 1).
bool Confirmation::mayPostByItself()
{
    const auto& action = m_context.action();
    return !action.toldNotStarted && attemptsPerhapsSent(action) < m_context.snapshot().attemptsMax;
}

bool Confirmation::tryPost()
{
    if (!m_pacing.isPermitted() || m_post.isBusy() || m_context.state() == State::Unresolved)
        return false;
    if (m_context.isPastValidity()) {
        noMorePosts(Cause::PastValidity);
        return true;
    }
    if (!mayPostByItself()) {
        unresolved(Cause::AttemptsSpent);
        return true;
    }
    if (!m_pacing.isDelayOver())
        return false;
    m_context.stopTimer(TimerKind::NextPost);
    m_post.begin();
    return true;
}

void Confirmation::tryPostElseProbe()
{
    if (!tryPost())
        probeLater();
}

void Confirmation::nextPost()
{
    m_pacing.delayOver();
    (void)tryPost();
}

/// A person's step after *Check again* found nothing: the same ID, once.
void Confirmation::postForPerson()
{
    if (forbidsPosts(m_context.snapshot().cause))
        return probeLater();
    if (m_context.isPastValidity())
        return noMorePosts(Cause::PastValidity);
    m_personPost = true;
    m_post.begin();
}

void Confirmation::checkAgain()
{
    if (m_context.state() != State::Unresolved || m_context.snapshot().cause == Cause::OtherServer)
        return;
    if (m_context.snapshot().cause == Cause::OtherOwner) {
        if (m_context.snapshot().savesPending == 0)
            m_context.emit(RereadJournal{m_context.action().id});
        return;
    }
    m_personAsked = true;
    m_pacing.beginUnresolvedProbes();
    m_probe.begin();
}

void Confirmation::hint()
{
    const auto& snapshot = m_context.snapshot();
    const State state = snapshot.state;
    if (m_pacing.isAdvisedToWait()) // server advice is never cut short
        return;
    if ((state == State::Offline || state == State::RetryWait) && !snapshot.anyByteTaken)
        return nextPost();
    const bool held = snapshot.cause == Cause::OtherServer || snapshot.cause == Cause::OtherOwner;
    const bool asking = state == State::Sending || state == State::Confirming || state == State::ServerWorking ||
                        state == State::RetryWait || state == State::Unresolved;
    if (asking && !held && snapshot.anyByteTaken)
        m_probe.begin();
}

void Confirmation::giveUp()
{
    m_late = true;
    const State state = m_context.state();
    if (state == State::Confirming || state == State::ServerWorking)
        unresolved(Cause::Late);
}

/// Unresolved is left by a final answer only.
void Confirmation::showOpen(State state)
{
    if (m_context.state() == State::Unresolved)
        return;
    if (m_late)
        return unresolved(Cause::Late);
    m_context.show(state);
}

void Confirmation::unresolved(Cause cause, std::string detail)
{
    if (m_context.state() != State::Unresolved)
        m_pacing.beginUnresolvedProbes();
    m_context.show(State::Unresolved, cause, std::move(detail));
    m_context.stopTimer(TimerKind::NextPost);
    m_context.stopTimer(TimerKind::GiveUp);
    probeLater();
}

void Confirmation::noMorePosts(Cause cause)
{
    if (m_context.snapshot().anyByteTaken)
        unresolved(cause);
    else
        closeNeverSent();
}

/// The shop answers this account again: an old "sign in" is over.
void Confirmation::noteReachable()
{
    auto& snapshot = m_context.snapshot();
    if (snapshot.state == State::Unresolved && snapshot.cause == Cause::SignInNeeded)
        m_context.show(State::Unresolved, Cause::Late);
}

void Confirmation::probeLater(std::optional<ms> advice)
{
    m_probe.scheduleNext(m_pacing.nextProbe(advice));
}

void Confirmation::reread(const JournalReread& event)
{
    if (m_context.snapshot().cause == Cause::OtherOwner && event.readable && event.action && event.action->final)
        m_settlement.showSaved(*event.action->final);
}

} // namespace payonce::retry
