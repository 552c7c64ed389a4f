// Transaction and Savepoint: undone unless they are ended on purpose.
#pragma once

#include "storage/database.h"

namespace payonce::storage {

/// Rolls back unless committed.
class Transaction
{
public:
    [[nodiscard]] static values::Result<Transaction, StorageError> begin(Database& database);
    Transaction(const Transaction&) = delete;
    Transaction& operator=(const Transaction&) = delete;
    Transaction(Transaction&& other) noexcept;
    Transaction& operator=(Transaction&&) = delete;
    ~Transaction();

    [[nodiscard]] values::Result<void, StorageError> commit();

private:
    explicit Transaction(Database& database) : m_database(&database) {}

    Database* m_database; // null once ended or moved from
};

/// A part of the open transaction that can be undone alone; undone unless released. One inside another belongs to it: it is
/// undone with the outer one, released or not.
class Savepoint
{
public:
    [[nodiscard]] static values::Result<Savepoint, StorageError> begin(Database& database);
    Savepoint(const Savepoint&) = delete;
    Savepoint& operator=(const Savepoint&) = delete;
    Savepoint(Savepoint&& other) noexcept;
    Savepoint& operator=(Savepoint&&) = delete;
    ~Savepoint();

    [[nodiscard]] values::Result<void, StorageError> release();

private:
    explicit Savepoint(Database& database) : m_database(&database) {}

    Database* m_database; // null once ended or moved from
};

} // namespace payonce::storage
