// ShopDatabase: the shop's database of a test, on one connection; it can crash.
#pragma once

#include "storage/server_ledger.h"
#include "storage/shop_tables.h"

#include "core/idempotency/ledger_samples.h"
#include "core/storage/shop_place.h"

#include <QtCore/QTemporaryDir>

namespace payonce::tests {

class ShopDatabase
{
public:
    /// In a place of its own (shop_place.h).
    explicit ShopDatabase(const idempotency::LedgerNumbers& numbers = {}) : ShopDatabase(numbers, QString()) {}
    explicit ShopDatabase(const idempotency::LedgerNumbers& numbers, const storage::Location& place,
                          const storage::OpenOptions& options = {})
        : m_numbers(numbers), m_options(options), m_place(place)
    {
        if (!m_place.isPostgres() && m_place.file().isEmpty())
            m_place = freshPlace(m_directory);
        start();
    }

    [[nodiscard]] const storage::Location& place() const { return m_place; }
    [[nodiscard]] storage::Database& database() { return *m_database; }
    [[nodiscard]] storage::ServerLedger& ledger() { return *m_ledger; }
    [[nodiscard]] storage::ShopTables& tables() { return *m_tables; }
    /// The connection ends as a killed process's does: an open transaction is not committed.
    void crash()
    {
        m_database.reset();
        start();
    }

private:
    void start()
    {
        auto database = storage::openShopDatabase(m_place, m_options);
        if (!database)
            qFatal("cannot open: %d", static_cast<int>(database.error()));
        m_database = *std::move(database);
        m_ledger = std::make_unique<storage::ServerLedger>(*m_database, samples::renderAnswer, m_numbers);
        m_tables = std::make_unique<storage::ShopTables>(*m_database);
    }

    QTemporaryDir m_directory;
    idempotency::LedgerNumbers m_numbers;
    storage::OpenOptions m_options;
    storage::Location m_place;
    std::unique_ptr<storage::Database> m_database;
    std::unique_ptr<storage::ServerLedger> m_ledger;
    std::unique_ptr<storage::ShopTables> m_tables;
};

} // namespace payonce::tests
