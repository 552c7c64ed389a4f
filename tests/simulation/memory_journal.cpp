#include "simulation/memory_journal.h"

#include <algorithm>

namespace payonce::simulation {

using retry::AttemptBegun;
using retry::JournalError;
using retry::LeaseNumber;
using retry::StoredAction;
using values::Failure;
using values::Result;

namespace {

bool holdsCart(const StoredAction& action)
{
    return !action.final || action.final->state == retry::State::Paid;
}

} // namespace

StoredAction* MemoryJournal::owned(const values::ActionId& id, LeaseNumber lease)
{
    const auto found = m_actions.find(id);
    return found != m_actions.end() && found->second.lease == lease ? &found->second : nullptr;
}

Result<LeaseNumber, JournalError> MemoryJournal::saveAction(const StoredAction& action)
{
    for (const auto& [id, other] : m_actions)
        if (id != action.id && other.purchase.cartId == action.purchase.cartId && holdsCart(other))
            return Failure(JournalError::CartHeld);
    const auto known = m_actions.find(action.id);
    if (known != m_actions.end() && (known->second.ready || !known->second.attempts.empty()))
        return Failure(JournalError::Failed);
    StoredAction saved = action;
    saved.lease = ++m_lease;
    m_actions.insert_or_assign(action.id, saved);
    return m_lease;
}

Result<AttemptBegun, JournalError> MemoryJournal::saveReady(const values::ActionId& id, LeaseNumber lease,
                                                            const retry::PreparedRequest& ready,
                                                            const retry::AttemptStart& first)
{
    auto* action = owned(id, lease);
    if (!action)
        return Failure(JournalError::Displaced);
    if (action->ready && *action->ready != ready)
        return Failure(JournalError::Failed);
    if (m_world.planted() == Planted::JournalForgetsReady)
        return AttemptBegun::Inserted;
    action->ready = ready;
    action->toldNotStarted = false;
    return beginAttempt(id, lease, first.number, first.at);
}

Result<AttemptBegun, JournalError> MemoryJournal::beginAttempt(const values::ActionId& id, LeaseNumber lease, int number,
                                                               values::WallTime at)
{
    auto* action = owned(id, lease);
    if (!action || !action->ready || action->final || action->wish || action->conflict)
        return AttemptBegun::Refused;
    for (const auto& attempt : action->attempts)
        if (attempt.number == number)
            return AttemptBegun::Refused;
    if (m_world.planted() != Planted::JournalForgetsRows)
        action->attempts.push_back({number, at, {}});
    return AttemptBegun::Inserted;
}

Result<void, JournalError> MemoryJournal::endAttempt(const values::ActionId& id, LeaseNumber lease, int number,
                                                     const retry::AttemptEnd& end)
{
    auto* action = owned(id, lease);
    if (!action)
        return Failure(JournalError::Displaced);
    for (auto& attempt : action->attempts)
        if (attempt.number == number)
            attempt.end = end;
    return {};
}

Result<void, JournalError> MemoryJournal::saveFinal(const values::ActionId& id, LeaseNumber lease,
                                                    const retry::FinalAnswer& answer)
{
    auto* action = owned(id, lease);
    if (!action)
        return Failure(JournalError::Displaced);
    if (action->final && *action->final != answer)
        return Failure(JournalError::Failed);
    action->final = answer;
    return {};
}

Result<void, JournalError> MemoryJournal::markToldNotStarted(const values::ActionId& id, LeaseNumber lease)
{
    auto* action = owned(id, lease);
    if (!action)
        return Failure(JournalError::Displaced);
    action->toldNotStarted = true;
    return {};
}

Result<retry::WishKept, JournalError> MemoryJournal::saveWish(const values::ActionId& id, LeaseNumber lease,
                                                              const retry::CancelWish& wish)
{
    auto* action = owned(id, lease);
    if (!action)
        return Failure(JournalError::Displaced);
    if (action->final)
        return Failure(JournalError::Failed);
    if (!action->wish)
        action->wish = wish;
    if (action->adopted || retry::attemptsPerhapsSent(*action) > 0)
        return retry::WishKept::Fence;
    action->final = retry::FinalAnswer{retry::State::Cancelled, retry::Cause::NeverSent, {}, {}, {}, {}, {}};
    return retry::WishKept::ClosedUnsent;
}

Result<void, JournalError> MemoryJournal::saveConflict(const values::ActionId& id, LeaseNumber lease, retry::Cause cause)
{
    auto* action = owned(id, lease);
    if (!action)
        return Failure(JournalError::Displaced);
    if (!action->conflict)
        action->conflict = cause;
    return {};
}

Result<StoredAction, JournalError> MemoryJournal::adopt(const values::ActionId& own, LeaseNumber lease,
                                                        const StoredAction& holder)
{
    auto* action = owned(own, lease);
    if (!action)
        return Failure(JournalError::Displaced);
    action->final = retry::FinalAnswer{retry::State::Cancelled, retry::Cause::CartTaken, {}, {}, {}, {}, {}};
    m_seen.insert(own);
    auto& row = m_actions.try_emplace(holder.id, holder).first->second;
    if (!row.final)
        row.lease = ++m_lease;
    return row;
}

Result<void, JournalError> MemoryJournal::markSeen(const values::ActionId& id, LeaseNumber lease)
{
    if (owned(id, lease) == nullptr)
        return Failure(JournalError::Displaced);
    m_seen.insert(id);
    return {};
}

Result<std::optional<StoredAction>, JournalError> MemoryJournal::read(const values::ActionId& id)
{
    return durable(id);
}

Result<std::vector<StoredAction>, JournalError> MemoryJournal::takeOverOpen()
{
    std::vector<StoredAction> open;
    for (auto& [id, action] : m_actions) {
        if (action.final && m_seen.count(id) > 0)
            continue;
        action.lease = ++m_lease;
        open.push_back(action);
    }
    return open;
}

std::optional<StoredAction> MemoryJournal::durable(const values::ActionId& id) const
{
    const auto found = m_actions.find(id);
    return found == m_actions.end() ? std::nullopt : std::optional(found->second);
}

bool MemoryJournal::holdsPaid() const
{
    return std::any_of(m_actions.begin(), m_actions.end(),
                       [](const auto& one) { return one.second.final && one.second.final->state == retry::State::Paid; });
}

} // namespace payonce::simulation
