#include "retry/post_line.h"

#include "values/check.h"

#include <algorithm>
#include <utility>

namespace payonce::retry {

namespace {

const AttemptEnd kUnsent{0, {}, TransportError::Cancelled, EndReason::Finished};

PreviousEnd kindOf(const AttemptEnd& end)
{
    if (end.bytesTaken == 0)
        return PreviousEnd::NotSent;
    if (end.status && *end.status >= 500)
        return PreviousEnd::Http5xx;
    if (end.error == TransportError::Timeout || end.reason == EndReason::HardDeadline || end.reason == EndReason::FrozenPost)
        return PreviousEnd::Timeout;
    return end.status ? PreviousEnd::BadAnswer : PreviousEnd::Closed;
}

} // namespace

void PostLine::reset()
{
    CHECK(!isBusy());
    const auto& action = m_context.action();
    // A number is never used twice for one action: a row that was reported as refused may still be there.
    if (std::exchange(m_current, action.id) != action.id)
        m_lastNumber = 0;
    for (const auto& attempt : action.attempts)
        m_lastNumber = std::max(m_lastNumber, attempt.number);
}

bool PostLine::isBusy() const
{
    return m_rowPending.has_value() || isInFlight() || m_wanted;
}

AttemptStart PostLine::reserve()
{
    CHECK(!isBusy());
    m_rowPending = AttemptStart{++m_lastNumber, m_context.now().wall};
    return *m_rowPending;
}

void PostLine::begin()
{
    CHECK(!isBusy());
    if (m_flight) {
        m_wanted = true;
        return;
    }
    const auto& action = m_context.action();
    CHECK(action.ready.has_value()); // save 2 is durable
    const AttemptStart row = reserve();
    m_context.emit(SaveAttemptRow{action.id, action.lease, row.number, row.at});
}

bool PostLine::rowSaved(int number, Permission permission)
{
    if (!isPending(number))
        return false;
    m_context.action().attempts.push_back(Attempt{number, m_rowPending->at, {}});
    m_rowPending.reset();
    m_context.snapshot().attempt = number;
    if (permission == Permission::Send)
        send(number);
    else
        record(Flight{m_context.action().id, m_context.action().lease, number, true}, kUnsent);
    m_context.recountAttempts();
    return true;
}

void PostLine::send(int number)
{
    const auto& action = m_context.action();
    const auto& snapshot = m_context.snapshot();
    m_flight = Flight{action.id, action.lease, number, true};
    m_firstNotFound.reset();
    m_context.emit(SendPost{PostRequest{action.id, action.ready->body,
                                        AttemptNote{number, previousEnd(), std::max(snapshot.presses, 1), snapshot.state},
                                        action.target.path}});
    m_context.startTimer(TimerKind::SoftDeadline, m_context.numbers().softDeadline);
    m_context.startTimer(TimerKind::HardLimit, m_context.numbers().hardLimit);
}

bool PostLine::rowRefused(int number)
{
    if (!isPending(number))
        return false;
    m_rowPending.reset();
    return true;
}

void PostLine::neverSent(int number)
{
    const auto& action = m_context.action();
    AttemptEnd end = kUnsent;
    for (const auto& attempt : action.attempts)
        if (attempt.number == number && attempt.end)
            end = *attempt.end; // known better, though its save was lost
    record(Flight{action.id, action.lease, number, true}, end);
}

bool PostLine::isFrozen()
{
    if (!isInFlight())
        return false;
    if (!m_firstNotFound)
        m_firstNotFound = m_context.now().mono;
    return m_context.now().mono - *m_firstNotFound >= m_context.numbers().frozenAfter;
}

void PostLine::abort(EndReason reason)
{
    m_firstNotFound.reset();
    if (m_flight)
        m_context.emit(AbortPost{reason});
}

void PostLine::dismiss()
{
    m_wanted = false;
    if (isInFlight())
        abort(EndReason::Finished);
    if (m_flight)
        m_flight->awaited = false;
}

void PostLine::abandon()
{
    dismiss();
    m_rowPending.reset();
}

Ending PostLine::ended(int number, const WireResult& result)
{
    if (!m_flight || m_flight->number != number)
        return Ending::Foreign;
    m_context.networkAnswered();
    const Flight flight = *m_flight;
    m_flight.reset();
    record(flight, AttemptEnd{result.bytesTaken, result.status, result.error, result.reason});
    if (flight.awaited) {
        m_context.stopTimer(TimerKind::SoftDeadline);
        m_context.stopTimer(TimerKind::HardLimit);
    }
    if (std::exchange(m_wanted, false))
        begin();
    return m_context.endingOf(flight.id, flight.awaited);
}

void PostLine::record(const Flight& flight, const AttemptEnd& end)
{
    m_context.emit(SaveAttemptEnd{flight.id, flight.lease, flight.number, end});
    auto& action = m_context.snapshot().action;
    if (!action || action->id != flight.id)
        return;
    for (auto& attempt : action->attempts)
        if (attempt.number == flight.number)
            attempt.end = end;
    m_context.recountAttempts();
}

PreviousEnd PostLine::previousEnd() const
{
    const auto& attempts = m_context.snapshot().action->attempts;
    if (attempts.size() < 2)
        return PreviousEnd::None;
    const auto& previous = attempts[attempts.size() - 2]; // the last one is the one being sent
    return previous.end ? kindOf(*previous.end) : PreviousEnd::Closed;
}

} // namespace payonce::retry
