// Dialect: how one engine is opened and spoken to. What the engines have in common is in Database.
#pragma once

#include "storage/schema.h"
#include "storage/storage_error.h"
#include "values/result.h"
#include "values/time.h"

#include <QtCore/QStringList>
#include <QtCore/QVariant>
#include <QtSql/QSqlDatabase>
#include <QtSql/QSqlError>
#include <QtSql/QSqlQuery>

#include <chrono>
#include <cstdint>
#include <optional>

namespace payonce::storage {

class Database;

struct OpenOptions
{
    std::chrono::milliseconds busyTime{5000}; ///< how long a statement waits for another one's lock
};

/// What a failing statement takes with it besides itself.
enum class FailureTakes { Itself, TheTransaction };

/// Keeps the prepared statements of one connection, which outlives it.
class Dialect
{
public:
    template <class T> using Stored = values::Result<T, StorageError>;
    using Ran = values::Result<QSqlQuery*, QSqlError>;

    Dialect() = default;
    Dialect(const Dialect&) = delete;
    Dialect& operator=(const Dialect&) = delete;
    Dialect(Dialect&&) = delete;
    Dialect& operator=(Dialect&&) = delete;
    virtual ~Dialect() = default;

    /// Opens the connection, anew if it was open before.
    [[nodiscard]] virtual Stored<void> connect(QSqlDatabase& connection) = 0;
    /// Refuses what is not ours without touching it, then makes sure of the durability this project relies on.
    [[nodiscard]] virtual Stored<void> admit(Database& database, const Schema& schema) = 0;
    /// How many steps of the schema are done; 0: none.
    [[nodiscard]] virtual Stored<std::int64_t> version(Database& database) = 0;
    /// Part of the transaction that did the step.
    [[nodiscard]] virtual Stored<void> markVersion(Database& database, std::int32_t applicationId, int version) = 0;
    /// A statement of a step file, which is written for SQLite.
    [[nodiscard]] virtual QString definition(const QString& statement) const = 0;

    /// The statement with its bound values (plain `?`); prepared at the first time and kept.
    [[nodiscard]] virtual Ran run(QSqlDatabase& connection, const QString& sql, const QVariantList& bound) = 0;
    /// Only prepares it, best effort.
    virtual void prepare(QSqlDatabase& connection, const QString& sql) = 0;
    /// BEGIN, COMMIT, SAVEPOINT and the like.
    [[nodiscard]] virtual Ran control(QSqlDatabase& connection, const QString& sql) = 0;
    virtual void forgetStatements() = 0;
    /// Prepares the engine for the first write, best effort; changes nothing.
    virtual void warmUp(Database& database) = 0;

    /// Begins a transaction, and waits until it is the only one that writes.
    [[nodiscard]] virtual QStringList beginning() const = 0;
    [[nodiscard]] virtual FailureTakes failureTakes() const = 0;
    [[nodiscard]] virtual StorageError errorOf(const QSqlError& error) const = 0;
    /// The clock of the machine the database is on; empty: it is this one.
    [[nodiscard]] virtual Stored<std::optional<values::WallTime>> readClock(Database& database) = 0;
};

} // namespace payonce::storage
