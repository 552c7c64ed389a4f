#include "retry/confirmation.h"

#include "retry/backoff.h"

#include <algorithm>
#include <utility>

namespace payonce::retry {

using ms = std::chrono::milliseconds;

namespace {

bool isConflict(OutcomeKind kind)
{
    return kind == OutcomeKind::KeyReused || kind == OutcomeKind::TooOld || kind == OutcomeKind::Discrepancy ||
           kind == OutcomeKind::ContraryAnswer;
}

/// Nobody was there; a time-out or a broken connection may have been the shop.
bool isUnreachable(TransportError error)
{
    return error == TransportError::ConnectionRefused || error == TransportError::HostNotFound ||
           error == TransportError::NetworkDown;
}

} // namespace

Confirmation::Confirmation(StepContext& context, Settlement& settlement)
    : m_context(context),
      m_settlement(settlement),
      m_post(context),
      m_probe(context),
      m_pacing(context),
      m_fencing(context, m_post, m_probe, m_pacing)
{
}

void Confirmation::reset()
{
    m_post.reset();
    m_pacing.reset();
    m_fencing.reset();
    m_late = m_clockRuns = m_personAsked = m_personPost = m_probeAnswered = m_wasUnresolved = false;
    m_notSentInARow = m_unreachableInARow = 0;
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
    if (m_context.action().wish)
        return m_fencing.resume();
    startClocks();
    m_context.show(State::Confirming);
    afterUnknown(State::Confirming, {});
}

void Confirmation::yieldToOtherOwner()
{
    quiet();
    m_fencing.reset();
    m_adopting.reset();
    m_context.show(State::Unresolved, Cause::OtherOwner);
    m_context.emit(RereadJournal{m_context.action().id});
}

void Confirmation::closeNeverSent()
{
    finish(FinalAnswer{State::Cancelled, Cause::NeverSent, {}, {}, {}, {}, {}});
}

void Confirmation::finish(const FinalAnswer& answer)
{
    if (!m_wasUnresolved)
        m_unresolvedInARow = 0;
    FinalAnswer named = m_fencing.named(answer);
    // Called expired long before its time by the shop's own clock: its ID was made by a clock that was wrong.
    const auto later = m_context.now().wall + m_context.numbers().clockTolerance;
    if (named.cause == Cause::Expired && later < m_context.action().validUntil)
        named.cause = Cause::ClockWrong;
    m_settlement.settle(named);
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
    const bool open = !isOver(state) && state != State::Fencing && (state != State::Unresolved || byPerson);
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
    if (!m_clockRuns)
        startClocks();
    // A repeat after an unknown attempt goes on being confirmed.
    if (state != State::Confirming && state != State::ServerWorking && state != State::Unresolved)
        m_context.show(State::Sending);
}

void Confirmation::rowRefused(const AttemptRowRefused& event)
{
    if (!m_post.rowRefused(event.number))
        return;
    m_personPost = false;
    const bool displaced = event.error == JournalError::Displaced;
    if (isOver(m_context.state()) || (m_context.state() == State::Fencing && !displaced))
        return;
    if (!event.error || displaced)
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
    const Ending ending = m_post.ended(event.number, event.result);
    if (ending == Ending::Foreign)
        return;
    const Outcome outcome = classifyPost(event.result, m_context.action().id, amount());
    if (ending == Ending::Dismissed)
        return afterwards(outcome);
    if (outcome.kind != OutcomeKind::NotSent)
        m_notSentInARow = m_unreachableInARow = 0;
    if (m_fencing.isWished() && outcome.kind != OutcomeKind::Final && outcome.kind != OutcomeKind::CartTaken &&
        !isConflict(outcome.kind))
        return; // the fence decides
    switch (outcome.kind) {
    case OutcomeKind::NotSent: return afterNotSent();
    case OutcomeKind::Final: return finish(outcome.answer);
    case OutcomeKind::Working: return afterUnknown(State::ServerWorking, outcome.delay);
    case OutcomeKind::BeingChecked:
    case OutcomeKind::NotFound:
    case OutcomeKind::Unknown:
    case OutcomeKind::TryAgain: return afterUnknown(State::Confirming, outcome.delay);
    case OutcomeKind::Wait: return afterAdvice(outcome);
    case OutcomeKind::Refused: return refused(outcome);
    case OutcomeKind::SignInNeeded: unresolved(Cause::SignInNeeded, outcome.detail); return m_probe.begin();
    case OutcomeKind::CartTaken: return adopt(outcome);
    case OutcomeKind::KeyReused:
    case OutcomeKind::TooOld:
    case OutcomeKind::Discrepancy:
    case OutcomeKind::ContraryAnswer: return conflict(causeOf(outcome.kind));
    }
}

void Confirmation::afterwards(const Outcome& outcome)
{
    if (outcome.kind == OutcomeKind::Final && m_settlement.isContrary(outcome.answer))
        conflict(Cause::ContraryAnswer);
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
        if (!noteUnreachable())
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

/// A refusal that is not remembered proves nothing about earlier copies (invariant 7): only where no byte was ever taken is
/// it the end; otherwise the shop is asked to close the action first.
void Confirmation::refused(const Outcome& outcome)
{
    if (!m_context.snapshot().anyByteTaken)
        return finish(FinalAnswer{State::NotCharged, Cause::Refused, {}, {}, {}, {}, outcome.detail});
    m_fencing.wish(CancelWish{Cause::Refused, outcome.detail});
}

void Confirmation::conflict(Cause cause)
{
    for (const TimerKind timer : {TimerKind::NextPost, TimerKind::NextProbe, TimerKind::GiveUp, TimerKind::FenceDue})
        m_context.stopTimer(timer); // a final answer goes on being saved
    m_post.dismiss();
    m_probe.dismiss();
    m_settlement.conflict(cause);
}

void Confirmation::adopt(const Outcome& outcome)
{
    const auto holder = values::ActionId::parse(outcome.heldBy);
    const auto& own = m_context.action();
    if (!holder || *holder == own.id)
        return unresolved(Cause::CartTaken, outcome.detail);
    StoredAction other{*holder, own.scope, own.purchase, m_context.now().wall, own.validUntil, 0, false, {}, {}, {}};
    other.target = own.target;
    other.adopted = true;
    quiet();
    m_context.show(State::Unresolved, Cause::CartTaken);
    m_adopting = AdoptHolder{own.id, own.lease, other};
    m_context.emit(*m_adopting);
}

void Confirmation::adopted(const Adopted& event)
{
    if (!std::exchange(m_adopting, std::nullopt))
        return;
    auto& snapshot = m_context.snapshot();
    snapshot.action = event.action;
    snapshot.attempt = event.action.attempts.empty() ? 0 : event.action.attempts.back().number;
    m_context.recountAttempts();
    if (event.action.conflict)
        return m_settlement.showSavedConflict();
    if (event.action.final)
        return m_settlement.showSaved(*event.action.final);
    resume();
}

void Confirmation::adoptFailed(const AdoptFailed& event)
{
    if (!m_adopting)
        return;
    if (event.error == JournalError::Displaced) {
        m_adopting.reset();
        return yieldToOtherOwner();
    }
    m_context.startTimer(TimerKind::SaveAgain, saveAgainDelay(m_context.numbers(), 2));
}

bool Confirmation::adoptAgain()
{
    if (m_adopting)
        m_context.emit(*m_adopting);
    return m_adopting.has_value();
}

void Confirmation::cancel()
{
    if (mayCancel(m_context.snapshot()))
        m_fencing.wish(CancelWish{Cause::ByPerson, {}});
}

void Confirmation::wishSaved(const WishSaved& event)
{
    if (!m_fencing.isWished())
        return;
    m_fencing.saved();
    if (event.kept == WishKept::Fence)
        return m_fencing.begin();
    m_settlement.showSaved(FinalAnswer{State::Cancelled, Cause::NeverSent, {}, {}, {}, {}, {}});
    quiet();
}

void Confirmation::wishSaveFailed(const WishSaveFailed& event)
{
    if (!m_fencing.isWished())
        return;
    if (event.error == JournalError::Displaced)
        return yieldToOtherOwner();
    m_fencing.saveFailed();
    unresolved(Cause::DiskRefused);
}

/// From `fenceAfter` behind `valid_until` on, so that every life ends.
void Confirmation::fenceDue()
{
    const auto& snapshot = m_context.snapshot();
    if (isOver(snapshot.state) || m_fencing.wishAgain())
        return;
    if (m_context.now().wall < m_context.action().validUntil + m_context.numbers().fenceAfter)
        return armFenceDue(); // the clock was set back
    if (!snapshot.anyByteTaken)
        return closeNeverSent();
    m_fencing.wish(CancelWish{Cause::Expired, {}});
}

void Confirmation::armFenceDue()
{
    const auto& action = m_context.action();
    if (action.adopted)
        return; // whose it is closes it
    const auto due = action.validUntil + m_context.numbers().fenceAfter - m_context.now().wall;
    m_context.startTimer(TimerKind::FenceDue, std::max(std::chrono::ceil<ms>(due), ms::zero()));
}

void Confirmation::startClocks()
{
    m_clockRuns = true;
    m_context.startTimer(TimerKind::GiveUp, m_context.numbers().unresolvedAfter);
    armFenceDue();
}

/// Nothing is known of the amount of another device's action, and other kinds have none.
std::optional<values::Money> Confirmation::amount() const
{
    const auto& action = *m_context.snapshot().action;
    const bool known = action.target.kind == Kind::Payment && !action.adopted;
    return known ? std::optional(action.purchase.amount) : std::nullopt;
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
    const Ending ending = m_probe.ended();
    if (ending == Ending::Foreign)
        return;
    const Outcome outcome = classifyProbe(event.result, m_context.action().id, amount());
    if (ending == Ending::Dismissed)
        return afterwards(outcome);
    if (m_fencing.isWished())
        return fenceAnswered(outcome);
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
    if (isConflict(outcome.kind))
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
