// MemoryJournal: the client's journal without a disk, shared by the windows of one computer. What it holds is durable; the
// app decides what reaches it.
#pragma once

#include "retry/journal.h"
#include "simulation/world.h"

#include <map>
#include <set>

namespace payonce::simulation {

class MemoryJournal : public retry::Journal
{
public:
    explicit MemoryJournal(const World& world) : m_world(world) {}

    [[nodiscard]] values::Result<retry::LeaseNumber, retry::JournalError>
    saveAction(const retry::StoredAction& action) override;
    [[nodiscard]] values::Result<retry::AttemptBegun, retry::JournalError> saveReady(const values::ActionId& id,
                                                                                     retry::LeaseNumber lease,
                                                                                     const retry::PreparedRequest& ready,
                                                                                     const retry::AttemptStart& first) override;
    [[nodiscard]] values::Result<retry::AttemptBegun, retry::JournalError>
    beginAttempt(const values::ActionId& id, retry::LeaseNumber lease, int number, values::WallTime at) override;
    [[nodiscard]] values::Result<void, retry::JournalError> endAttempt(const values::ActionId& id, retry::LeaseNumber lease,
                                                                       int number, const retry::AttemptEnd& end) override;
    [[nodiscard]] values::Result<void, retry::JournalError> saveFinal(const values::ActionId& id, retry::LeaseNumber lease,
                                                                      const retry::FinalAnswer& answer) override;
    [[nodiscard]] values::Result<void, retry::JournalError> markToldNotStarted(const values::ActionId& id,
                                                                               retry::LeaseNumber lease) override;
    [[nodiscard]] values::Result<retry::WishKept, retry::JournalError>
    saveWish(const values::ActionId& id, retry::LeaseNumber lease, const retry::CancelWish& wish) override;
    [[nodiscard]] values::Result<void, retry::JournalError> saveConflict(const values::ActionId& id, retry::LeaseNumber lease,
                                                                         retry::Cause cause) override;
    [[nodiscard]] values::Result<retry::StoredAction, retry::JournalError>
    adopt(const values::ActionId& ownId, retry::LeaseNumber lease, const retry::StoredAction& holder) override;
    [[nodiscard]] values::Result<void, retry::JournalError> markSeen(const values::ActionId& id,
                                                                     retry::LeaseNumber lease) override;
    [[nodiscard]] values::Result<std::optional<retry::StoredAction>, retry::JournalError>
    read(const values::ActionId& id) override;
    [[nodiscard]] values::Result<std::vector<retry::StoredAction>, retry::JournalError> takeOverOpen() override;

    [[nodiscard]] values::Result<retry::Sight, retry::JournalError> look(const retry::Look& look) override;
    [[nodiscard]] values::Result<void, retry::JournalError> press(const values::ActionId& id, retry::Press what) override;

    // One owner an action (docs/client.md, invariant 11).

    /// Whose calls the next ones are.
    void speakFor(int process) { m_process = process; }
    void beat() { m_beats[m_process] = m_world.now(); }
    /// The process is gone, and the system knows it.
    void forgetProcess() { m_beats.erase(m_process); }
    [[nodiscard]] bool isMine(const values::ActionId& id) const;

    // For the referee.

    [[nodiscard]] std::optional<retry::StoredAction> durable(const values::ActionId& id) const;
    [[nodiscard]] bool holdsPaid() const;
    [[nodiscard]] bool hasOpen() const;
    [[nodiscard]] std::vector<retry::StoredAction> actions() const;
    struct Row
    {
        Micros at;
        bool byOwner = true;
    };
    [[nodiscard]] std::optional<Row> row(const values::ActionId& id, int number) const;
    [[nodiscard]] std::optional<Micros> wishedAt(const values::ActionId& id) const;
    /// The person goes on at another computer: nothing is known there.
    void forgetEverything();

private:
    [[nodiscard]] retry::StoredAction* owned(const values::ActionId& id, retry::LeaseNumber lease);
    [[nodiscard]] bool isFree(const values::ActionId& id) const;
    [[nodiscard]] bool isAlive(int process) const;
    void own(retry::StoredAction& action);
    /// The action that belongs on the screen, if it is another's.
    [[nodiscard]] std::optional<values::ActionId> onScreen(const retry::Look& look) const;
    [[nodiscard]] std::vector<retry::StoredAction> takeOver(bool alsoOwn);
    [[nodiscard]] retry::StoredAction asRead(const retry::StoredAction& action) const;

    const World& m_world;
    std::map<values::ActionId, retry::StoredAction> m_actions;
    std::set<values::ActionId> m_seen; ///< whose end was seen
    std::map<values::ActionId, int> m_owners;
    std::map<int, Micros> m_beats;
    std::map<std::pair<values::ActionId, int>, Row> m_rows;
    std::map<values::ActionId, Micros> m_wishes; ///< since when, also where a planted fault forgets them
    std::map<values::ActionId, std::vector<retry::Press>> m_presses;
    std::map<values::ActionId, std::pair<retry::LeaseNumber, retry::Shown>> m_shown;
    retry::LeaseNumber m_lease = 0;
    int m_process = 0;
};

} // namespace payonce::simulation
