// App: one process of the client: the real ActionMachine, and a runner that carries out its effects on a bad disk, over a bad
// network; it dies between any two of them, and it freezes and goes on as if nothing had been.
#pragma once

#include "retry/action_machine.h"
#include "simulation/memory_journal.h"
#include "simulation/network.h"

namespace payonce::simulation {

/// What the windows of one computer share.
struct Computer
{
    explicit Computer(const World& world) : journal(world) {}

    MemoryJournal journal;
    retry::Numbers numbers;
    std::chrono::milliseconds clockError{};
};

class App
{
public:
    App(World& world, Computer& computer, Network& network, Referee& referee, std::string name);

    void start();
    /// The process ends here and now; it is started again some time later.
    void crash();
    [[nodiscard]] bool isRunning() const { return m_machine != nullptr; }
    /// A person can press something.
    [[nodiscard]] bool isAwake() const { return isRunning() && m_world.now() >= m_frozenUntil; }
    /// The machine waits for nothing but a person.
    [[nodiscard]] bool isQuiet() const;
    [[nodiscard]] const retry::Snapshot& snapshot() const { return m_machine->snapshot(); }
    [[nodiscard]] int crashes() const { return m_crashes; }
    [[nodiscard]] int posts() const { return m_posts; }
    [[nodiscard]] int probes() const { return m_probes; }

    // The person.
    void pay(const std::string& card);
    void tryAgain();
    void checkAgain();
    void cancel();
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

    void run();
    void end();
    void give(const retry::Event& event, const std::string& what);
    /// Tells the machine what became of a save that is durable, unless the process dies before it hears of it.
    void answer(const retry::Event& event, const std::string& what);
    /// Runs `task` unless the process dies before or has been replaced.
    void later(Micros delay, const std::function<void()>& task);
    void laterOf(int epoch, Micros delay, const std::function<void()>& task);
    /// One journal call after the other, as the worker thread does them.
    void onDisk(const std::function<void(Disk)>& job);
    [[nodiscard]] MemoryJournal& journal();
    /// Once a second: what the other windows do.
    void tick();
    void look();
    [[nodiscard]] retry::Look nextLook() const;
    void saw(const retry::Sight& sight);
    void resumeNext();
    /// Acts, or passes the press on to the owner.
    void pressHere(retry::Press what, const retry::Event& event);

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
    void sendTooEarly(const retry::StoredAction& action, const retry::PreparedRequest& ready, int number);
    std::shared_ptr<Call> sendOff(const Request& request, const std::function<void(const retry::WireResult&)>& ended);
    void tellReferee(const retry::PostRequest& request);
    void learnTime(const retry::WireResult& result);
    /// The server's clock, as this process believes it.
    [[nodiscard]] values::WallTime serverTime() const;
    [[nodiscard]] values::Now now() const;
    [[nodiscard]] values::ActionId mint();
    [[nodiscard]] Request requestFor(const retry::PostRequest& post) const;

    World& m_world;
    Computer& m_computer;
    Network& m_network;
    Referee& m_referee;
    std::string m_name;
    int m_process; ///< of all processes of all devices
    std::unique_ptr<retry::ActionMachine> m_machine;
    int m_epoch = 0;
    int m_crashes = 0;
    int m_posts = 0;
    int m_probes = 0;
    Micros m_frozenUntil{};
    std::chrono::milliseconds m_clockOffset{}; ///< server time minus local time
    std::string m_card;                        ///< what the person typed, until it is a token
    Micros m_diskFree{};
    retry::Snapshot m_traced; ///< what the trace said last
    bool m_isLooking = false;
    std::vector<retry::StoredAction> m_waiting; ///< ours, for when this window is free
    std::map<retry::TimerKind, Timer> m_timers;
    std::shared_ptr<Call> m_post;
    std::shared_ptr<Call> m_probe;
    bool m_fenceIsOpen = false;
};

} // namespace payonce::simulation
