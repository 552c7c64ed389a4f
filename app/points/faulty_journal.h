// FaultyJournal: a journal with the points `action.saved`, `attempt.saved` and `outcome.saved`.
#pragma once

#include "points/fault_points.h"
#include "retry/journal.h"

#include <functional>
#include <memory>

namespace payonce::points {

/// A point is reached when the save behind it is durable; `store_fail` is a full disk instead of the save.
class FaultyJournal : public retry::Journal
{
public:
    FaultyJournal(std::unique_ptr<retry::Journal> inner, std::shared_ptr<FaultPoints> points);

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
    [[nodiscard]] values::Result<retry::Sight, retry::JournalError> look(const retry::Look& look) override;
    [[nodiscard]] values::Result<void, retry::JournalError> press(const values::ActionId& id, retry::Press what) override;

private:
    template <class Saved> [[nodiscard]] values::Result<Saved, retry::JournalError>
    at(console::Point point, const values::ActionId& id,
       const std::function<values::Result<Saved, retry::JournalError>()>& save);

    void learnCarts(const std::vector<retry::StoredAction>& actions);

    std::unique_ptr<retry::Journal> m_inner;
    std::shared_ptr<FaultPoints> m_points;
};

} // namespace payonce::points
