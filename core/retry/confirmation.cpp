#include "retry/confirmation.h"

#include "retry/backoff.h"

#include <algorithm>
#include <utility>

namespace payonce::retry {

using ms = std::chrono::milliseconds;

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

void Confirmation::stop()
{
    quiet();
    m_post.abandon();
    m_fencing.reset();
    m_adopting.reset();
}

void Confirmation::yieldToOtherOwner()
{
    stop();
    m_context.show(State::Unresolved, Cause::OtherOwner);
    m_context.emit(RereadJournal{m_context.action().id});
}

void Confirmation::closeNeverSent()
{
    m_fencing.wish(CancelWish{Cause::Expired, {}});
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
    m_clockRuns = false;
    m_post.dismiss();
    m_probe.dismiss();
}

void Confirmation::quiet()
{
    m_context.stopAllTimers();
    m_clockRuns = false;
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
        !isContradiction(outcome.kind))
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
    m_clockRuns = false;
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
    if (!m_fencing.isSaving())
        return; // of before the action was lost and taken back
    m_fencing.saved();
    if (event.kept == WishKept::Fence)
        return m_fencing.begin();
    m_settlement.showSaved(FinalAnswer{State::Cancelled, Cause::NeverSent, {}, {}, {}, {}, {}});
    quiet();
}

void Confirmation::wishSaveFailed(const WishSaveFailed& event)
{
    if (!m_fencing.isSaving())
        return; // as above
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
    m_armedBy = clockDistance();
    const auto due = action.validUntil + m_context.numbers().fenceAfter - m_context.now().wall;
    m_context.startTimer(TimerKind::FenceDue, std::max(std::chrono::ceil<ms>(due), ms::zero()));
}

void Confirmation::followClock()
{
    const bool moved = std::chrono::abs(clockDistance() - m_armedBy) > m_context.numbers().clockTolerance;
    if (moved && m_clockRuns && !m_fencing.isPerhapsWished())
        armFenceDue();
}

ms Confirmation::clockDistance() const
{
    const auto& now = m_context.now();
    return now.wall.time_since_epoch() - std::chrono::floor<ms>(now.mono.time_since_epoch());
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

} // namespace payonce::retry
