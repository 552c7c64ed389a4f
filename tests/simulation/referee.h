// Referee: watches every step and names the first thing that must never happen.
#pragma once

#include "retry/snapshot.h"
#include "simulation/memory_journal.h"
#include "simulation/world.h"

#include <map>
#include <set>

namespace payonce::simulation {

/// `Unresolved(late)`.
[[nodiscard]] std::string describe(const retry::Snapshot& snapshot);

/// A POST that is about to leave.
struct Posting
{
    values::ActionId id;
    int number = 0;
    std::string body;
    values::WallTime serverTime; ///< as the process believes it
    int process = 0;
};

/// What the journal of its computer says of it.
struct JournalFacts
{
    std::optional<retry::StoredAction> durable; ///< as a crash now would leave it
    std::optional<MemoryJournal::Row> row;
    std::optional<Micros> wishedAt;
    bool isOwner = false;
};

class Referee
{
public:
    explicit Referee(const World& world) : m_world(world) {}

    /// `mayStillCharge`: asks the shop's database about an action.
    void watch(std::function<bool(const values::ActionId&)> mayStillCharge) { m_mayStillCharge = std::move(mayStillCharge); }
    [[nodiscard]] int newProcess() { return ++m_processes; }

    // What really happened.
    void charged(const values::ActionId& id, const std::string& cart);
    /// The reconciler is about to charge a record that it took over with, or without, the wish to be cancelled.
    void reconcilerCharges(const values::ActionId& id, bool isToBeCancelled);
    /// Somebody was told, by an authentic answer, that the action is abandoned.
    void toldAbandoned(const values::ActionId& id);
    /// The journal closed it because another action holds its cart.
    void closedForItsCart(const values::ActionId& id);
    void bytesTaken(const values::ActionId& id) { ++m_actions[id].posts; }
    void posting(const Posting& post, const JournalFacts& journal);
    /// A mail reached the person.
    void mailed(const std::string& fact, const std::string& deliveryId);

    // What the person did.
    void pressed(const std::optional<values::ActionId>& id);
    void checkedAgain(const values::ActionId& id);
    /// A mark *told not started* that is not durable: an automatic send after a restart is then nobody's lie.
    enum class Mark { UnderWay, Durable };
    void marked(const values::ActionId& id, Mark mark) { m_actions[id].markLost = mark == Mark::UnderWay; }

    // What a screen says.
    struct Process
    {
        int number = 0;
        bool hasTimers = false;
        bool isStale = false; ///< it was displaced and has not noticed
    };
    void shown(const Process& process, const retry::Snapshot& snapshot);
    void processEnded(int process) { m_screens.erase(process); }

    // The network was quiet and the person pressed what was offered.
    void windowEnded(const retry::Snapshot& snapshot);
    void lifeEnded();
    void fail(const std::string& what);

    [[nodiscard]] const std::string& violation() const { return m_violation; }
    [[nodiscard]] int charges() const;
    [[nodiscard]] bool isCharged(const values::ActionId& id) const;
    /// Every state with its cause that was on a screen.
    [[nodiscard]] const std::set<std::string>& seen() const { return m_seen; }

private:
    struct Facts
    {
        int charges = 0;
        int posts = 0; ///< of which at least one byte was taken
        int checks = 0;
        bool toldNotStarted = false;
        bool markLost = false;
        bool toldAbandoned = false;
        std::optional<retry::State> shownFinal;
    };
    /// What one process showed last.
    struct Screen
    {
        values::ActionId id;
        retry::LeaseNumber lease = 0;
        retry::State state = retry::State::Editing;
    };

    void checkRight(const Posting& post, const JournalFacts& journal);
    void checkTime(const Posting& post, const JournalFacts& journal);
    void checkWords(const Process& process, const retry::Snapshot& snapshot, Facts& facts);
    void checkFinal(const retry::Snapshot& snapshot, Facts& facts);
    void checkPending(const Process& process, const retry::Snapshot& snapshot);
    void checkStep(const Process& process, const retry::Snapshot& snapshot);

    const World& m_world;
    std::function<bool(const values::ActionId&)> m_mayStillCharge;
    int m_processes = 0;
    std::map<values::ActionId, Facts> m_actions;
    std::map<std::string, int> m_cartCharges;
    std::map<std::string, std::set<std::string>> m_mails; ///< by fact
    std::set<std::string> m_factsOfCharges;
    std::map<int, Screen> m_screens;
    std::string m_violation;
    std::set<std::string> m_seen;
};

} // namespace payonce::simulation
