// Referee: watches every step and names the first thing that must never happen.
#pragma once

#include "retry/snapshot.h"
#include "simulation/world.h"

#include <map>
#include <set>

namespace payonce::simulation {

/// `Unresolved(late)`.
[[nodiscard]] std::string describe(const retry::Snapshot& snapshot);

class Referee
{
public:
    explicit Referee(const World& world) : m_world(world) {}

    // What really happened.
    void charged(const values::ActionId& id, const std::string& cart);
    /// The reconciler is about to charge a record that it took over with, or without, the wish to be cancelled.
    void reconcilerCharges(const values::ActionId& id, bool isToBeCancelled);
    /// Somebody was told, by an authentic answer, that the action is abandoned.
    void toldAbandoned(const values::ActionId& id);
    void bytesTaken(const values::ActionId& id) { ++m_actions[id].posts; }
    /// `durable`: the journal, as a crash now would leave it.
    void posting(const values::ActionId& id, int number, const std::string& body,
                 const std::optional<retry::StoredAction>& durable);

    // What the person did.
    void pressed(const std::optional<values::ActionId>& id);
    void checkedAgain(const values::ActionId& id);
    /// A mark *told not started* that is not durable: an automatic send after a restart is then nobody's lie.
    enum class Mark { UnderWay, Durable };
    void marked(const values::ActionId& id, Mark mark) { m_actions[id].markLost = mark == Mark::UnderWay; }

    // What the screen says.
    enum class Timers { None, Running };
    void shown(const retry::Snapshot& snapshot, Timers timers);
    void processEnded() { m_lastFinal.reset(); }
    /// The network was quiet and the person pressed what was offered.
    void lifeEnded(const retry::Snapshot& snapshot);

    [[nodiscard]] const std::string& violation() const { return m_violation; }
    [[nodiscard]] int charges() const;
    /// Every state with its cause that was on the screen.
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

    void fail(const std::string& what);
    void checkWords(const retry::Snapshot& snapshot, Facts& facts);
    void checkFinal(const retry::Snapshot& snapshot, Facts& facts);
    void checkPending(const retry::Snapshot& snapshot, Timers timers);

    const World& m_world;
    std::map<values::ActionId, Facts> m_actions;
    std::map<std::string, int> m_cartCharges;
    std::optional<values::ActionId> m_lastFinal; ///< shown by this process
    std::string m_violation;
    std::set<std::string> m_seen;
};

} // namespace payonce::simulation
