// StepContext: what the parts of ActionMachine share: the snapshot, the timers that run, and the step under way.
#pragma once

#include "retry/effect.h"
#include "retry/numbers.h"
#include "retry/snapshot.h"

#include <bitset>
#include <cstdint>

namespace payonce::retry {

/// Whose request ended.
enum class Ending {
    Foreign,   ///< an earlier action's
    Dismissed, ///< the current action's, which needs it no more
    Awaited,
};

class StepContext
{
public:
    explicit StepContext(const Numbers& numbers);

    void beginStep(const values::Now& now, std::uint64_t draw);
    [[nodiscard]] Effects endStep();

    [[nodiscard]] const Numbers& numbers() const { return m_numbers; }
    [[nodiscard]] Snapshot& snapshot() { return m_snapshot; }
    [[nodiscard]] const Snapshot& snapshot() const { return m_snapshot; }
    [[nodiscard]] State state() const { return m_snapshot.state; }
    [[nodiscard]] const values::Now& now() const { return m_now; }
    /// As many independent draws as a step needs, from the one it was given.
    [[nodiscard]] std::uint64_t draw();
    /// The current action; there must be one.
    [[nodiscard]] StoredAction& action();

    /// Of a request of action `id`.
    [[nodiscard]] Ending endingOf(const values::ActionId& id, bool awaited) const;

    /// Adds an effect and counts what it makes pending.
    void emit(Effect effect);
    void saveAnswered();
    void networkAnswered();

    void startTimer(TimerKind timer, std::chrono::milliseconds delay);
    void stopTimer(TimerKind timer);
    void stopAllTimers();
    /// False for a timer that was stopped or replaced while its event was on the way.
    [[nodiscard]] bool takeFired(TimerKind timer);

    /// Enters a state; clears what belongs to the one before. Measures how long it lasts where that changes the words.
    void show(State state, Cause cause = Cause::None, std::string detail = {});
    /// Past it nothing is POSTed any more (invariant 9).
    [[nodiscard]] bool isPastValidity();
    /// After a change of the attempts.
    void recountAttempts();

private:
    static constexpr std::size_t kTimers = static_cast<std::size_t>(TimerKind::FenceDue) + 1;

    Numbers m_numbers;
    Snapshot m_snapshot;
    values::Now m_now{};
    std::uint64_t m_randomState = 0;
    Effects m_effects;
    std::bitset<kTimers> m_running;
};

} // namespace payonce::retry
