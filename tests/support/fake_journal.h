// FakeJournal: a journal in memory that can stall, fail, and fail although what it was given is durable.
#pragma once

#include "retry/journal.h"

#include <condition_variable>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <string>

namespace payonce::support {

enum class JournalCall {
    SaveAction,
    SaveReady,
    BeginAttempt,
    EndAttempt,
    SaveFinal,
    MarkToldNotStarted,
    SaveWish,
    SaveConflict,
    Adopt,
    MarkSeen,
    Read,
    TakeOverOpen
};

/// What is on disk when the save is reported as failed.
enum class Durability { Lost, Durable };

/// The "disk": outlives the journals on it, so that a test can kill a program and start another. Thread-safe.
class FakeDisk
{
public:
    /// Every call of this kind waits from now on, as on a stalled disk, until release().
    void hold(JournalCall call);
    void release();
    /// The next call of this kind that is not planned yet fails.
    void failNext(JournalCall call, retry::JournalError error, Durability durability = Durability::Lost);

    [[nodiscard]] std::optional<retry::StoredAction> find(const values::ActionId& id) const;
    [[nodiscard]] std::vector<retry::StoredAction> all() const;
    void put(const retry::StoredAction& action);
    /// The calls so far, in order, finished or waiting.
    [[nodiscard]] std::vector<JournalCall> calls() const;

    /// Used by FakeJournal: waits for the gate, then runs `change` on the rows unless a lost failure is planned.
    template <class Value, class Change>
    [[nodiscard]] values::Result<Value, retry::JournalError> run(JournalCall call, Change change)
    {
        std::unique_lock lock(m_mutex);
        m_calls.push_back(call);
        m_gate.wait(lock, [this, call] { return m_held != call; });
        const std::optional<Failure> failure = takeFailure(call);
        if (failure && failure->durability == Durability::Lost) {
            return values::Failure(failure->error);
        }
        values::Result<Value, retry::JournalError> result = change(m_rows);
        if (failure) {
            return values::Failure(failure->error);
        }
        return result;
    }

private:
    struct Failure
    {
        retry::JournalError error;
        Durability durability;
    };

    [[nodiscard]] std::optional<Failure> takeFailure(JournalCall call);

    mutable std::mutex m_mutex;
    std::condition_variable m_gate;
    std::optional<JournalCall> m_held;
    std::map<std::string, retry::StoredAction> m_rows;
    std::map<JournalCall, std::deque<Failure>> m_failures;
    std::vector<JournalCall> m_calls;
};

/// Keeps the rules of the port: leases, no attempt unless ready, no second final answer, one open action a cart.
class FakeJournal : public retry::Journal
{
public:
    explicit FakeJournal(std::shared_ptr<FakeDisk> disk);

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

private:
    std::shared_ptr<FakeDisk> m_disk;
};

} // namespace payonce::support
