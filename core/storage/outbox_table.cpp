#include "storage/outbox_table.h"

#include "idempotency/delivery_schedule.h"
#include "storage/binding.h"
#include "storage/server_ledger.h"
#include "storage/undoable.h"
#include "values/check.h"

namespace payonce::storage {

using idempotency::StoreError;
using values::Failure;
using values::Result;
using values::WallTime;

namespace {

OutboxMail mailOf(const Row& row)
{
    enum { DeliveryId, Kind, Account, ActionId, OrderId, Recipient, Tries };
    return {textOf(row.at(DeliveryId)), textOf(row.at(Kind)),      textOf(row.at(Account)), textOf(row.at(ActionId)),
            textOf(row.at(OrderId)),    textOf(row.at(Recipient)), row.at(Tries).toInt()};
}

} // namespace

const char* nameOf(MailKind kind)
{
    switch (kind) {
    case MailKind::Receipt: return "receipt";
    case MailKind::Welcome: return "welcome";
    case MailKind::AlreadyRegistered: return "already_registered";
    }
    return "";
}

NewMail receiptOf(const std::string& paymentId, const std::string& account, const values::ActionId& action,
                  const std::string& orderId, const std::string& recipient)
{
    return {MailKind::Receipt, "receipt:" + paymentId, account, action, orderId, recipient};
}

Result<void, StorageError> putMail(Database& database, const NewMail& mail, WallTime now)
{
    // The first delivery of a fact is named after it, so that even two writers could only write it once.
    return done(database.change(
        QStringLiteral("INSERT INTO outbox (delivery_id, kind, fact, resend, account, action_id, order_id, recipient, "
                       "created_at, tries, next_try_at) VALUES (?, ?, ?, 0, ?, ?, ?, ?, ?, 0, ?) ON CONFLICT DO NOTHING"),
        {bound("dlv_" + mail.fact), bound(std::string_view(nameOf(mail.kind))), bound(mail.fact), bound(mail.account),
         bound(mail.action), bound(mail.orderId), bound(mail.recipient), bound(now), bound(now)}));
}

Result<std::vector<OutboxMail>, StoreError> OutboxTable::takeDue(WallTime now, std::chrono::milliseconds lease, int limit)
{
    CHECK(limit >= 0);
    const auto work = [&]() -> Result<std::vector<OutboxMail>, StorageError> {
        const auto rows = m_database.select(
            QStringLiteral("SELECT delivery_id, kind, account, action_id, order_id, recipient, tries FROM outbox WHERE sent_at "
                           "IS NULL AND (next_try_at <= ? OR next_try_at > ?) ORDER BY next_try_at, delivery_id LIMIT ?"),
            {bound(now), bound(now + idempotency::kPlanAheadMost), bound(std::int64_t{limit})});
        if (!rows)
            return Failure(rows.error());
        std::vector<OutboxMail> taken;
        for (const Row& row : *rows) {
            OutboxMail mail = mailOf(row);
            // Another server may have taken it since it was read: whoever counts the try up has it.
            const auto changed =
                m_database.change(QStringLiteral("UPDATE outbox SET tries = tries + 1, next_try_at = ? WHERE delivery_id = ? "
                                                 "AND tries = ? AND sent_at IS NULL"),
                                  {bound(now + lease), bound(mail.deliveryId), bound(std::int64_t{mail.tries})});
            if (!changed)
                return Failure(changed.error());
            ++mail.tries;
            if (*changed == 1)
                taken.push_back(std::move(mail));
        }
        return taken;
    };
    return undoable(m_database, work).map_error(toStoreError);
}

Result<void, StoreError> OutboxTable::markSent(const OutboxMail& mail, WallTime now)
{
    const auto work = [&] {
        return done(m_database.change(QStringLiteral("UPDATE outbox SET sent_at = ? WHERE delivery_id = ? AND sent_at IS NULL"),
                                      {bound(now), bound(mail.deliveryId)}));
    };
    return undoable(m_database, work).map_error(toStoreError);
}

Result<void, StoreError> OutboxTable::tryLater(const OutboxMail& mail, WallTime next)
{
    const auto work = [&] {
        return done(m_database.change(
            QStringLiteral("UPDATE outbox SET next_try_at = ? WHERE delivery_id = ? AND tries = ? AND sent_at IS NULL"),
            {bound(next), bound(mail.deliveryId), bound(std::int64_t{mail.tries})}));
    };
    return undoable(m_database, work).map_error(toStoreError);
}

Result<bool, StoreError> OutboxTable::resendReceipt(const std::string& account, const values::ActionId& action,
                                                    const std::string& deliveryId, WallTime now)
{
    const auto work = [&]() -> Result<bool, StorageError> {
        const auto added = m_database.change(
            QStringLiteral("INSERT INTO outbox (delivery_id, kind, fact, resend, account, action_id, order_id, recipient, "
                           "created_at, tries, next_try_at) SELECT ?, kind, fact, 1, account, action_id, order_id, recipient, "
                           "?, 0, ? FROM outbox WHERE account = ? AND action_id = ? AND kind = 'receipt' AND resend = 0"),
            {bound(deliveryId), bound(now), bound(now), bound(account), bound(action)});
        if (!added)
            return Failure(added.error());
        return *added == 1;
    };
    return undoable(m_database, work).map_error(toStoreError);
}

Result<std::int64_t, StoreError> OutboxTable::waitingCount()
{
    // One that arrived may still wait to be marked as sent.
    const auto rows = m_database.select(
        QStringLiteral("SELECT count(*) FROM outbox AS o WHERE o.sent_at IS NULL AND NOT EXISTS (SELECT 1 FROM mails AS m "
                       "WHERE m.delivery_id = o.delivery_id)"));
    if (!rows)
        return Failure(toStoreError(rows.error()));
    return numberOf(rows->first().first());
}

Result<std::int64_t, StoreError> OutboxTable::unsentCount(std::int64_t most)
{
    const auto rows = m_database.select(
        QStringLiteral("SELECT count(*) FROM (SELECT 1 FROM outbox WHERE sent_at IS NULL LIMIT ?) AS unsent"), {bound(most)});
    if (!rows)
        return Failure(toStoreError(rows.error()));
    return numberOf(rows->first().first());
}

} // namespace payonce::storage
