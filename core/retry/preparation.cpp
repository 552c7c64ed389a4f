#include "retry/preparation.h"

#include "retry/backoff.h"

#include <algorithm>
#include <utility>

namespace payonce::retry {

/// A second press in any other state is only counted (the machine does that).
void Preparation::pay(const PayPressed& event)
{
    const State state = m_context.state();
    if (state != State::Editing && state != State::NotStarted)
        return;
    auto& current = m_context.snapshot().action;
    if (current && isPerhapsReady())
        return tryAgain(); // its bytes are fixed: the same ID, the same card
    // The saved ID is kept: nothing of it was ever sent.
    const values::ActionId id = current ? current->id : event.id;
    current = StoredAction{id, event.scope, event.purchase, {}, {}, 0, false, {}, {}, {}, event.target};
    m_token = event.body ? std::optional(CardToken{}) : std::nullopt; // no card is needed for it
    m_body = event.body;
    m_mints = 0;
    saveAction();
}

void Preparation::tryAgain()
{
    if (m_context.state() != State::NotStarted)
        return;
    if (isPerhapsReady()) {
        if (m_context.isPastValidity())
            return m_confirmation.closeNeverSent();
        return saveReady(); // takes back *told not started* before anything is sent
    }
    if (needsCard())
        return m_context.show(State::Editing);
    saveAction();
}

bool Preparation::isPerhapsReady() const
{
    const auto& action = m_context.snapshot().action;
    return m_perhapsReady || (action && action->ready);
}

bool Preparation::needsCard() const
{
    const Cause cause = m_context.snapshot().cause;
    return cause == Cause::CardRefused || cause == Cause::LeftUnsent;
}

/// Invariant 9: sent by itself only if it is young, valid and nobody was told that it was not started.
void Preparation::resumeUnsent()
{
    m_perhapsReady = false;
    m_token.reset();
    m_body.reset();
    auto& action = m_context.action();
    if (!action.ready)
        return notStarted(Cause::LeftUnsent);
    const auto age = std::chrono::abs(m_context.now().wall - action.createdAt);
    if (action.toldNotStarted || age >= m_context.numbers().freshFor || m_context.isPastValidity())
        return tellNotStarted(Cause::LeftUnsent);
    m_context.show(State::Saving);
    m_confirmation.start();
}

void Preparation::stop()
{
    m_strayExchanges += m_awaiting == Awaiting::Exchange ? 1 : 0;
    m_awaiting = Awaiting::Nothing;
    m_perhapsReady = false;
}

/// Save 1. `valid_until` counts from this press: nothing was sent under an earlier one.
void Preparation::saveAction()
{
    auto& action = m_context.action();
    action.createdAt = m_context.now().wall;
    action.validUntil = m_context.now().wall + m_context.numbers().validFor;
    m_perhapsReady = false;
    m_exchanges = 0;
    m_awaiting = Awaiting::ActionSave;
    m_context.show(State::Saving);
    m_context.emit(SaveAction{action});
}

void Preparation::actionSaved(const ActionSaved& event)
{
    if (m_awaiting != Awaiting::ActionSave)
        return;
    m_context.action().lease = event.lease;
    if (m_token)
        saveReady();
    else
        exchange();
}

void Preparation::actionSaveFailed(const ActionSaveFailed& event)
{
    if (std::exchange(m_awaiting, Awaiting::Nothing) != Awaiting::ActionSave)
        return;
    if (event.error == JournalError::CartHeld)
        return notStarted(Cause::CartHeld);
    if (event.error == JournalError::Displaced)
        return m_confirmation.yieldToOtherOwner();
    if (event.error == JournalError::ReferenceTaken && event.anotherId && ++m_mints < m_context.numbers().mintTries) {
        m_context.action().id = *event.anotherId;
        return saveAction();
    }
    notStarted(Cause::DiskRefused);
}

void Preparation::exchange()
{
    ++m_exchanges;
    m_awaiting = Awaiting::Exchange;
    m_context.emit(ExchangeCard{});
}

void Preparation::cardExchanged(const CardExchanged& event)
{
    if (m_strayExchanges > 0) {
        --m_strayExchanges;
        return m_context.networkAnswered();
    }
    if (m_awaiting != Awaiting::Exchange)
        return;
    m_context.networkAnswered();
    m_awaiting = Awaiting::Nothing;
    switch (event.result.kind) {
    case ExchangeResult::Kind::Exchanged: m_token = event.result.token; return saveReady();
    case ExchangeResult::Kind::Refused: return notStarted(Cause::CardRefused, event.result.detail);
    case ExchangeResult::Kind::Failed: break;
    }
    // No charge can come of an exchange, so it is simply repeated.
    if (m_exchanges >= m_context.numbers().tokeniseTries)
        return notStarted(Cause::ShopUnreachable);
    m_awaiting = Awaiting::NextExchange;
    m_context.startTimer(TimerKind::NextExchange, postDelay(m_context.numbers(), m_exchanges, m_context.draw()));
}

void Preparation::nextExchange()
{
    if (m_awaiting == Awaiting::NextExchange)
        exchange();
}

/// Save 2, with the row of the attempt that follows it.
void Preparation::saveReady()
{
    const auto& action = m_context.action();
    m_awaiting = Awaiting::ReadySave;
    m_context.show(State::Saving);
    m_row = m_confirmation.announceRow();
    m_context.emit(SaveReady{action, action.ready ? action.ready->card : m_token.value(), m_row,
                             action.ready ? std::optional(action.ready->body) : m_body});
}

void Preparation::readySaved(const ReadySaved& event)
{
    if (std::exchange(m_awaiting, Awaiting::Nothing) != Awaiting::ReadySave)
        return;
    auto& action = m_context.action();
    action.ready = event.ready;
    action.toldNotStarted = false;
    m_perhapsReady = false;
    m_confirmation.readySaved(m_row.number, event.row);
}

/// It may be durable all the same: the journal is read again before a word is said (invariant 1).
void Preparation::readySaveFailed(const ReadySaveFailed& event)
{
    if (std::exchange(m_awaiting, Awaiting::Nothing) != Awaiting::ReadySave)
        return;
    m_confirmation.readySaveFailed(m_row.number);
    if (event.error == JournalError::Displaced)
        return m_confirmation.yieldToOtherOwner();
    m_awaiting = Awaiting::Reread;
    m_context.emit(RereadJournal{m_context.action().id});
}

void Preparation::reread(const JournalReread& event)
{
    if (std::exchange(m_awaiting, Awaiting::Nothing) != Awaiting::Reread)
        return;
    auto& action = m_context.action();
    if (event.action && event.action->lease > action.lease)
        return m_confirmation.yieldToOtherOwner(); // whose rows may have been sent
    if (event.action && event.action->ready)
        action.ready = event.action->ready;
    m_perhapsReady = !event.readable;
    if (!isPerhapsReady())
        return notStarted(Cause::DiskRefused);
    tellNotStarted(Cause::DiskRefused);
    disownRows(event);
}

void Preparation::disownRows(const JournalReread& event)
{
    if (!event.readable)
        return m_confirmation.neverSent(m_row.number);
    if (!event.action)
        return;
    auto& own = m_context.action().attempts;
    for (const auto& attempt : event.action->attempts) {
        if (attempt.end)
            continue;
        const auto isIt = [&attempt](const Attempt& other) { return other.number == attempt.number; };
        if (std::none_of(own.begin(), own.end(), isIt))
            own.push_back(attempt);
        m_confirmation.neverSent(attempt.number);
    }
}

void Preparation::notStarted(Cause cause, std::string detail)
{
    m_awaiting = Awaiting::Nothing;
    m_context.show(State::NotStarted, cause, std::move(detail));
}

/// A ready action is marked before the words are shown: from here on only *Try again* sends it.
void Preparation::tellNotStarted(Cause cause)
{
    auto& action = m_context.action();
    action.toldNotStarted = true;
    m_context.emit(MarkToldNotStarted{action.id, action.lease});
    notStarted(cause);
}

} // namespace payonce::retry
