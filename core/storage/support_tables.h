// SupportTables: what support reads in the shop's database, and the audit of what support did (docs/contract.md, Support).
#pragma once

#include "idempotency/ledger_store.h"
#include "idempotency/order.h"
#include "storage/database.h"

#include <string>
#include <vector>

namespace payonce::storage {

/// What an action is found by. A charge is the bank's to find.
enum class SupportColumn { ActionId, Reference, OrderId, OrderNumber, PaymentId, BankKey, CartId, Email, LastFour };

/// An action as support sees it: its record, or its order where the record is gone.
struct SupportRow
{
    std::string account;
    values::ActionId id;
    std::string kind;                         ///< `payment`, `account`
    std::optional<values::RecordState> state; ///< none: only the order is left
    std::optional<idempotency::OrderStatus> order;
    std::optional<values::Money> amount;
    std::string email;    ///< empty once the record is gone
    std::string lastFour; ///< as well
    std::string cartId;
    std::string orderId;
    std::string orderNumber;
    std::string paymentId;
    std::string chargeId;
    std::string declineCode;
    std::optional<values::BankKey> bankKey;
    bool cancelRequested = false;
    std::optional<idempotency::AbandonReason> reason;
    std::string heldBy;
    values::WallTime firstSeen;
    std::optional<values::WallTime> settledAt;
    std::optional<values::WallTime> validUntil;
    bool hasDiscrepancy = false; ///< an event of the bank says otherwise than the record
};

/// An event of the bank about one bank key.
struct SupportEvent
{
    std::string id;
    std::string transition; ///< `charge.succeeded`
    std::string outcome;    ///< `applied`, …
    std::int64_t deliveries = 1;
    values::WallTime receivedAt;
};

struct AuditRow
{
    values::WallTime at;
    std::string who;
    std::string deed;
    std::string account;  ///< of the action
    std::string actionId; ///< the action it is about; empty for a search
    std::string deedId;   ///< the deed's own ID; empty for what only looks
    std::string reason;
};

struct SupportMail
{
    std::string deliveryId;
    std::string kind;
    bool isResend = false;
    values::WallTime queuedAt;
    std::optional<values::WallTime> sentAt;
};

/// IDs that are looked at for one reference of any form.
inline constexpr int kReferenceCandidatesMost = 1000;
/// Rows told of one action, of each kind.
inline constexpr int kSupportRowsMost = 200;

/// On a database of openShopDatabase(), which outlives it, on its thread. Calls that write belong to the open batch.
class SupportTables
{
public:
    template <class T> using Stored = values::Result<T, idempotency::StoreError>;

    explicit SupportTables(Database& database) : m_database(database) {}

    /// At most `limit`, newest first. `value` as it is stored; e-mails in lower case.
    [[nodiscard]] Stored<std::vector<SupportRow>> find(SupportColumn column, const std::string& value, int limit);
    /// Action IDs that are shown with this reference (upper case, no dash), of whatever form. It reads all IDs, so it is for
    /// shops that take keys of any form; of a UUIDv7 find() does it by an index.
    [[nodiscard]] Stored<std::vector<std::string>> idsByReference(const std::string& shown);
    /// Payments of the same e-mail and amount within `span` before or after, under other IDs; at most `limit`, newest first.
    [[nodiscard]] Stored<std::vector<SupportRow>> neighbours(const SupportRow& row, std::chrono::milliseconds span, int limit);
    /// The action that holds this one's cart with an open or paid order; none, or itself: empty.
    [[nodiscard]] Stored<std::optional<values::ActionId>> otherHolder(const SupportRow& row);
    /// In the order they were queued.
    [[nodiscard]] Stored<std::vector<SupportMail>> mails(const std::string& account, const values::ActionId& id);

    [[nodiscard]] Stored<void> audit(const AuditRow& row);
    /// What staff did to an action, oldest first; looking is not told.
    [[nodiscard]] Stored<std::vector<AuditRow>> deeds(const std::string& account, const values::ActionId& id);

    /// The reconciler asks about an open record in its next round.
    [[nodiscard]] Stored<void> askSoon(const std::string& account, const values::ActionId& id);
    /// The order of a record that has ended becomes paid by this charge, with its receipt; open tasks about it are closed. It
    /// still tells how the record ended. False: it is paid already, or there is none.
    [[nodiscard]] Stored<bool> finishOrder(const SupportRow& row, const std::string& chargeId, values::WallTime now);
    /// In the order they came.
    [[nodiscard]] Stored<std::vector<SupportEvent>> events(const values::BankKey& key);

private:
    [[nodiscard]] Stored<std::vector<SupportRow>> rowsOf(const QString& sql, const QVariantList& values);
    [[nodiscard]] Stored<std::int64_t> change(const QString& sql, const QVariantList& values);

    Database& m_database;
};

/// The statements of find() that `column` needs, for their query plans.
[[nodiscard]] QStringList supportQueries(SupportColumn column);
/// The statement of neighbours().
[[nodiscard]] QString neighbourQuery();

} // namespace payonce::storage
