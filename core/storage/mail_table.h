// MailTable: the mail system of this program, which is the outside world: what arrived there.
#pragma once

#include "storage/outbox_table.h"

namespace payonce::storage {

struct ArrivedMail
{
    std::string kind;
    std::string recipient;
    std::string actionId;
    std::string orderId; ///< empty where there is none
    values::WallTime at;
};

/// As OutboxTable.
class MailTable
{
public:
    template <class T> using Stored = values::Result<T, idempotency::StoreError>;

    explicit MailTable(Database& database) : m_database(database) {}

    /// A delivery id that arrived before does not arrive again.
    [[nodiscard]] Stored<void> deliver(const OutboxMail& mail, values::WallTime now);
    /// Newest first.
    [[nodiscard]] Stored<std::vector<ArrivedMail>> newest(int limit);

private:
    Database& m_database;
};

} // namespace payonce::storage
