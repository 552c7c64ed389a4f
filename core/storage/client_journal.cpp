#include "storage/client_journal.h"

#include "storage/action_rows.h"
#include "storage/binding.h"
#include "storage/transaction.h"

#include <utility>

namespace payonce::storage {

using retry::AttemptBegun;
using retry::JournalError;
using retry::LeaseNumber;
using retry::StoredAction;
using values::ActionId;
using values::Failure;
using values::Result;

namespace {

constexpr std::int32_t kApplicationId = 0x504F434A; // "POCJ"

/// The same ID again replaces what was never ready and never sent, and is still ours, and takes the next lease.
constexpr const char* kSaveAction =
    "INSERT INTO actions (id, reference, kind, path, account, server_id, cart_id, amount, currency, email, created_at, "
    "valid_until, told_not_started, adopted, owner, seen, lease) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0, 1) "
    "ON CONFLICT (id) DO UPDATE SET kind = excluded.kind, path = excluded.path, account = excluded.account, server_id = "
    "excluded.server_id, cart_id = excluded.cart_id, "
    "amount = excluded.amount, currency = excluded.currency, email = excluded.email, created_at = excluded.created_at, "
    "valid_until = excluded.valid_until, told_not_started = excluded.told_not_started, lease = lease + 1 "
    "WHERE body IS NULL AND final_state IS NULL AND wish_cause IS NULL AND adopted = 0 AND owner = excluded.owner "
    "AND NOT EXISTS (SELECT 1 FROM attempts WHERE action_id = actions.id)";

constexpr const char* kLeaseOf = "SELECT lease FROM actions WHERE id = ?";

/// Bytes that an attempt may have sent are never replaced by others.
constexpr const char* kSaveReady =
    "UPDATE actions SET payment_method = ?, brand = ?, last_four = ?, body = ?, fingerprint = ?, told_not_started = 0 "
    "WHERE id = ? AND lease = ? AND final_state IS NULL AND adopted = 0 "
    "AND (fingerprint = ? OR NOT EXISTS (SELECT 1 FROM attempts WHERE action_id = actions.id))";

/// No row, no POST (invariant 3).
constexpr const char* kBeginAttempt = "INSERT INTO attempts (action_id, number, started_at) SELECT id, ?, ? FROM actions "
                                      "WHERE id = ? AND lease = ? AND body IS NOT NULL AND final_state IS NULL "
                                      "AND wish_cause IS NULL AND conflict IS NULL";

/// The same answer again changes nothing but counts as a row.
constexpr const char* kSaveFinal =
    "UPDATE actions SET final_state = ?, final_cause = ?, order_number = ?, charge_id = ?, decline_code = ?, final_detail = ?, "
    "charged_amount = ?, charged_currency = ? "
    "WHERE id = ? AND lease = ? AND (final_state IS NULL OR (final_state = ? AND final_cause = ? AND order_number = ? "
    "AND charge_id = ? AND decline_code = ? AND final_detail = ? AND charged_amount IS ? AND charged_currency IS ?))";

/// The first wish stands (invariant 8). Also where it has closed the action and the word of that was lost.
constexpr const char* kSaveWish =
    "UPDATE actions SET wish_cause = coalesce(wish_cause, ?), wish_detail = coalesce(wish_detail, ?) "
    "WHERE id = ? AND lease = ? AND (final_state IS NULL OR final_cause = 'never_sent')";

/// Only where every attempt row proves that nothing was sent. Closed so before, it is closed again.
constexpr const char* kCloseUnsent =
    "UPDATE actions SET final_state = 'Cancelled', final_cause = 'never_sent', final_detail = '', order_number = '', "
    "charge_id = '', decline_code = '' "
    "WHERE id = ? AND lease = ? AND (final_state IS NULL OR final_cause = 'never_sent') AND adopted = 0 "
    "AND NOT EXISTS (SELECT 1 FROM attempts WHERE action_id = actions.id AND coalesce(bytes_taken, 1) > 0)";

/// Another device's action; one that this journal has already is left as it is, and to its owner where that lives.
constexpr const char* kAdopt =
    "INSERT INTO actions (id, reference, kind, path, account, server_id, cart_id, amount, currency, email, created_at, "
    "valid_until, told_not_started, adopted, owner, seen, lease) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0, 1) "
    "ON CONFLICT (id) DO UPDATE SET lease = lease + 1, owner = excluded.owner WHERE final_state IS NULL "
    "AND (owner = excluded.owner OR owner NOT IN (SELECT instance FROM owners))";

Schema schema()
{
    return {.applicationId = kApplicationId,
            .steps = {QStringLiteral(":/schema/journal_1.sql"), QStringLiteral(":/schema/journal_2.sql")}};
}

} // namespace

ClientJournal::Opener ClientJournal::fileAt(const QString& path, const OpenOptions& options)
{
    return [path, options] { return Database::open(path, schema(), options); };
}

ClientJournal::ClientJournal(Opener open) : m_open(std::move(open)) {}

ClientJournal::ClientJournal(const Opener& open, const Membership& membership)
    : m_open(open), m_owners(std::make_unique<JournalOwners>(open, membership))
{
}

Result<LeaseNumber, JournalError> ClientJournal::saveAction(const StoredAction& action)
{
    auto transaction = begin();
    if (!transaction) {
        return Failure(transaction.error());
    }
    if (const auto told = tellOwner(); !told) {
        return Failure(told.error());
    }
    const auto saved = m_database->change(QString::fromLatin1(kSaveAction), boundAction(action, owner()));
    if (!saved) {
        return Failure(saved.error() == StorageError::Constraint ? whyRefused(action) : journalErrorOf(saved.error()));
    }
    if (*saved == 0) {
        return Failure(whyNothing(action.id, action.lease));
    }
    const auto lease = m_database->select(QString::fromLatin1(kLeaseOf), {bound(action.id)});
    if (!lease) {
        return Failure(journalErrorOf(lease.error()));
    }
    if (const auto committed = transaction->commit(); !committed) {
        return Failure(journalErrorOf(committed.error()));
    }
    return numberOf(lease->first().value(0));
}

Result<AttemptBegun, JournalError> ClientJournal::saveReady(const ActionId& id, LeaseNumber lease,
                                                            const retry::PreparedRequest& ready,
                                                            const retry::AttemptStart& first)
{
    auto transaction = begin();
    if (!transaction) {
        return Failure(transaction.error());
    }
    const auto saved = changeOne(QString::fromLatin1(kSaveReady),
                                 {bound(std::string_view(ready.card.paymentMethod)), bound(std::string_view(ready.card.brand)),
                                  bound(std::string_view(ready.card.lastFour)), boundBytes(ready.body),
                                  bound(std::string_view(ready.fingerprint)), bound(id), bound(lease),
                                  bound(std::string_view(ready.fingerprint))},
                                 id, lease);
    if (!saved) {
        return Failure(saved.error());
    }
    const auto begun = beginAttempt(id, lease, first.number, first.at);
    if (!begun) {
        return Failure(begun.error());
    }
    if (const auto committed = transaction->commit(); !committed) {
        return Failure(journalErrorOf(committed.error()));
    }
    return begun;
}

Result<AttemptBegun, JournalError> ClientJournal::beginAttempt(const ActionId& id, LeaseNumber lease, int number,
                                                               values::WallTime at)
{
    const auto opened = database();
    if (!opened) {
        return Failure(opened.error());
    }
    const auto inserted = (*opened)->change(QString::fromLatin1(kBeginAttempt),
                                            {bound(std::int64_t{number}), bound(at), bound(id), bound(lease)});
    if (!inserted && inserted.error() == StorageError::Constraint) {
        return AttemptBegun::Refused; // this attempt has been begun before: it may be on the wire already
    }
    if (!inserted) {
        return Failure(journalErrorOf(inserted.error()));
    }
    return *inserted == 1 ? AttemptBegun::Inserted : AttemptBegun::Refused;
}

Result<void, JournalError> ClientJournal::endAttempt(const ActionId& id, LeaseNumber lease, int number,
                                                     const retry::AttemptEnd& end)
{
    const QVariant status = end.status ? bound(std::int64_t{*end.status}) : QVariant();
    return changeOne(QStringLiteral("UPDATE attempts SET bytes_taken = ?, status = ?, error = ?, reason = ? "
                                    "WHERE action_id = ? AND number = ? AND reason IS NULL "
                                    "AND EXISTS (SELECT 1 FROM actions WHERE id = action_id AND lease = ?)"),
                     {bound(end.bytesTaken), status, bound(std::string_view(retry::nameOf(end.error))),
                      bound(std::string_view(retry::nameOf(end.reason))), bound(id), bound(std::int64_t{number}), bound(lease)},
                     id, lease);
}

Result<void, JournalError> ClientJournal::saveFinal(const ActionId& id, LeaseNumber lease, const retry::FinalAnswer& answer)
{
    const QVariantList values = boundFinal(answer);
    return changeOne(QString::fromLatin1(kSaveFinal), values + QVariantList{bound(id), bound(lease)} + values, id, lease);
}

Result<void, JournalError> ClientJournal::markToldNotStarted(const ActionId& id, LeaseNumber lease)
{
    return changeOne(
        QStringLiteral("UPDATE actions SET told_not_started = 1 WHERE id = ? AND lease = ? AND final_state IS NULL"),
        {bound(id), bound(lease)}, id, lease);
}

Result<retry::WishKept, JournalError> ClientJournal::saveWish(const ActionId& id, LeaseNumber lease,
                                                              const retry::CancelWish& wish)
{
    auto transaction = begin();
    if (!transaction) {
        return Failure(transaction.error());
    }
    const auto saved = changeOne(
        QString::fromLatin1(kSaveWish),
        {bound(std::string_view(retry::nameOf(wish.cause))), bound(std::string_view(wish.detail)), bound(id), bound(lease)}, id,
        lease);
    if (!saved) {
        return Failure(saved.error());
    }
    const auto closed = m_database->change(QString::fromLatin1(kCloseUnsent), {bound(id), bound(lease)});
    if (!closed) {
        return Failure(journalErrorOf(closed.error()));
    }
    if (const auto committed = transaction->commit(); !committed) {
        return Failure(journalErrorOf(committed.error()));
    }
    return *closed == 1 ? retry::WishKept::ClosedUnsent : retry::WishKept::Fence;
}

Result<void, JournalError> ClientJournal::saveConflict(const ActionId& id, LeaseNumber lease, retry::Cause cause)
{
    return changeOne(QStringLiteral("UPDATE actions SET conflict = coalesce(conflict, ?), seen = 0 WHERE id = ? AND lease = ?"),
                     {bound(std::string_view(retry::nameOf(cause))), bound(id), bound(lease)}, id, lease);
}

Result<StoredAction, JournalError> ClientJournal::adopt(const ActionId& own, LeaseNumber lease, const StoredAction& holder)
{
    auto transaction = begin();
    if (!transaction) {
        return Failure(transaction.error());
    }
    // Nobody need see its end: what is shown is the action that holds the cart.
    const retry::FinalAnswer closed{retry::State::Cancelled, retry::Cause::CartTaken, {}, {}, {}, {}, {}};
    if (const auto saved = saveFinal(own, lease, closed); !saved) {
        return Failure(saved.error());
    }
    if (const auto seen = markSeen(own, lease); !seen) {
        return Failure(seen.error());
    }
    if (const auto told = tellOwner(); !told) {
        return Failure(told.error());
    }
    const auto adopted = m_database->change(QString::fromLatin1(kAdopt), boundAction(holder, owner()));
    if (!adopted) {
        return Failure(journalErrorOf(adopted.error()));
    }
    auto found = readAction(*m_database, holder.id);
    if (!found) {
        return Failure(found.error());
    }
    if (const auto committed = transaction->commit(); !committed) {
        return Failure(journalErrorOf(committed.error()));
    }
    if (!*found) {
        return Failure(JournalError::Failed);
    }
    // Of another living process: it is shown, and nothing more.
    if (*adopted == 0 && !(*found)->final) {
        return Failure(JournalError::Displaced);
    }
    return **found;
}

Result<void, JournalError> ClientJournal::markSeen(const ActionId& id, LeaseNumber lease)
{
    return changeOne(QStringLiteral("UPDATE actions SET seen = 1 WHERE id = ? AND lease = ?"), {bound(id), bound(lease)}, id,
                     lease);
}

Result<std::optional<StoredAction>, JournalError> ClientJournal::read(const ActionId& id)
{
    // A fresh connection sees what is durable, not what this one believes.
    const auto fresh = m_open();
    if (!fresh) {
        return Failure(journalErrorOf(fresh.error()));
    }
    return readAction(**fresh, id);
}

Result<std::vector<StoredAction>, JournalError> ClientJournal::takeOverOpen()
{
    auto transaction = begin();
    if (!transaction) {
        return Failure(transaction.error());
    }
    if (const auto told = tellOwner(); !told) {
        return Failure(told.error());
    }
    if (const auto buried = m_owners ? m_owners->bury(*m_database) : Result<void, StorageError>{}; !buried) {
        return Failure(journalErrorOf(buried.error()));
    }
    const auto taken = m_database->change(
        QStringLiteral("UPDATE actions SET lease = lease + 1, owner = ? WHERE %1").arg(QLatin1String(kLeftOpen)),
        {bound(owner())});
    if (!taken) {
        return Failure(journalErrorOf(taken.error()));
    }
    const auto rows =
        m_database->select(QStringLiteral("SELECT %1 FROM actions WHERE seen = 0 "
                                          "AND (owner = ? OR owner NOT IN (SELECT instance FROM owners)) "
                                          "ORDER BY final_state IS NOT NULL, conflict IS NOT NULL, created_at, id "
                                          "LIMIT %2")
                               .arg(QLatin1String(kActionColumns))
                               .arg(kMostOpenActions),
                           {bound(owner())});
    if (!rows) {
        return Failure(journalErrorOf(rows.error()));
    }
    auto actions = readActions(*m_database, *rows);
    if (!actions) {
        return Failure(actions.error());
    }
    if (const auto committed = transaction->commit(); !committed) {
        return Failure(journalErrorOf(committed.error()));
    }
    m_database->warmUp({QString::fromLatin1(kSaveAction), QString::fromLatin1(kLeaseOf), QString::fromLatin1(kSaveReady),
                        QString::fromLatin1(kBeginAttempt)});
    return actions;
}

Result<retry::Sight, JournalError> ClientJournal::look(const retry::Look& look)
{
    return m_owners ? m_owners->look(look) : retry::Sight{};
}

Result<void, JournalError> ClientJournal::press(const ActionId& id, retry::Press what)
{
    return m_owners ? m_owners->press(id, what) : Result<void, JournalError>{};
}

Result<void, JournalError> ClientJournal::tellOwner()
{
    const auto told = m_owners ? m_owners->beat(*m_database) : Result<void, StorageError>{};
    return told.map_error(journalErrorOf);
}

Result<Database*, JournalError> ClientJournal::database()
{
    if (!m_database) {
        auto opened = m_open();
        if (!opened) {
            return Failure(journalErrorOf(opened.error()));
        }
        m_database = *std::move(opened);
    }
    return m_database.get();
}

Result<Transaction, JournalError> ClientJournal::begin()
{
    const auto opened = database();
    if (!opened) {
        return Failure(opened.error());
    }
    return Transaction::begin(**opened).map_error(journalErrorOf);
}

Result<void, JournalError> ClientJournal::changeOne(const QString& sql, const QVariantList& bound, const ActionId& id,
                                                    LeaseNumber lease)
{
    const auto opened = database();
    if (!opened) {
        return Failure(opened.error());
    }
    const auto changed = (*opened)->change(sql, bound);
    if (!changed) {
        return Failure(journalErrorOf(changed.error()));
    }
    if (*changed == 0) {
        return Failure(whyNothing(id, lease));
    }
    return {};
}

JournalError ClientJournal::whyNothing(const ActionId& id, LeaseNumber lease)
{
    const auto newest = m_database->select(QString::fromLatin1(kLeaseOf), {bound(id)});
    if (!newest) {
        return journalErrorOf(newest.error());
    }
    const bool displaced = !newest->isEmpty() && numberOf(newest->first().value(0)) > lease;
    return displaced ? JournalError::Displaced : JournalError::Failed;
}

JournalError ClientJournal::whyRefused(const StoredAction& action)
{
    const auto holder = m_database->select(QStringLiteral("SELECT 1 FROM actions WHERE reference = ? AND id <> ?"),
                                           {bound(std::string_view(values::reference(action.id))), bound(action.id)});
    if (!holder) {
        return journalErrorOf(holder.error());
    }
    if (!holder->isEmpty()) {
        return JournalError::ReferenceTaken;
    }
    const auto cart = m_database->select(
        QStringLiteral("SELECT 1 FROM actions WHERE server_id = ? AND account = ? AND cart_id = ? AND id <> ? "
                       "AND (final_state IS NULL OR final_state = 'Paid')"),
        {bound(std::string_view(action.scope.serverId)), bound(std::string_view(action.scope.account)),
         bound(std::string_view(action.purchase.cartId)), bound(action.id)});
    if (!cart) {
        return journalErrorOf(cart.error());
    }
    return cart->isEmpty() ? JournalError::Failed : JournalError::CartHeld;
}

} // namespace payonce::storage
