#include "support/fake_journal.h"

#include <algorithm>
#include <utility>

namespace payonce::support {

using retry::JournalError;
using retry::StoredAction;
using values::Failure;
using values::Result;
using Rows = std::map<std::string, StoredAction>;

namespace {

/// The row, if `lease` still owns it.
Result<StoredAction*, JournalError> owned(Rows& rows, const values::ActionId& id, retry::LeaseNumber lease)
{
    const auto found = rows.find(id.toString());
    if (found == rows.end()) {
        return Failure(JournalError::Failed);
    }
    if (found->second.lease != lease) {
        return Failure(JournalError::Displaced);
    }
    return &found->second;
}

/// The one conditioned statement: lease newest, ready, not final, no wish to cancel, no conflict, this number not used before.
retry::AttemptBegun insertRow(Rows& rows, const values::ActionId& id, retry::LeaseNumber lease,
                              const retry::AttemptStart& start)
{
    const auto action = owned(rows, id, lease);
    if (!action || !(*action)->ready || (*action)->final || (*action)->wish || (*action)->conflict) {
        return retry::AttemptBegun::Refused;
    }
    auto& attempts = (*action)->attempts;
    if (std::any_of(attempts.begin(), attempts.end(), [&start](const auto& row) { return row.number == start.number; })) {
        return retry::AttemptBegun::Refused;
    }
    attempts.push_back({.number = start.number, .startedAt = start.at, .end = std::nullopt});
    return retry::AttemptBegun::Inserted;
}

bool holdsCart(const StoredAction& other, const StoredAction& wanted)
{
    const bool isOpen = !other.final || other.final->state == retry::State::Paid;
    return isOpen && other.id != wanted.id && other.scope == wanted.scope && other.purchase.cartId == wanted.purchase.cartId;
}

} // namespace

void FakeDisk::hold(JournalCall call)
{
    const std::lock_guard lock(m_mutex);
    m_held = call;
}

void FakeDisk::release()
{
    {
        const std::lock_guard lock(m_mutex);
        m_held.reset();
    }
    m_gate.notify_all();
}

void FakeDisk::failNext(JournalCall call, JournalError error, Durability durability)
{
    const std::lock_guard lock(m_mutex);
    m_failures[call].push_back({error, durability});
}

std::optional<StoredAction> FakeDisk::find(const values::ActionId& id) const
{
    const std::lock_guard lock(m_mutex);
    const auto found = m_rows.find(id.toString());
    return found == m_rows.end() ? std::nullopt : std::optional(found->second);
}

std::vector<StoredAction> FakeDisk::all() const
{
    const std::lock_guard lock(m_mutex);
    std::vector<StoredAction> actions;
    for (const auto& row : m_rows) {
        actions.push_back(row.second);
    }
    return actions;
}

void FakeDisk::put(const StoredAction& action)
{
    const std::lock_guard lock(m_mutex);
    m_rows.insert_or_assign(action.id.toString(), action);
}

std::vector<JournalCall> FakeDisk::calls() const
{
    const std::lock_guard lock(m_mutex);
    return m_calls;
}

std::optional<FakeDisk::Failure> FakeDisk::takeFailure(JournalCall call)
{
    auto& planned = m_failures[call];
    if (planned.empty()) {
        return std::nullopt;
    }
    const Failure failure = planned.front();
    planned.pop_front();
    return failure;
}

FakeJournal::FakeJournal(std::shared_ptr<FakeDisk> disk) : m_disk(std::move(disk)) {}

Result<retry::LeaseNumber, JournalError> FakeJournal::saveAction(const StoredAction& action)
{
    return m_disk->run<retry::LeaseNumber>(
        JournalCall::SaveAction, [&action](Rows& rows) -> Result<retry::LeaseNumber, JournalError> {
            if (std::any_of(rows.begin(), rows.end(), [&action](const auto& row) { return holdsCart(row.second, action); })) {
                return Failure(JournalError::CartHeld);
            }
            const auto found = rows.find(action.id.toString());
            StoredAction saved = action;
            saved.lease = 1;
            if (found != rows.end()) {
                if (found->second.ready || !found->second.attempts.empty() || found->second.final) {
                    return Failure(JournalError::Failed);
                }
                saved.lease = found->second.lease + 1;
            }
            rows.insert_or_assign(action.id.toString(), saved);
            return saved.lease;
        });
}

Result<retry::AttemptBegun, JournalError> FakeJournal::saveReady(const values::ActionId& id, retry::LeaseNumber lease,
                                                                 const retry::PreparedRequest& ready,
                                                                 const retry::AttemptStart& first)
{
    return m_disk->run<retry::AttemptBegun>(JournalCall::SaveReady,
                                            [&](Rows& rows) -> Result<retry::AttemptBegun, JournalError> {
                                                const auto action = owned(rows, id, lease);
                                                if (!action) {
                                                    return Failure(action.error());
                                                }
                                                (*action)->ready = ready;
                                                (*action)->toldNotStarted = false;
                                                return insertRow(rows, id, lease, first);
                                            });
}

Result<retry::AttemptBegun, JournalError> FakeJournal::beginAttempt(const values::ActionId& id, retry::LeaseNumber lease,
                                                                    int number, values::WallTime at)
{
    return m_disk->run<retry::AttemptBegun>(JournalCall::BeginAttempt,
                                            [&](Rows& rows) -> Result<retry::AttemptBegun, JournalError> {
                                                return insertRow(rows, id, lease, {.number = number, .at = at});
                                            });
}

Result<void, JournalError> FakeJournal::endAttempt(const values::ActionId& id, retry::LeaseNumber lease, int number,
                                                   const retry::AttemptEnd& end)
{
    return m_disk->run<void>(JournalCall::EndAttempt, [&](Rows& rows) -> Result<void, JournalError> {
        const auto action = owned(rows, id, lease);
        if (!action) {
            return Failure(action.error());
        }
        auto& attempts = (*action)->attempts;
        const auto found =
            std::find_if(attempts.begin(), attempts.end(), [number](const auto& row) { return row.number == number; });
        if (found == attempts.end()) {
            return Failure(JournalError::Failed);
        }
        found->end = end;
        return {};
    });
}

Result<void, JournalError> FakeJournal::saveFinal(const values::ActionId& id, retry::LeaseNumber lease,
                                                  const retry::FinalAnswer& answer)
{
    return m_disk->run<void>(JournalCall::SaveFinal, [&](Rows& rows) -> Result<void, JournalError> {
        const auto action = owned(rows, id, lease);
        if (!action) {
            return Failure(action.error());
        }
        if ((*action)->final && *(*action)->final != answer) {
            return Failure(JournalError::Failed);
        }
        (*action)->final = answer;
        return {};
    });
}

Result<void, JournalError> FakeJournal::markToldNotStarted(const values::ActionId& id, retry::LeaseNumber lease)
{
    return m_disk->run<void>(JournalCall::MarkToldNotStarted, [&](Rows& rows) -> Result<void, JournalError> {
        const auto action = owned(rows, id, lease);
        if (!action) {
            return Failure(action.error());
        }
        (*action)->toldNotStarted = true;
        return {};
    });
}

Result<retry::WishKept, JournalError> FakeJournal::saveWish(const values::ActionId& id, retry::LeaseNumber lease,
                                                            const retry::CancelWish& wish)
{
    return m_disk->run<retry::WishKept>(JournalCall::SaveWish, [&](Rows& rows) -> Result<retry::WishKept, JournalError> {
        const auto action = owned(rows, id, lease);
        if (!action) {
            return Failure(action.error());
        }
        if ((*action)->final) {
            return Failure(JournalError::Failed);
        }
        if (!(*action)->wish) {
            (*action)->wish = wish;
        }
        if ((*action)->adopted || retry::attemptsPerhapsSent(**action) > 0) {
            return retry::WishKept::Fence;
        }
        (*action)->final = retry::FinalAnswer{retry::State::Cancelled, retry::Cause::NeverSent, {}, {}, {}, {}, {}};
        return retry::WishKept::ClosedUnsent;
    });
}

Result<void, JournalError> FakeJournal::saveConflict(const values::ActionId& id, retry::LeaseNumber lease, retry::Cause cause)
{
    return m_disk->run<void>(JournalCall::SaveConflict, [&](Rows& rows) -> Result<void, JournalError> {
        const auto action = owned(rows, id, lease);
        if (!action) {
            return Failure(action.error());
        }
        if (!(*action)->conflict) {
            (*action)->conflict = cause;
        }
        return {};
    });
}

Result<StoredAction, JournalError> FakeJournal::adopt(const values::ActionId& own, retry::LeaseNumber lease,
                                                      const StoredAction& holder)
{
    return m_disk->run<StoredAction>(JournalCall::Adopt, [&](Rows& rows) -> Result<StoredAction, JournalError> {
        const auto action = owned(rows, own, lease);
        if (!action) {
            return Failure(action.error());
        }
        (*action)->final = retry::FinalAnswer{retry::State::Cancelled, retry::Cause::CartTaken, {}, {}, {}, {}, {}};
        auto& row = rows.try_emplace(holder.id.toString(), holder).first->second;
        if (!row.final) {
            ++row.lease;
        }
        return row;
    });
}

Result<void, JournalError> FakeJournal::markSeen(const values::ActionId& id, retry::LeaseNumber lease)
{
    return m_disk->run<void>(JournalCall::MarkSeen, [&](Rows& rows) -> Result<void, JournalError> {
        const auto action = owned(rows, id, lease);
        return action ? Result<void, JournalError>() : Failure(action.error());
    });
}

Result<std::optional<StoredAction>, JournalError> FakeJournal::read(const values::ActionId& id)
{
    using Found = std::optional<StoredAction>;
    return m_disk->run<Found>(JournalCall::Read, [&](Rows& rows) -> Result<Found, JournalError> {
        const auto found = rows.find(id.toString());
        return found == rows.end() ? Found() : Found(found->second);
    });
}

Result<std::vector<StoredAction>, JournalError> FakeJournal::takeOverOpen()
{
    return m_disk->run<std::vector<StoredAction>>(
        JournalCall::TakeOverOpen, [](Rows& rows) -> Result<std::vector<StoredAction>, JournalError> {
            std::vector<StoredAction> open;
            for (auto& row : rows) {
                if (!row.second.final) {
                    ++row.second.lease;
                    open.push_back(row.second);
                }
            }
            std::sort(open.begin(), open.end(), [](const auto& a, const auto& b) { return a.createdAt < b.createdAt; });
            return open;
        });
}

} // namespace payonce::support
