#include "shop/shop_store.h"

#include "protocol/answer.h"

#include <utility>

namespace payonce::shop {

ShopStore::ShopStore(std::unique_ptr<storage::Database> database, Sharing sharing, const idempotency::LedgerNumbers& numbers,
                     storage::DatabaseClock* clock)
    : m_database(std::move(database)),
      m_sharing(sharing),
      m_ledger(*m_database, protocol::renderStored, numbers),
      m_tables(*m_database),
      m_outbox(*m_database),
      m_mails(*m_database),
      m_webhooks(*m_database, m_ledger),
      m_accounts(*m_database),
      m_support(*m_database),
      m_actionLines(*m_database),
      m_clock(clock)
{
}

Outcome<std::unique_ptr<ShopStore>> ShopStore::open(const storage::Location& location,
                                                    const idempotency::LedgerNumbers& numbers, const ShopIds& fresh,
                                                    storage::DatabaseClock* clock)
{
    auto database = storage::openShopDatabase(location);
    if (!database)
        return values::Failure(storage::toStoreError(database.error()));
    const Sharing sharing = location.isPostgres() ? Sharing::Shared : Sharing::Alone; // a data directory has one server
    std::unique_ptr<ShopStore> store(new ShopStore(*std::move(database), sharing, numbers, clock));
    if (const auto read = store->readIds(fresh); !read)
        return values::Failure(read.error());
    return store;
}

Outcome<void> ShopStore::beginBatch()
{
    if (const auto begun = m_ledger.beginBatch(); !begun)
        return begun;
    if (m_clock == nullptr)
        return {};
    // In every batch: this machine's own clock lags behind after it stood still (a paused virtual machine), and nothing else
    // tells so. A server that believes in an old time would go on with leases that have lapsed.
    const auto time = m_database->readClock();
    if (!time) {
        m_database->rollback();
        return values::Failure(storage::toStoreError(time.error()));
    }
    m_clock->observe(*time);
    return {};
}

Outcome<void> ShopStore::readIds(const ShopIds& fresh)
{
    if (const auto begun = beginBatch(); !begun)
        return begun;
    auto serverId = m_tables.rememberOnce("server_id", fresh.serverId);
    auto bankId = m_tables.rememberOnce("bank_id", fresh.bankId);
    if (const auto committed = commitBatch(); !committed)
        return committed;
    if (!serverId || !bankId)
        return values::Failure(serverId ? bankId.error() : serverId.error());
    m_ids = {*std::move(serverId), *std::move(bankId)};
    return {};
}

} // namespace payonce::shop
