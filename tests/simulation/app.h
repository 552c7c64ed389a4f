// App: the client's process: the real ActionMachine, and a runner that carries out its effects on a bad disk, over a bad
// network, and dies between any two of them.
#pragma once

#include "retry/action_machine.h"
#include "simulation/memory_journal.h"
#include "simulation/network.h"

namespace payonce::simulation {

class App
{
public:
    App(World& world, MemoryJournal& journal, Network& network, Referee& referee);

    void start();
    /// The process ends here and now; it is started again some time later.
    void crash();
    [[nodiscard]] bool isRunning() const { return m_machine != nullptr; }
    [[nodiscard]] const retry::Snapshot& snapshot() const { return m_machine->snapshot(); }
    [[nodiscard]] int crashes() const { return m_crashes; }
    [[nodiscard]] int posts() const { return m_posts; }
    [[nodiscard]] int probes() const { return m_probes; }

    // The person.
    void pay(const std::string& card);
    void tryAgain();
    void checkAgain();
    void cancel() { give(retry::CancelPressed{}, "Cancel"); }
    void startOver() { give(retry::StartOverPressed{}, "start over"); }
    // The system.
    void hint(const retry::Event& event) { give(event, "hint"); }

private:
    enum class Disk { Works, Fails, Lies };
    struct Timer
    {
        std::uint64_t generation = 0;
        bool isRunning = false;
    };

    void give(const retry::Event& event, const std::string& what);
    /// Tells the machine what became of a save that is durable, unless the process dies before it hears of it.
    void answer(const retry::Event& event, const std::string& what);
    /// Runs `task` unless the process dies before or has been replaced.
    void later(Micros delay, const std::function<void()>& task);
    /// One journal call after the other, as the worker thread does them.
    void onDisk(const std::function<void(Disk)>& job);

    void perform(const retry::SaveAction& effect);
    void perform(const retry::ExchangeCard& effect);
    void perform(const retry::SaveReady& effect);
    void perform(const retry::RereadJournal& effect);
    void perform(const retry::MarkToldNotStarted& effect);
    void perform(const retry::SaveAttemptRow& effect);
    void perform(const retry::SaveAttemptEnd& effect);
    void perform(const retry::SaveFinal& effect);
    void perform(const retry::SaveWish& effect);
    void perform(const retry::SaveConflict& effect);
    void perform(const retry::AdoptHolder& effect);
    void perform(const retry::MarkSeen& effect);
    void perform(const retry::SendPost& effect);
    void perform(const retry::AbortPost& effect);
    void perform(const retry::SendProbe& effect);
    void perform(const retry::AbortProbe& effect);
    void perform(const retry::StartTimer& effect);
    void perform(const retry::StopTimer& effect);

    void answerSaveAction(const retry::StoredAction& action, Disk disk);
    [[nodiscard]] values::Now now() const;
    [[nodiscard]] values::ActionId mint();
    [[nodiscard]] Request requestFor(const retry::PostRequest& post) const;

    World& m_world;
    MemoryJournal& m_journal;
    Network& m_network;
    Referee& m_referee;
    retry::Numbers m_numbers;
    std::chrono::milliseconds m_clockError;
    std::unique_ptr<retry::ActionMachine> m_machine;
    int m_epoch = 0;
    int m_crashes = 0;
    int m_posts = 0;
    int m_probes = 0;
    std::string m_card; ///< what the person typed, until it is a token
    Micros m_diskFree{};
    std::map<retry::TimerKind, Timer> m_timers;
    std::shared_ptr<Call> m_post;
    std::shared_ptr<Call> m_probe;
};

} // namespace payonce::simulation
