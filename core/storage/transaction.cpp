#include "storage/transaction.h"

#include "values/check.h"

#include <utility>

namespace payonce::storage {

using values::Failure;
using values::Result;

Result<Transaction, StorageError> Transaction::begin(Database& database)
{
    if (const auto begun = database.begin(); !begun)
        return Failure(begun.error());
    return Transaction(database);
}

Transaction::Transaction(Transaction&& other) noexcept : m_database(std::exchange(other.m_database, nullptr)) {}

Transaction::~Transaction()
{
    if (m_database != nullptr)
        m_database->rollback();
}

Result<void, StorageError> Transaction::commit()
{
    CHECK(m_database != nullptr);
    return std::exchange(m_database, nullptr)->commit();
}

Result<Savepoint, StorageError> Savepoint::begin(Database& database)
{
    if (const auto begun = database.beginPart(); !begun)
        return Failure(begun.error());
    return Savepoint(database);
}

Savepoint::Savepoint(Savepoint&& other) noexcept : m_database(std::exchange(other.m_database, nullptr)) {}

Savepoint::~Savepoint()
{
    if (m_database != nullptr)
        m_database->undoPart();
}

Result<void, StorageError> Savepoint::release()
{
    CHECK(m_database != nullptr);
    if (const auto kept = m_database->keepPart(); !kept)
        return Failure(kept.error());
    m_database = nullptr;
    return {};
}

} // namespace payonce::storage
