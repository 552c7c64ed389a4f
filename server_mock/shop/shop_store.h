// The shop's database as its writer thread sees it: key records and orders, and what stands beside them, in one batch.
#pragma once

#include "batch/batch_thread.h"
#include "storage/account_table.h"
#include "storage/action_lines.h"
#include "storage/database_clock.h"
#include "storage/mail_table.h"
#include "storage/server_ledger.h"
#include "storage/shop_tables.h"
#include "storage/support_tables.h"
#include "storage/webhook_tables.h"

#include <memory>
#include <string>

namespace payonce::shop {

using batch::Outcome;

/// The ids a shop keeps for ever.
struct ShopIds
{
    std::string serverId; ///< `srv_…`
    std::string bankId;   ///< of the bank it was first opened with
};

class ShopStore
{
public:
    /// Opens or creates it. A new shop takes `fresh` for ever; an older one keeps its own. Every batch sets `clock`, if there
    /// is one, by the database's; it outlives this.
    [[nodiscard]] static Outcome<std::unique_ptr<ShopStore>> open(const storage::Location& location,
                                                                  const idempotency::LedgerNumbers& numbers,
                                                                  const ShopIds& fresh,
                                                                  storage::DatabaseClock* clock = nullptr);

    [[nodiscard]] Outcome<void> beginBatch();
    [[nodiscard]] Outcome<void> commitBatch() { return m_ledger.commitBatch(); }

    /// As storage::Database.
    [[nodiscard]] batch::Failed whyUnsaved() const { return storage::whyUnsaved(*m_database); }

    [[nodiscard]] storage::ServerLedger& ledger() { return m_ledger; }
    [[nodiscard]] storage::ShopTables& tables() { return m_tables; }
    [[nodiscard]] storage::OutboxTable& outbox() { return m_outbox; }
    [[nodiscard]] storage::MailTable& mails() { return m_mails; }
    [[nodiscard]] storage::WebhookTables& webhooks() { return m_webhooks; }
    [[nodiscard]] storage::AccountTable& accounts() { return m_accounts; }
    [[nodiscard]] storage::SupportTables& support() { return m_support; }
    [[nodiscard]] storage::ActionLines& actionLines() { return m_actionLines; }
    [[nodiscard]] const ShopIds& ids() const { return m_ids; }
    /// Other servers may work on it too.
    [[nodiscard]] bool isShared() const { return m_sharing == Sharing::Shared; }

private:
    enum class Sharing { Alone, Shared };

    ShopStore(std::unique_ptr<storage::Database> database, Sharing sharing, const idempotency::LedgerNumbers& numbers,
              storage::DatabaseClock* clock);
    [[nodiscard]] Outcome<void> readIds(const ShopIds& fresh);

    std::unique_ptr<storage::Database> m_database;
    Sharing m_sharing;
    storage::ServerLedger m_ledger;
    storage::ShopTables m_tables;
    storage::OutboxTable m_outbox;
    storage::MailTable m_mails;
    storage::WebhookTables m_webhooks;
    storage::AccountTable m_accounts;
    storage::SupportTables m_support;
    storage::ActionLines m_actionLines;
    storage::DatabaseClock* m_clock;
    ShopIds m_ids;
};

/// The one thread that writes the shop's database.
using LedgerWriter = batch::BatchThread<ShopStore>;

} // namespace payonce::shop
