// JournalOwners: several processes on one journal: who lives, who owns which action, and what they tell each other.
#pragma once

#include "storage/database.h"
#include "storage/presence.h"

#include "retry/journal.h"
#include "retry/watching.h"

#include <chrono>
#include <functional>
#include <memory>
#include <string>

namespace payonce::storage {

/// A time that all processes of one boot share. It stands still while the computer sleeps, as they do.
struct Moment
{
    std::string boot;
    std::chrono::milliseconds uptime{0};
};

[[nodiscard]] Moment thisMoment();

/// What makes a journal one of several on its file.
struct Membership
{
    std::shared_ptr<Presence> presence;
    std::chrono::milliseconds beatsEvery{1000};
    std::chrono::milliseconds lasts{5000}; ///< after a beat; a process that was stopped for longer has lost what it owned
    std::function<Moment()> now = thisMoment;
};

/// Actions that nobody who lives owns; after bury().
extern const char* const kLeftOpen;

/// Uses a connection of its own, whose commits need not be durable: what is written here is true only while processes live, and
/// lies behind everything durable in the same log.
class JournalOwners
{
public:
    using Opener = std::function<values::Result<std::unique_ptr<Database>, StorageError>()>;

    JournalOwners(Opener open, Membership membership);
    JournalOwners(const JournalOwners&) = delete;
    JournalOwners& operator=(const JournalOwners&) = delete;
    JournalOwners(JournalOwners&&) = delete;
    JournalOwners& operator=(JournalOwners&&) = delete;
    /// Says that this process owns nothing any more.
    ~JournalOwners();

    [[nodiscard]] std::int64_t instance() const { return m_membership.presence->instance(); }
    /// This process lives.
    [[nodiscard]] values::Result<void, StorageError> beat(Database& database);
    /// Strikes off the dead: their time is over, they are of another boot, or the kernel says so.
    [[nodiscard]] values::Result<void, StorageError> bury(Database& database);

    [[nodiscard]] values::Result<retry::Sight, retry::JournalError> look(const retry::Look& look);
    [[nodiscard]] values::Result<void, retry::JournalError> press(const values::ActionId& id, retry::Press what);

private:
    template <class T> using Stored = values::Result<T, StorageError>;
    template <class T> using Known = values::Result<T, retry::JournalError>;

    struct Owner
    {
        std::int64_t instance = 0;
        std::string boot;
        std::chrono::milliseconds aliveUntil{0};
    };

    [[nodiscard]] Known<Database*> database();
    [[nodiscard]] Stored<void> readOthers(Database& database);
    [[nodiscard]] bool isDead(const Owner& owner, const Moment& now) const;
    [[nodiscard]] bool isAnyDead() const;
    /// What this process says, and what the dead leave.
    [[nodiscard]] Known<std::vector<retry::StoredAction>> write(Database& database, const retry::Look& look);
    [[nodiscard]] Known<std::vector<retry::StoredAction>> takeOver(Database& database);
    [[nodiscard]] Stored<void> show(Database& database, const retry::Look& look) const;
    [[nodiscard]] Known<void> tellOwn(Database& database, const retry::Look& look, retry::Sight& sight) const;
    [[nodiscard]] Known<std::vector<retry::Press>> takePresses(Database& database, const retry::Look& look) const;
    [[nodiscard]] Known<std::optional<retry::WatchedAction>> watched(Database& database, const retry::Look& look) const;
    [[nodiscard]] Known<std::optional<values::ActionId>> onScreen(Database& database, const retry::Look& look) const;

    Opener m_open;
    Membership m_membership;
    std::unique_ptr<Database> m_database;
    std::vector<Owner> m_others;
    std::chrono::milliseconds m_beatAt{std::chrono::milliseconds::min()};
    std::int64_t m_version = -1; ///< of the data, at the last look that was finished
    std::optional<values::ActionId> m_current;
};

} // namespace payonce::storage
