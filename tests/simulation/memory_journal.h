// MemoryJournal: the client's journal without a disk. What it holds is durable; the app decides what reaches it.
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
    adopt(const values::ActionId& own, retry::LeaseNumber lease, const retry::StoredAction& holder) override;
    [[nodiscard]] values::Result<void, retry::JournalError> markSeen(const values::ActionId& id,
                                                                     retry::LeaseNumber lease) override;
    [[nodiscard]] values::Result<std::optional<retry::StoredAction>, retry::JournalError>
    read(const values::ActionId& id) override;
    [[nodiscard]] values::Result<std::vector<retry::StoredAction>, retry::JournalError> takeOverOpen() override;

    [[nodiscard]] std::optional<retry::StoredAction> durable(const values::ActionId& id) const;
    [[nodiscard]] bool holdsPaid() const;
    /// The person goes on at another computer: nothing is known there.
    void forgetEverything() { m_actions.clear(); }

private:
    [[nodiscard]] retry::StoredAction* owned(const values::ActionId& id, retry::LeaseNumber lease);

    const World& m_world;
    std::map<values::ActionId, retry::StoredAction> m_actions;
    std::set<values::ActionId> m_seen; ///< whose end was seen
    retry::LeaseNumber m_lease = 0;
};

} // namespace payonce::simulation
