// OutboxTable: mails that wait to be sent, written in the transaction of the fact they tell (docs/contract.md, Webhooks and
// mails).
#pragma once

#include "idempotency/ledger_store.h"
#include "storage/database.h"

#include <string>
#include <vector>

namespace payonce::storage {

enum class MailKind { Receipt, Welcome, AlreadyRegistered };

/// `receipt`, `welcome`, `already_registered`.
[[nodiscard]] const char* nameOf(MailKind kind);

/// A mail that a fact calls for.
struct NewMail
{
    MailKind kind = MailKind::Receipt;
    std::string fact; ///< `receipt:pay_…`: one mail each, for ever
    std::string account;
    values::ActionId action;
    std::string orderId; ///< empty where there is none
    std::string recipient;
};

/// The receipt of a payment. Whoever makes it paid asks for the same one, so that it is sent once.
[[nodiscard]] NewMail receiptOf(const std::string& paymentId, const std::string& account, const values::ActionId& action,
                                const std::string& orderId, const std::string& recipient);

/// For the transaction that makes the fact true; belongs to the caller's own part of it. A fact that has its mail gets no
/// other.
[[nodiscard]] values::Result<void, StorageError> putMail(Database& database, const NewMail& mail, values::WallTime now);

/// A mail that this server has taken to send.
struct OutboxMail
{
    std::string deliveryId; ///< the mail system knows one it has had
    std::string kind;
    std::string account;
    std::string actionId;
    std::string orderId;
    std::string recipient;
    int tries = 0; ///< with the one it was taken for
};

/// On a database of openShopDatabase(), which outlives it, on its thread. Every call belongs to the open batch.
class OutboxTable
{
public:
    template <class T> using Stored = values::Result<T, idempotency::StoreError>;

    explicit OutboxTable(Database& database) : m_database(database) {}

    /// At most `limit` mails that are due, the longest waiting first. Nobody else gets them until `now + lease`, also on
    /// another server of the same database.
    [[nodiscard]] Stored<std::vector<OutboxMail>> takeDue(values::WallTime now, std::chrono::milliseconds lease, int limit);
    [[nodiscard]] Stored<void> markSent(const OutboxMail& mail, values::WallTime now);
    /// The try failed; the next one is not before `next`.
    [[nodiscard]] Stored<void> tryLater(const OutboxMail& mail, values::WallTime next);

    /// Somebody wants the receipt of an action sent once more, under a delivery id of its own. False: it has none.
    [[nodiscard]] Stored<bool> resendReceipt(const std::string& account, const values::ActionId& action,
                                             const std::string& deliveryId, values::WallTime now);
    /// Mails that are not known to have arrived.
    [[nodiscard]] Stored<std::int64_t> waitingCount();
    /// Mails that nobody marked as sent; counts no further than `most`.
    [[nodiscard]] Stored<std::int64_t> unsentCount(std::int64_t most);

private:
    Database& m_database;
};

} // namespace payonce::storage
