#include "storage/journal_owners.h"

#include "machine/machine_clock.h"
#include "storage/action_rows.h"
#include "storage/binding.h"
#include "storage/plain_file.h"
#include "storage/transaction.h"
#include "values/check.h"

#include <algorithm>
#include <utility>

namespace payonce::storage {

using retry::JournalError;
using values::ActionId;
using values::Failure;
using values::Result;

const char* const kLeftOpen = "final_state IS NULL AND owner NOT IN (SELECT instance FROM owners)";

namespace {

/// Somebody else's. A conflict that was read is nobody's business any more.
constexpr const char* kOrphaned =
    "final_state IS NULL AND owner NOT IN (SELECT instance FROM owners) AND owner <> ? AND seen = 0";

/// More are not read; a person has a few windows.
constexpr int kMostOwners = 1000;

QString bootId()
{
    const auto id = readPlainFile(QStringLiteral("/proc/sys/kernel/random/boot_id"), qint64{64}); // a UUID
    return QString::fromLatin1(id.value_or(QByteArray()).trimmed());
}

QVariant bound(std::chrono::milliseconds time)
{
    return storage::bound(std::int64_t{time.count()});
}

/// What holds the cart of an action that holds it no more, or never did.
constexpr const char* kHolder =
    "SELECT id FROM actions WHERE server_id = ? AND account = ? AND kind = ? AND cart_id = ? "
    "AND ((final_state = 'Paid' AND kind = 'payment') OR (final_state IS NULL AND (owner <> ? OR conflict IS NOT NULL))) "
    "ORDER BY final_state IS NOT NULL LIMIT 1";

/// Shown to everybody under that account until somebody has read its end.
constexpr const char* kOldestOfOthers = "SELECT id FROM actions WHERE server_id = ? AND account = ? AND final_state IS NULL "
                                        "AND seen = 0 AND owner <> ? ORDER BY conflict IS NOT NULL, created_at, id LIMIT 1";

template <class Value> Result<Value, JournalError> known(Result<Value, StorageError> result)
{
    return std::move(result).map_error(journalErrorOf);
}

} // namespace

Moment thisMoment()
{
    static const std::string kBoot = bootId().toStdString();
    return {kBoot, std::chrono::floor<std::chrono::milliseconds>(machine::monotonicTime().time_since_epoch())};
}

JournalOwners::JournalOwners(Opener open, Membership membership) : m_open(std::move(open)), m_membership(std::move(membership))
{
    CHECK(m_membership.presence != nullptr);
}

JournalOwners::~JournalOwners()
{
    if (const auto opened = database(); opened && m_beatAt.count() > 0) {
        static_cast<void>((*opened)->change(QStringLiteral("UPDATE owners SET alive_until = 0 WHERE instance = ?"),
                                            {storage::bound(instance())}));
    }
}

Result<void, StorageError> JournalOwners::beat(Database& database)
{
    const Moment now = m_membership.now();
    m_membership.presence->renew();
    const auto told = database.change(
        QStringLiteral("INSERT INTO owners (instance, boot, alive_until) VALUES (?, ?, ?) ON CONFLICT (instance) DO UPDATE SET "
                       "boot = excluded.boot, alive_until = excluded.alive_until"),
        {storage::bound(instance()), storage::bound(std::string_view(now.boot)), bound(now.uptime + m_membership.lasts)});
    if (told) {
        m_beatAt = now.uptime;
    }
    return done(told);
}

Result<void, StorageError> JournalOwners::bury(Database& database)
{
    if (const auto read = readOthers(database); !read) {
        return read;
    }
    const Moment now = m_membership.now();
    for (const Owner& other : std::exchange(m_others, {})) {
        if (!isDead(other, now)) {
            m_others.push_back(other);
        } else if (const auto struck = database.change(QStringLiteral("DELETE FROM owners WHERE instance = ?"),
                                                       {storage::bound(other.instance)});
                   !struck) {
            return Failure(struck.error());
        }
    }
    return {};
}

Result<retry::Sight, JournalError> JournalOwners::look(const retry::Look& look)
{
    const auto opened = database();
    if (!opened) {
        return Failure(opened.error());
    }
    Database& database = **opened;
    // Before anything is read: what is committed meanwhile is news at the next look.
    const auto version = database.readNumber(QStringLiteral("PRAGMA data_version"));
    if (!version) {
        return Failure(journalErrorOf(version.error()));
    }
    bool isNews = *version != std::exchange(m_version, -1) || look.current != m_current ||
                  look.wantsAll; // all of it is new after a failure
    std::int64_t orphans = 0;
    if (isNews) {
        if (const auto read = readOthers(database); !read) {
            return Failure(journalErrorOf(read.error()));
        }
        const auto left = database.select(QStringLiteral("SELECT count(*) FROM actions WHERE %1").arg(QLatin1String(kOrphaned)),
                                          {storage::bound(instance())});
        if (!left) {
            return Failure(journalErrorOf(left.error()));
        }
        orphans = numberOf(left->first()[0]);
    }
    retry::Sight sight;
    const bool isBeatDue = look.isBusy && m_membership.now().uptime >= m_beatAt + m_membership.beatsEvery;
    if (isBeatDue || look.shown || orphans > 0 || isAnyDead()) {
        auto taken = write(database, look);
        if (!taken) {
            return Failure(taken.error());
        }
        sight.taken = *std::move(taken);
        isNews = isNews || !sight.taken.empty();
    }
    sight.hasCompany = !m_others.empty();
    if (!isNews) {
        m_version = *version;
        return sight;
    }
    if (const auto told = tellOwn(database, look, sight); !told) {
        return Failure(told.error());
    }
    auto presses = takePresses(database, look);
    if (!presses) {
        return Failure(presses.error());
    }
    sight.presses = *std::move(presses);
    auto seen = watched(database, look);
    if (!seen) {
        return Failure(seen.error());
    }
    sight.watched = *std::move(seen);
    m_version = *version;
    m_current = look.current;
    return sight;
}

/// Who was displaced, took the action back, and was then told of a write of before, believes it to be another's.
Result<void, JournalError> JournalOwners::tellOwn(Database& database, const retry::Look& look, retry::Sight& sight) const
{
    if (!look.wantsAll || !look.current || !sight.taken.empty()) {
        return {};
    }
    const auto own =
        database.select(QStringLiteral("SELECT id FROM actions WHERE id = ? AND owner = ? AND final_state IS NULL"),
                        {storage::bound(*look.current), storage::bound(instance())});
    if (!own || own->isEmpty()) {
        return own ? Known<void>() : Failure(journalErrorOf(own.error()));
    }
    auto action = readAction(database, *look.current);
    if (action && *action) {
        sight.taken.push_back(**std::move(action));
    }
    return action ? Known<void>() : Failure(action.error());
}

Result<void, JournalError> JournalOwners::press(const ActionId& id, retry::Press what)
{
    const auto opened = database();
    if (!opened) {
        return Failure(opened.error());
    }
    return known(done((*opened)->change(
        QStringLiteral("INSERT INTO presses (action_id, what) SELECT id, ? FROM actions WHERE id = ? AND final_state IS NULL"),
        {storage::bound(std::string_view(retry::nameOf(what))), storage::bound(id)})));
}

Result<Database*, JournalError> JournalOwners::database()
{
    if (!m_database) {
        auto opened = m_open();
        if (!opened) {
            return Failure(journalErrorOf(opened.error()));
        }
        if (const auto quick = (*opened)->execute(QStringLiteral("PRAGMA synchronous=NORMAL")); !quick) {
            return Failure(journalErrorOf(quick.error()));
        }
        m_database = *std::move(opened);
    }
    return m_database.get();
}

Result<void, StorageError> JournalOwners::readOthers(Database& database)
{
    const auto rows = database.select(
        QStringLiteral("SELECT instance, boot, alive_until FROM owners WHERE instance <> ? LIMIT %1").arg(kMostOwners),
        {storage::bound(instance())});
    if (!rows) {
        return Failure(rows.error());
    }
    m_others.clear();
    for (const Row& row : *rows) {
        m_others.push_back({numberOf(row[0]), textOf(row[1]), std::chrono::milliseconds(numberOf(row[2]))});
    }
    return {};
}

bool JournalOwners::isDead(const Owner& owner, const Moment& now) const
{
    return owner.boot != now.boot || owner.aliveUntil <= now.uptime || !m_membership.presence->isPresent(owner.instance);
}

bool JournalOwners::isAnyDead() const
{
    const Moment now = m_membership.now();
    return std::any_of(m_others.begin(), m_others.end(), [&](const Owner& other) { return isDead(other, now); });
}

Result<std::vector<retry::StoredAction>, JournalError> JournalOwners::write(Database& database, const retry::Look& look)
{
    auto transaction = Transaction::begin(database);
    if (!transaction) {
        return Failure(journalErrorOf(transaction.error()));
    }
    if (const auto told = look.isBusy ? beat(database) : Stored<void>{}; !told) {
        return Failure(journalErrorOf(told.error()));
    }
    if (const auto buried = bury(database); !buried) {
        return Failure(journalErrorOf(buried.error()));
    }
    auto taken = takeOver(database);
    if (!taken) {
        return Failure(taken.error());
    }
    if (const auto shown = look.shown ? show(database, look) : Stored<void>{}; !shown) {
        return Failure(journalErrorOf(shown.error()));
    }
    if (const auto committed = transaction->commit(); !committed) {
        return Failure(journalErrorOf(committed.error()));
    }
    return taken;
}

Result<std::vector<retry::StoredAction>, JournalError> JournalOwners::takeOver(Database& database)
{
    const QVariantList ours = {storage::bound(instance())};
    const auto left =
        database.select(QStringLiteral("SELECT %1 FROM actions WHERE %2 ORDER BY conflict IS NOT NULL, created_at, id")
                            .arg(QLatin1String(kActionColumns), QLatin1String(kOrphaned)),
                        ours);
    if (!left || left->isEmpty()) {
        return left ? Known<std::vector<retry::StoredAction>>() : Failure(journalErrorOf(left.error()));
    }
    auto actions = readActions(database, *left);
    if (!actions) {
        return Failure(actions.error());
    }
    if (const auto told = beat(database); !told) {
        return Failure(journalErrorOf(told.error()));
    }
    const auto taken = database.change(
        QStringLiteral("UPDATE actions SET lease = lease + 1, owner = ? WHERE %1").arg(QLatin1String(kOrphaned)), ours + ours);
    if (!taken) {
        return Failure(journalErrorOf(taken.error()));
    }
    for (auto& action : *actions) {
        ++action.lease;
    }
    return actions;
}

Result<void, StorageError> JournalOwners::show(Database& database, const retry::Look& look) const
{
    const retry::Shown& shown = *look.shown;
    const QVariant nextTry =
        shown.nextTry ? storage::bound(std::int64_t{shown.nextTry->time_since_epoch().count()}) : QVariant();
    return done(database.change(
        QStringLiteral(
            "INSERT INTO shown (action_id, lease, state, cause, detail, is_long, next_try) "
            "SELECT id, lease, ?, ?, ?, ?, ? FROM actions WHERE id = ? AND lease = ? ON CONFLICT (action_id) DO UPDATE "
            "SET lease = excluded.lease, state = excluded.state, cause = excluded.cause, detail = excluded.detail, "
            "is_long = excluded.is_long, next_try = excluded.next_try"),
        {storage::bound(std::string_view(retry::nameOf(shown.state))),
         storage::bound(std::string_view(retry::nameOf(shown.cause))), storage::bound(std::string_view(shown.detail)),
         storage::bound(std::int64_t{shown.isLong ? 1 : 0}), nextTry, storage::bound(*look.current),
         storage::bound(look.lease)}));
}

Result<std::vector<retry::Press>, JournalError> JournalOwners::takePresses(Database& database, const retry::Look& look) const
{
    std::vector<retry::Press> presses;
    if (!look.current) {
        return presses;
    }
    const QString pressed = QStringLiteral("FROM presses WHERE action_id = ? "
                                           "AND action_id IN (SELECT id FROM actions WHERE owner = ?)");
    const QVariantList whose = {storage::bound(*look.current), storage::bound(instance())};
    const QString selected = QStringLiteral("SELECT what ") + pressed + QStringLiteral(" ORDER BY number");
    const auto any = database.select(selected, whose);
    if (!any || any->isEmpty()) {
        return any ? Known<std::vector<retry::Press>>(presses) : Failure(journalErrorOf(any.error()));
    }
    // Read again: whoever takes them out has them alone.
    auto transaction = Transaction::begin(database);
    if (!transaction) {
        return Failure(journalErrorOf(transaction.error()));
    }
    const auto rows = database.select(selected, whose);
    if (!rows) {
        return Failure(journalErrorOf(rows.error()));
    }
    if (const auto gone = database.change(QStringLiteral("DELETE ") + pressed, whose); !gone) {
        return Failure(journalErrorOf(gone.error()));
    }
    if (const auto committed = transaction->commit(); !committed) {
        return Failure(journalErrorOf(committed.error()));
    }
    for (const Row& row : *rows) {
        const bool isCancel = textOf(row[0]) == retry::nameOf(retry::Press::Cancel);
        presses.push_back(isCancel ? retry::Press::Cancel : retry::Press::CheckAgain);
    }
    return presses;
}

Result<std::optional<retry::WatchedAction>, JournalError> JournalOwners::watched(Database& database,
                                                                                 const retry::Look& look) const
{
    const auto id = onScreen(database, look);
    if (!id || !*id) {
        return id ? Known<std::optional<retry::WatchedAction>>(std::nullopt) : Failure(id.error());
    }
    auto action = readAction(database, **id);
    if (!action) {
        return Failure(action.error());
    }
    const auto shown = database.select(
        QStringLiteral("SELECT %1 FROM shown WHERE action_id = ? AND lease = (SELECT lease FROM actions WHERE id = "
                       "action_id)")
            .arg(QLatin1String(kShownColumns)),
        {storage::bound(**id)});
    if (!shown) {
        return Failure(journalErrorOf(shown.error()));
    }
    if (!*action) {
        return std::optional<retry::WatchedAction>();
    }
    return std::optional(retry::WatchedAction{**action, shown->isEmpty() ? std::nullopt : shownOf(shown->first())});
}

/// The action that belongs on the screen, if it is another's.
Result<std::optional<ActionId>, JournalError> JournalOwners::onScreen(Database& database, const retry::Look& look) const
{
    const QVariantList here = {storage::bound(std::string_view(look.here.serverId)),
                               storage::bound(std::string_view(look.here.account))};
    Known<Rows> rows;
    if (!look.current) {
        rows = known(database.select(QString::fromLatin1(kOldestOfOthers), here + QVariantList{storage::bound(instance())}));
    } else {
        const auto own = known(database.select(QStringLiteral("SELECT owner = ? FROM actions WHERE id = ? "
                                                              "AND final_cause IS NOT 'cart_taken'"),
                                               {storage::bound(instance()), storage::bound(*look.current)}));
        if (!own) {
            return Failure(own.error());
        }
        if (!own->isEmpty()) {
            return numberOf(own->first()[0]) != 0 ? std::nullopt : look.current;
        }
        rows = known(
            database.select(QString::fromLatin1(kHolder),
                            here + QVariantList{storage::bound(std::string_view(retry::nameOf(look.kind))),
                                                storage::bound(std::string_view(look.cartId)), storage::bound(instance())}));
    }
    if (!rows) {
        return Failure(rows.error());
    }
    return rows->isEmpty() ? std::nullopt : ActionId::parse(textOf(rows->first()[0]));
}

} // namespace payonce::storage
