#include "points/faulty_journal.h"

#include "values/check.h"

#include <thread>
#include <utility>

namespace payonce::points {

using console::Point;
using retry::JournalError;
using values::Result;

FaultyJournal::FaultyJournal(std::unique_ptr<retry::Journal> inner, std::shared_ptr<FaultPoints> points)
    : m_inner(std::move(inner)), m_points(std::move(points))
{
    CHECK(m_inner != nullptr && m_points != nullptr);
}

template <class Saved> Result<Saved, JournalError> FaultyJournal::at(Point point, const values::ActionId& id,
                                                                     const std::function<Result<Saved, JournalError>()>& save)
{
    const auto arrival = m_points->arrive(point, console::Operation::Pay, id);
    const auto* action = arrival.rule ? &arrival.rule->action : nullptr;
    if (action != nullptr && std::holds_alternative<console::StoreFail>(*action) && m_points->fire(arrival))
        return values::Failure(JournalError::DiskFull);
    auto saved = save();
    if (action == nullptr || !saved || std::holds_alternative<console::StoreFail>(*action) || !m_points->fire(arrival))
        return saved;
    if (const auto* delay = std::get_if<console::Delay>(action))
        std::this_thread::sleep_for(delay->time); // the journal's own thread: a slow disk
    return saved;
}

Result<retry::LeaseNumber, JournalError> FaultyJournal::saveAction(const retry::StoredAction& action)
{
    m_points->learnCart(action.id, action.purchase.cartId);
    return at<retry::LeaseNumber>(Point::ActionSaved, action.id, [&] { return m_inner->saveAction(action); });
}

Result<retry::AttemptBegun, JournalError> FaultyJournal::saveReady(const values::ActionId& id, retry::LeaseNumber lease,
                                                                   const retry::PreparedRequest& ready,
                                                                   const retry::AttemptStart& first)
{
    return at<retry::AttemptBegun>(Point::AttemptSaved, id, [&] { return m_inner->saveReady(id, lease, ready, first); });
}

Result<retry::AttemptBegun, JournalError> FaultyJournal::beginAttempt(const values::ActionId& id, retry::LeaseNumber lease,
                                                                      int number, values::WallTime at)
{
    return this->at<retry::AttemptBegun>(Point::AttemptSaved, id, [&] { return m_inner->beginAttempt(id, lease, number, at); });
}

Result<void, JournalError> FaultyJournal::endAttempt(const values::ActionId& id, retry::LeaseNumber lease, int number,
                                                     const retry::AttemptEnd& end)
{
    return m_inner->endAttempt(id, lease, number, end);
}

Result<void, JournalError> FaultyJournal::saveFinal(const values::ActionId& id, retry::LeaseNumber lease,
                                                    const retry::FinalAnswer& answer)
{
    return at<void>(Point::OutcomeSaved, id, [&] { return m_inner->saveFinal(id, lease, answer); });
}

Result<void, JournalError> FaultyJournal::markToldNotStarted(const values::ActionId& id, retry::LeaseNumber lease)
{
    return m_inner->markToldNotStarted(id, lease);
}

Result<retry::WishKept, JournalError> FaultyJournal::saveWish(const values::ActionId& id, retry::LeaseNumber lease,
                                                              const retry::CancelWish& wish)
{
    return m_inner->saveWish(id, lease, wish);
}

Result<void, JournalError> FaultyJournal::saveConflict(const values::ActionId& id, retry::LeaseNumber lease, retry::Cause cause)
{
    return m_inner->saveConflict(id, lease, cause);
}

Result<retry::StoredAction, JournalError> FaultyJournal::adopt(const values::ActionId& own, retry::LeaseNumber lease,
                                                               const retry::StoredAction& holder)
{
    return m_inner->adopt(own, lease, holder);
}

Result<void, JournalError> FaultyJournal::markSeen(const values::ActionId& id, retry::LeaseNumber lease)
{
    return m_inner->markSeen(id, lease);
}

Result<std::optional<retry::StoredAction>, JournalError> FaultyJournal::read(const values::ActionId& id)
{
    return m_inner->read(id);
}

Result<std::vector<retry::StoredAction>, JournalError> FaultyJournal::takeOverOpen()
{
    auto open = m_inner->takeOverOpen();
    if (open)
        learnCarts(*open);
    return open;
}

Result<retry::Sight, JournalError> FaultyJournal::look(const retry::Look& look)
{
    auto sight = m_inner->look(look);
    if (sight)
        learnCarts(sight->taken);
    return sight;
}

Result<void, JournalError> FaultyJournal::press(const values::ActionId& id, retry::Press what)
{
    return m_inner->press(id, what);
}

void FaultyJournal::learnCarts(const std::vector<retry::StoredAction>& actions)
{
    for (const auto& action : actions)
        m_points->learnCart(action.id, action.purchase.cartId);
}

} // namespace payonce::points
