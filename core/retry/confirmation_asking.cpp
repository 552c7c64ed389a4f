// Confirmation, the asking half: probes, what they permit, and when a person must step in.
#include "retry/confirmation.h"

#include <utility>

namespace payonce::retry {

using ms = std::chrono::milliseconds;

namespace {

/// Nobody was there; a time-out or a broken connection may have been the shop.
bool isUnreachable(TransportError error)
{
    return error == TransportError::ConnectionRefused || error == TransportError::HostNotFound ||
           error == TransportError::NetworkDown;
}

} // namespace

void Confirmation::softDeadline()
{
    if (m_context.state() == State::Sending)
        showOpen(State::Confirming);
    m_pacing.beginProbes();
    m_probe.begin();
}

void Confirmation::probeEnded(const ProbeEnded& event)
{
    const Ending ending = m_probe.ended();
    if (ending == Ending::Foreign)
        return;
    const Outcome outcome = classifyProbe(event.result, m_context.action().id, amount());
    if (ending == Ending::Dismissed)
        return afterwards(outcome);
    if (m_fencing.isWished())
        return fenceAnswered(outcome);
    followClock();
    switch (outcome.kind) {
    case OutcomeKind::Final: return finish(outcome.answer);
    case OutcomeKind::Working: return probeAnsweredOpen(State::ServerWorking, outcome);
    case OutcomeKind::BeingChecked: return probeAnsweredOpen(State::Confirming, outcome);
    case OutcomeKind::NotFound: return probeNotFound();
    case OutcomeKind::Wait: return probeAdvised(outcome);
    case OutcomeKind::SignInNeeded: m_personAsked = false; return unresolved(Cause::SignInNeeded, outcome.detail);
    case OutcomeKind::CartTaken: return adopt(outcome);
    case OutcomeKind::TooOld:
    case OutcomeKind::Discrepancy:
    case OutcomeKind::ContraryAnswer: return conflict(causeOf(outcome.kind));
    case OutcomeKind::NotSent:
    case OutcomeKind::TryAgain:
    case OutcomeKind::Refused:
    case OutcomeKind::KeyReused:
    case OutcomeKind::Unknown: return probeFailed(event.result.error);
    }
}

/// Left by a final answer only; an open one keeps it (invariant 8).
void Confirmation::fenceAnswered(const Outcome& outcome)
{
    if (!m_context.action().wish)
        return; // an older question, and the wish is still being saved
    if (outcome.kind == OutcomeKind::Final)
        return finish(outcome.answer);
    if (outcome.kind == OutcomeKind::CartTaken)
        return adopt(outcome);
    if (isContradiction(outcome.kind))
        return conflict(causeOf(outcome.kind));
    m_fencing.notYet(outcome);
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

void Confirmation::probeFailed(TransportError error)
{
    m_personAsked = false;
    if (!isUnreachable(error))
        m_unreachableInARow = 0;
    else if (noteUnreachable())
        return probeLater();
    if (!m_post.isBusy())
        m_pacing.permit();
    tryPostElseProbe();
}

void Confirmation::probeAdvised(const Outcome& outcome)
{
    noteReachable();
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
    return !action.toldNotStarted && !action.wish && !m_fencing.isPerhapsWished() &&
           attemptsPerhapsSent(action) < m_context.snapshot().attemptsMax;
}

bool Confirmation::tryPost()
{
    const State state = m_context.state();
    const bool onlyAsks = state == State::Unresolved || state == State::OfflineUnknown || state == State::Fencing;
    const bool careful = m_unresolvedInARow >= m_context.numbers().unresolvedUntilCareful && !m_probeAnswered;
    if (!m_pacing.isPermitted() || m_post.isBusy() || onlyAsks || m_context.action().adopted)
        return false;
    if (careful && m_context.snapshot().anyByteTaken)
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
    if (forbidsPosts(m_context.snapshot().cause) || m_context.action().adopted || m_fencing.isPerhapsWished())
        return probeLater();
    if (m_context.isPastValidity())
        return noMorePosts(Cause::PastValidity);
    m_personPost = true;
    m_post.begin();
}

void Confirmation::checkAgain()
{
    const State state = m_context.state();
    if ((state != State::Unresolved && state != State::OfflineUnknown) || m_context.snapshot().cause == Cause::OtherServer)
        return;
    if (m_adopting)
        return; // the disk is tried again by itself
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
                        state == State::RetryWait || state == State::OfflineUnknown || state == State::Unresolved;
    const bool fencing = state == State::Fencing && snapshot.action->wish.has_value();
    if (fencing || (asking && !held && !m_adopting && snapshot.anyByteTaken))
        m_probe.begin();
}

void Confirmation::clockJumped()
{
    const auto& snapshot = m_context.snapshot();
    const bool held = snapshot.cause == Cause::OtherServer || snapshot.cause == Cause::OtherOwner;
    if (m_clockRuns && !held && !m_adopting && snapshot.action && !isOver(snapshot.state) && snapshot.state != State::Fencing &&
        !m_fencing.isPerhapsWished())
        armFenceDue();
    hint();
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
    if (m_context.state() != State::Unresolved) {
        m_pacing.beginUnresolvedProbes();
        m_unresolvedInARow += std::exchange(m_wasUnresolved, true) ? 0 : 1;
    }
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

/// The shop answers this account again: an old "sign in" or "cannot be reached" is over.
void Confirmation::noteReachable()
{
    auto& snapshot = m_context.snapshot();
    m_unreachableInARow = 0;
    m_probeAnswered = true;
    if (snapshot.state == State::OfflineUnknown)
        showOpen(State::Confirming);
    if (snapshot.state == State::Unresolved && snapshot.cause == Cause::SignInNeeded)
        m_context.show(State::Unresolved, Cause::Late);
}

bool Confirmation::noteUnreachable()
{
    const auto& snapshot = m_context.snapshot();
    const State state = snapshot.state;
    ++m_unreachableInARow;
    if (state == State::OfflineUnknown)
        return true;
    const bool waits =
        state == State::Sending || state == State::Confirming || state == State::ServerWorking || state == State::RetryWait;
    if (!waits || !snapshot.anyByteTaken || m_post.isBusy() ||
        m_unreachableInARow < m_context.numbers().unreachableUntilOffline)
        return false;
    m_context.stopTimer(TimerKind::NextPost);
    m_pacing.delayOver();
    m_pacing.beginOfflineProbes();
    m_context.show(State::OfflineUnknown);
    return true;
}

void Confirmation::probeLater(std::optional<ms> advice)
{
    m_probe.scheduleNext(m_pacing.nextProbe(advice));
}

void Confirmation::reread(const JournalReread& event)
{
    const auto& snapshot = m_context.snapshot();
    if (snapshot.state != State::Unresolved || snapshot.cause != Cause::OtherOwner || !event.readable || !event.action)
        return;
    if (event.action->final)
        m_settlement.showSaved(*event.action->final);
}

} // namespace payonce::retry
