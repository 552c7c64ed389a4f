// MachineDriver: plays the runner by hand. It gives events, keeps the effects of the newest step, and moves time.
#pragma once

#include "retry/action_machine.h"

#include <algorithm>
#include <functional>
#include <map>
#include <memory>

namespace payonce::retry_tests {

class MachineDriver
{
public:
    using ms = std::chrono::milliseconds;

    explicit MachineDriver(const retry::Numbers& numbers = {});

    void give(const retry::Event& event);
    void advance(ms time);
    /// Sets the wall clock, and not the other one.
    void stepClock(ms by) { m_now.wall += by; }
    /// Moves time to the moment the timer is due and fires it. False: it does not run.
    bool fire(retry::TimerKind timer);
    /// How long the timer still has; empty if it does not run.
    [[nodiscard]] std::optional<ms> left(retry::TimerKind timer) const;

    /// The newest step's effects of this type.
    template <class Effect> [[nodiscard]] std::vector<Effect> all() const
    {
        std::vector<Effect> found;
        for (const auto& effect : m_effects)
            if (const auto* one = std::get_if<Effect>(&effect))
                found.push_back(*one);
        return found;
    }
    template <class Effect> [[nodiscard]] bool has() const { return !all<Effect>().empty(); }
    [[nodiscard]] const retry::Effects& effects() const { return m_effects; }

    [[nodiscard]] const retry::Snapshot& snapshot() const { return m_machine->snapshot(); }
    [[nodiscard]] retry::State state() const { return snapshot().state; }
    [[nodiscard]] retry::Cause cause() const { return snapshot().cause; }
    [[nodiscard]] values::Now now() const { return m_now; }

    // Shortcuts through the happy path; each ends when the named thing is under way.
    void press();
    void toExchange();
    void toReadySave();
    /// POST 1 is in flight.
    void toSending();
    /// Row 2 is being saved; POST 1 is proven unsent.
    void toRowSave();
    /// POST `number` is put in flight: its row is saved.
    void saveRow(int number);
    /// POST `number` ends lost, its probe finds nothing, and the next row is asked for.
    void loseAndAllowNext(int number);
    /// Unresolved, because four POSTs were lost.
    void toAttemptsSpent();

    [[nodiscard]] static retry::Scope aScope();
    [[nodiscard]] static retry::Purchase aPurchase();
    [[nodiscard]] static retry::PreparedRequest aRequest();
    [[nodiscard]] static retry::ExchangeResult exchanged();
    /// As the journal would give it back: ready, no attempt, made now.
    [[nodiscard]] retry::StoredAction stored() const;
    [[nodiscard]] static retry::Attempt attempt(int number, std::optional<std::int64_t> bytesTaken);

private:
    std::unique_ptr<retry::ActionMachine> m_machine;
    values::Now m_now;
    std::uint64_t m_draw = 1;
    retry::Effects m_effects;
    std::map<retry::TimerKind, values::MonotonicTime> m_timers;
};

} // namespace payonce::retry_tests
