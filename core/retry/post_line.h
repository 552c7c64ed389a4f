// PostLine: the one channel for POSTs. It keeps invariant 3 (a row before every POST) and "at most one in flight".
#pragma once

#include "retry/step_context.h"

namespace payonce::retry {

class PostLine
{
public:
    enum class Permission { Send, Withhold };

    explicit PostLine(StepContext& context) : m_context(context) {}

    /// A new current action: its attempts are numbered after the ones it has.
    void reset();

    /// A row is being saved or a POST is in flight, of the current action.
    [[nodiscard]] bool isBusy() const;
    [[nodiscard]] bool isInFlight() const { return m_flight && m_flight->awaited; }

    /// The next attempt's row comes with save 2: its number and time. Answered as begin() is.
    [[nodiscard]] AttemptStart reserve();
    /// Saves the next attempt's row. Waits for the end of an earlier action's POST that was cut short.
    void begin();
    /// An earlier action's POST is still ending, so none can leave.
    [[nodiscard]] bool isOccupied() const { return m_flight.has_value(); }
    /// The row is durable: now, and only now, the POST may leave. False: not the row that was asked for.
    bool rowSaved(int number, Permission permission);
    /// Nothing is sent. False: not the row that was asked for.
    bool rowRefused(int number);
    /// The row may be there although its save failed. This process sent nothing under it, and writes that down, best effort.
    void neverSent(int number);
    /// A probe found nothing. True: the POST hangs and never arrived, for this is not the first such answer and the first
    /// is long enough ago.
    [[nodiscard]] bool isFrozen();
    /// A probe found the record.
    void arrived() { m_firstNotFound.reset(); }
    /// Ends the POST in flight, if any; its end is still reported.
    void abort(EndReason reason);
    /// The action needs no POST any more: ends the one in flight and lets nobody hear of its end.
    void dismiss();
    /// As dismiss(), and the row under way is another process's business (it counts as perhaps sent).
    void abandon();
    /// Records the end of the POST in flight.
    [[nodiscard]] Ending ended(int number, const WireResult& result);

private:
    struct Flight
    {
        values::ActionId id;
        LeaseNumber lease;
        int number;
        bool awaited;
    };

    [[nodiscard]] bool isPending(int number) const { return m_rowPending && m_rowPending->number == number; }
    void send(int number);
    void record(const Flight& flight, const AttemptEnd& end);
    [[nodiscard]] PreviousEnd previousEnd() const;

    StepContext& m_context;
    std::optional<AttemptStart> m_rowPending;
    std::optional<Flight> m_flight;
    bool m_wanted = false; ///< begin() was called while an earlier action's POST was still ending
    std::optional<values::ActionId> m_current;
    int m_lastNumber = 0;
    std::optional<values::MonotonicTime> m_firstNotFound; ///< while this POST hangs
};

} // namespace payonce::retry
