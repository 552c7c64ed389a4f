// Database: one connection to SQLite or PostgreSQL, with the durability this project relies on.
#pragma once

#include "storage/dialect.h"
#include "storage/location.h"
#include "storage/schema.h"
#include "storage/storage_error.h"
#include "values/result.h"

#include <QtCore/QList>
#include <QtCore/QString>
#include <QtCore/QVariant>
#include <QtSql/QSqlDatabase>

#include <cstdint>
#include <memory>
#include <optional>

namespace payonce::storage {

/// Changed, and how many rows it was does not matter.
template <class Error> [[nodiscard]] values::Result<void, Error> done(const values::Result<std::int64_t, Error>& changed)
{
    return changed.map([](std::int64_t) {});
}

using Row = QVariantList;
using Rows = QList<Row>;

/// SQLite: WAL, synchronous=FULL, foreign keys on. PostgreSQL: synchronous_commit at least on. So a commit that returned is
/// durable. One transaction writes at a time, in the whole database and over all its servers, so whatever a transaction reads
/// stays true until it ends. Bound values only (plain `?`), in the SQL that both engines know. Used and destroyed on the thread
/// that opened it. Statements are prepared once and kept; pass literals, so that their number is bounded.
///
/// A failing statement may take the whole transaction with it (SQLite: a full disk; PostgreSQL: outside a part always). From
/// then on everything up to commit() or rollback() fails, so that no half of a transaction is ever committed.
///
/// A connection to PostgreSQL that breaks is made anew at the next begin().
class Database
{
public:
    /// A file is created with mode 0600 where it is missing (its directory must exist); a database of PostgreSQL must exist.
    /// Checks that it is ours and whole before anything is written, and brings its schema up to date, each step in one
    /// transaction.
    [[nodiscard]] static values::Result<std::unique_ptr<Database>, StorageError>
    open(const Location& location, const Schema& schema, const OpenOptions& options = {});
    Database(const Database&) = delete;
    Database& operator=(const Database&) = delete;
    Database(Database&&) = delete;
    Database& operator=(Database&&) = delete;
    ~Database();

    /// Reads all rows; say LIMIT where a table grows.
    [[nodiscard]] values::Result<Rows, StorageError> select(const QString& sql, const QVariantList& bound = {});
    /// The first column of the first row; 0 where there is none.
    [[nodiscard]] values::Result<std::int64_t, StorageError> readNumber(const QString& sql);
    /// INSERT, UPDATE or DELETE. Returns how many rows it changed.
    [[nodiscard]] values::Result<std::int64_t, StorageError> change(const QString& sql, const QVariantList& bound = {});
    /// One statement that is not worth keeping prepared: DDL, PRAGMA, SET.
    [[nodiscard]] values::Result<void, StorageError> execute(const QString& sql);

    /// For the start of a program, best effort: makes SQLite's write-ahead log, for which the first write after opening pays
    /// two more syncs, and prepares `statements`, so that a person's first save waits for neither. Changes nothing. Not in a
    /// transaction.
    void warmUp(const QStringList& statements);

    /// Waits until no other transaction writes, now, not in the middle. Not nested.
    [[nodiscard]] values::Result<void, StorageError> begin();
    /// Durable when it returned without error. On failure everything since begin() is rolled back; only if the connection to
    /// PostgreSQL broke (`Lost`) may it be durable after all.
    [[nodiscard]] values::Result<void, StorageError> commit();
    void rollback();
    [[nodiscard]] bool inTransaction() const { return m_inTransaction; }
    /// Why the newest transaction with something to save could not be saved; empty: it was, or there was none so far.
    [[nodiscard]] std::optional<StorageError> whyUnsaved() const { return m_whyUnsaved; }

    /// A part of the open transaction that can be undone alone (use Savepoint). The newest open one, where they are nested.
    [[nodiscard]] values::Result<void, StorageError> beginPart();
    [[nodiscard]] values::Result<void, StorageError> keepPart();
    void undoPart();

    /// The clock of the machine the database is on; empty: it is this one.
    [[nodiscard]] values::Result<std::optional<values::WallTime>, StorageError> readClock();

private:
    template <class T> using Stored = values::Result<T, StorageError>;

    explicit Database(std::unique_ptr<Dialect> dialect, const QString& driver);

    [[nodiscard]] Stored<void> connect();
    [[nodiscard]] Stored<void> migrate(const Schema& schema);
    [[nodiscard]] Stored<void> runStep(const Schema& schema, int version);
    [[nodiscard]] Stored<QSqlQuery*> run(const QString& sql, const QVariantList& bound);
    [[nodiscard]] Stored<void> control(const QString& sql);
    [[nodiscard]] Stored<void> beginOnce();
    [[nodiscard]] StorageError remembered(const QSqlError& error);
    void noteSaved();

    QString m_connectionName;
    QSqlDatabase m_connection;
    std::unique_ptr<Dialect> m_dialect;
    bool m_isConnected = false;
    bool m_inTransaction = false;
    bool m_hasChanged = false; ///< in the newest transaction a row was changed
    bool m_hasFailed = false;  ///< in it something failed that no rule of the schema forbids
    int m_parts = 0;           ///< open ones, one in the other
    StorageError m_newestError = StorageError::Failed;
    std::optional<StorageError> m_lost; ///< why the open transaction is gone
    std::optional<StorageError> m_whyUnsaved;
};

} // namespace payonce::storage
