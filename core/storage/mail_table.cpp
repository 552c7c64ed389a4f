#include "storage/mail_table.h"

#include "storage/binding.h"
#include "storage/server_ledger.h"
#include "storage/undoable.h"
#include "values/check.h"

namespace payonce::storage {

using idempotency::StoreError;
using values::Failure;
using values::Result;

Result<void, StoreError> MailTable::deliver(const OutboxMail& mail, values::WallTime now)
{
    const auto work = [&]() -> Result<void, StorageError> {
        return done(m_database.change(
            QStringLiteral(
                "INSERT INTO mails (delivery_id, kind, recipient, action_id, order_id, at) VALUES (?, ?, ?, ?, ?, ?) "
                "ON CONFLICT DO NOTHING"),
            {bound(mail.deliveryId), bound(mail.kind), bound(mail.recipient), bound(mail.actionId), bound(mail.orderId),
             bound(now)}));
    };
    return undoable(m_database, work).map_error(toStoreError);
}

Result<std::vector<ArrivedMail>, StoreError> MailTable::newest(int limit)
{
    CHECK(limit >= 0);
    const auto rows = m_database.select(QStringLiteral("SELECT kind, recipient, action_id, order_id, at FROM mails "
                                                       "ORDER BY at DESC, delivery_id DESC LIMIT ?"),
                                        {bound(std::int64_t{limit})});
    if (!rows)
        return Failure(toStoreError(rows.error()));
    enum { Kind, Recipient, ActionId, OrderId, At };
    std::vector<ArrivedMail> mails;
    for (const Row& row : *rows)
        mails.push_back({textOf(row.at(Kind)), textOf(row.at(Recipient)), textOf(row.at(ActionId)), textOf(row.at(OrderId)),
                         timeOf(row.at(At))});
    return mails;
}

} // namespace payonce::storage
