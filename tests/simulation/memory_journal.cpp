#include "simulation/memory_journal.h"

#include <algorithm>
#include <utility>

namespace payonce::simulation {

using retry::AttemptBegun;
using retry::JournalError;
using retry::LeaseNumber;
using retry::StoredAction;
using values::Failure;
using values::Result;

namespace {

constexpr std::chrono::seconds kBeatLimit{5};

bool holdsCart(const StoredAction& action)
{
    return !action.final || action.final->state == retry::State::Paid;
}

} // namespace

StoredAction* MemoryJournal::owned(const values::ActionId& id, LeaseNumber lease)
{
    const auto found = m_actions.find(id);
    if (found == m_actions.end())
        return nullptr;
    return found->second.lease == lease || m_world.has(Planted::LeaseIsIgnored) ? &found->second : nullptr;
}

void MemoryJournal::own(StoredAction& action)
{
    action.lease = ++m_lease;
    m_owners[action.id] = m_process;
}

bool MemoryJournal::isMine(const values::ActionId& id) const
{
    const auto owner = m_owners.find(id);
    return owner != m_owners.end() && owner->second == m_process;
}

/// Neither gone nor silent for too long.
bool MemoryJournal::isAlive(int process) const
{
    const auto beat = m_beats.find(process);
    return beat != m_beats.end() && m_world.now() - beat->second <= kBeatLimit;
}

bool MemoryJournal::isFree(const values::ActionId& id) const
{
    const auto owner = m_owners.find(id);
    return owner == m_owners.end() || (owner->second != m_process && !isAlive(owner->second));
}

Result<LeaseNumber, JournalError> MemoryJournal::saveAction(const StoredAction& action)
{
    for (const auto& [id, other] : m_actions)
        if (id != action.id && other.purchase.cartId == action.purchase.cartId && holdsCart(other))
            return Failure(JournalError::CartHeld);
    const auto known = m_actions.find(action.id);
    if (known != m_actions.end() && (known->second.ready || !known->second.attempts.empty()))
        return Failure(JournalError::Failed);
    if (known != m_actions.end() && !isMine(action.id) && !m_world.has(Planted::LeaseIsIgnored))
        return Failure(JournalError::Displaced);
    StoredAction saved = action;
    own(saved);
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
    if (m_world.has(Planted::JournalForgetsReady))
        return AttemptBegun::Inserted;
    action->ready = ready;
    action->toldNotStarted = false;
    return beginAttempt(id, lease, first.number, first.at);
}

Result<AttemptBegun, JournalError> MemoryJournal::beginAttempt(const values::ActionId& id, LeaseNumber lease, int number,
                                                               values::WallTime at)
{
    auto* action = owned(id, lease);
    if (!action || !action->ready || action->final || action->wish || action->conflict || action->adopted)
        return AttemptBegun::Refused;
    for (const auto& attempt : action->attempts)
        if (attempt.number == number)
            return AttemptBegun::Refused;
    m_rows.insert_or_assign({id, number}, Row{m_world.now(), action->lease == lease});
    if (!m_world.has(Planted::JournalForgetsRows))
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
    action->toldNotStarted = !m_world.has(Planted::JournalForgetsTold);
    return {};
}

Result<retry::WishKept, JournalError> MemoryJournal::saveWish(const values::ActionId& id, LeaseNumber lease,
                                                              const retry::CancelWish& wish)
{
    auto* action = owned(id, lease);
    if (!action)
        return Failure(JournalError::Displaced);
    if (action->final && action->final->cause != retry::Cause::NeverSent)
        return Failure(JournalError::Failed);
    m_wishes.try_emplace(id, m_world.now());
    if (!action->wish && !m_world.has(Planted::JournalForgetsWishes))
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

Result<StoredAction, JournalError> MemoryJournal::adopt(const values::ActionId& ownId, LeaseNumber lease,
                                                        const StoredAction& holder)
{
    auto* action = owned(ownId, lease);
    if (!action)
        return Failure(JournalError::Displaced);
    action->final = retry::FinalAnswer{retry::State::Cancelled, retry::Cause::CartTaken, {}, {}, {}, {}, {}};
    m_seen.insert(ownId);
    auto& row = m_actions.try_emplace(holder.id, holder).first->second;
    if (m_world.has(Planted::AdoptedIsPosted) && row.adopted) {
        row.adopted = false;
        row.ready = action->ready;
    }
    if (!row.final)
        own(row);
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
    auto open = takeOver(true);
    for (const auto& [id, action] : m_actions)
        if (action.final && m_seen.count(id) == 0)
            open.push_back(action);
    return open;
}

std::vector<StoredAction> MemoryJournal::takeOver(bool alsoOwn)
{
    std::vector<StoredAction> open;
    for (auto& [id, action] : m_actions) {
        if (action.final || !(isFree(id) || (alsoOwn && isMine(id))))
            continue;
        own(action);
        open.push_back(asRead(action));
    }
    return open;
}

Result<retry::Sight, JournalError> MemoryJournal::look(const retry::Look& look)
{
    beat();
    retry::Sight sight;
    sight.hasCompany = std::any_of(m_beats.begin(), m_beats.end(),
                                   [this](const auto& one) { return one.first != m_process && isAlive(one.first); });
    sight.taken = takeOver(false);
    if (look.current && isMine(*look.current)) {
        const auto& current = m_actions.at(*look.current);
        if (look.wantsAll && sight.taken.empty() && !current.final)
            sight.taken.push_back(asRead(current));
        if (look.shown)
            m_shown.insert_or_assign(*look.current, std::make_pair(look.lease, *look.shown));
        sight.presses = std::exchange(m_presses[*look.current], {});
    }
    if (const auto id = onScreen(look)) {
        const auto& action = m_actions.at(*id);
        const auto shown = m_shown.find(*id);
        const bool isKnown = shown != m_shown.end() && shown->second.first == action.lease;
        sight.watched = retry::WatchedAction{action, isKnown ? std::optional(shown->second.second) : std::nullopt};
    }
    return sight;
}

std::optional<values::ActionId> MemoryJournal::onScreen(const retry::Look& look) const
{
    const auto current = look.current ? m_actions.find(*look.current) : m_actions.end();
    const bool isClosedForItsCart =
        current != m_actions.end() && current->second.final && current->second.final->cause == retry::Cause::CartTaken;
    if (current != m_actions.end() && !isClosedForItsCart)
        return isMine(current->first) ? std::nullopt : std::optional(current->first);
    for (const auto& [id, action] : m_actions)
        if (!action.final && !isMine(id))
            return id;
    for (const auto& [id, action] : m_actions)
        if (look.current && action.final && action.final->state == retry::State::Paid)
            return id; // it holds the cart
    return {};
}

Result<void, JournalError> MemoryJournal::press(const values::ActionId& id, retry::Press what)
{
    const auto found = m_actions.find(id);
    if (found != m_actions.end() && !found->second.final)
        m_presses[id].push_back(what);
    return {};
}

StoredAction MemoryJournal::asRead(const StoredAction& action) const
{
    StoredAction read = action;
    if (m_world.has(Planted::JournalForgetsAttempts))
        for (auto& attempt : read.attempts)
            attempt.end = retry::AttemptEnd{0, {}, retry::TransportError::Cancelled, retry::EndReason::Shutdown};
    return read;
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

bool MemoryJournal::hasOpen() const
{
    return std::any_of(m_actions.begin(), m_actions.end(), [](const auto& one) { return !one.second.final; });
}

std::vector<StoredAction> MemoryJournal::actions() const
{
    std::vector<StoredAction> all;
    for (const auto& [id, action] : m_actions)
        all.push_back(action);
    return all;
}

std::optional<MemoryJournal::Row> MemoryJournal::row(const values::ActionId& id, int number) const
{
    const auto found = m_rows.find({id, number});
    return found == m_rows.end() ? std::nullopt : std::optional(found->second);
}

std::optional<Micros> MemoryJournal::wishedAt(const values::ActionId& id) const
{
    const auto found = m_wishes.find(id);
    return found == m_wishes.end() ? std::nullopt : std::optional(found->second);
}

void MemoryJournal::forgetEverything()
{
    m_actions.clear();
    m_owners.clear();
    m_presses.clear();
    m_shown.clear();
}

} // namespace payonce::simulation
