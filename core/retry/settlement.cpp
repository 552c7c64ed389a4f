#include "retry/settlement.h"

#include "retry/backoff.h"

#include <utility>

namespace payonce::retry {

void Settlement::settle(const FinalAnswer& answer)
{
    m_context.stopAllTimers();
    showSaved(answer);
    m_saved = false;
    m_tries = 0;
    emitSave();
}

void Settlement::showSaved(const FinalAnswer& answer)
{
    m_context.show(answer.state, answer.cause);
    m_context.snapshot().answer = answer;
    m_context.action().final = answer;
    m_saved = true;
    m_startOverWished = false;
}

void Settlement::conflict(Cause cause)
{
    auto& action = m_context.action();
    if (action.conflict)
        return;
    action.conflict = cause;
    m_context.emit(SaveConflict{action.id, action.lease, cause});
    m_context.show(State::Conflict, cause);
}

void Settlement::showSavedConflict()
{
    const auto& action = m_context.action();
    m_saved = true;
    m_context.show(State::Conflict, *action.conflict);
    if (action.final)
        m_context.snapshot().answer = *action.final;
}

bool Settlement::isContrary(const FinalAnswer& answer) const
{
    const State shown = m_context.snapshot().answer.state;
    const bool bothClosed = (shown == State::Cancelled || shown == State::NotCharged) &&
                            (answer.state == State::Cancelled || answer.state == State::NotCharged);
    return isFinal(m_context.state()) && shown != answer.state && !bothClosed;
}

void Settlement::acknowledged()
{
    const auto& action = m_context.snapshot().action;
    if (action && isOver(m_context.state()))
        m_context.emit(MarkSeen{action->id, action->lease});
}

void Settlement::emitSave()
{
    const auto& action = m_context.action();
    m_savePending = true;
    ++m_tries;
    m_context.emit(SaveFinal{action.id, action.lease, m_context.snapshot().answer});
}

void Settlement::saved()
{
    if (!std::exchange(m_savePending, false))
        return;
    m_saved = true;
    if (m_startOverWished)
        startOver();
}

void Settlement::saveFailed(JournalError error)
{
    if (!std::exchange(m_savePending, false))
        return;
    if (error == JournalError::Displaced)
        m_saved = true; // the new owner asks the shop itself and learns the same
    else
        m_context.startTimer(TimerKind::SaveAgain, saveAgainDelay(m_context.numbers(), m_tries));
    if (m_saved && m_startOverWished)
        startOver();
}

void Settlement::saveAgain()
{
    if (!m_saved && !m_savePending)
        emitSave();
}

void Settlement::saveUnder(LeaseNumber lease)
{
    auto& action = m_context.action();
    action.lease = lease;
    if (action.conflict)
        m_context.emit(SaveConflict{action.id, lease, *action.conflict});
    if (!action.final)
        return;
    m_saved = false;
    emitSave();
}

void Settlement::startOver()
{
    // What was paid keeps its cart (invariant 2): the journal's index sees to it, and another cart is welcome.
    if (!isFinal(m_context.state()))
        return;
    m_startOverWished = !m_saved;
    if (!m_saved)
        return;
    acknowledged();
    auto& snapshot = m_context.snapshot();
    snapshot.action.reset();
    snapshot.answer = {};
    snapshot.attempt = 0;
    snapshot.presses = 0;
    snapshot.pressesIn = {};
    snapshot.startedAt.reset();
    m_context.recountAttempts();
    m_context.show(State::Editing);
}

} // namespace payonce::retry
