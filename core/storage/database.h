// Database: one SQLite connection with the durability this project relies on.
#pragma once

#include "storage/schema.h"
#include "storage/storage_error.h"
#include "values/result.h"

#include <QtCore/QHash>
#include <QtCore/QList>
#include <QtCore/QString>
#include <QtCore/QVariant>
#include <QtSql/QSqlDatabase>
#include <QtSql/QSqlQuery>

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>

namespace payonce::storage {

struct OpenOptions
{
    std::chrono::milliseconds busyTime{5000}; ///< how long a statement waits for another process's lock
};

using Row = QVariantList;
using Rows = QList<Row>;

/// WAL, synchronous=FULL (a commit that returned is durable), foreign keys on. Bound values only (plain `?`). Used and
/// destroyed on the thread that opened it. Statements are prepared once and kept; pass literals, so that their number is
/// bounded.
///
/// A failing statement may make SQLite roll back the whole transaction (a full disk does); undoPart notices, and from
/// then on everything up to commit() or rollback() fails, so that no half of a transaction is ever committed.
class Database
{
public:
    /// Creates the file with mode 0600 where it is missing (its directory must exist), checks that it is ours and
    /// whole before anything is written, and brings its schema up to date, each step in one transaction.
    [[nodiscard]] static values::Result<std::unique_ptr<Database>, StorageError> open(const QString& path, const Schema& schema,
                                                                                      const OpenOptions& options = {});
    Database(const Database&) = delete;
    Database& operator=(const Database&) = delete;
    Database(Database&&) = delete;
    Database& operator=(Database&&) = delete;
    ~Database();

    /// Reads all rows; say LIMIT where a table grows.
    [[nodiscard]] values::Result<Rows, StorageError> select(const QString& sql, const QVariantList& bound = {});
    /// INSERT, UPDATE or DELETE. Returns how many rows it changed.
    [[nodiscard]] values::Result<std::int64_t, StorageError> change(const QString& sql, const QVariantList& bound = {});
    /// One statement that is not worth keeping prepared: DDL, PRAGMA.
    [[nodiscard]] values::Result<void, StorageError> execute(const QString& sql);

    /// For the start of a program, best effort: makes the write-ahead log, for which the first write after opening pays two
    /// more syncs, and prepares `statements`, so that a person's first save waits for neither. Changes nothing. Not in a
    /// transaction.
    void warmUp(const QStringList& statements);

    /// BEGIN IMMEDIATE: waits for the write lock now, not in the middle. Not nested.
    [[nodiscard]] values::Result<void, StorageError> begin();
    /// Durable when it returned without error. On failure everything since begin() is rolled back.
    [[nodiscard]] values::Result<void, StorageError> commit();
    void rollback();
    [[nodiscard]] bool inTransaction() const { return m_inTransaction; }

    /// A part of the open transaction that can be undone alone (use Savepoint). The newest open one, where they are nested.
    [[nodiscard]] values::Result<void, StorageError> beginPart();
    [[nodiscard]] values::Result<void, StorageError> keepPart();
    void undoPart();

private:
    struct Prepared
    {
        QSqlQuery query;
        qsizetype places = 0; ///< how many `?`
    };

    explicit Database(const QString& connectionName);

    [[nodiscard]] values::Result<void, StorageError> connect(const QString& path, const OpenOptions& options);
    [[nodiscard]] values::Result<void, StorageError> refuseForeignFile(const QString& path, const Schema& schema);
    [[nodiscard]] values::Result<void, StorageError> makeDurable();
    [[nodiscard]] values::Result<void, StorageError> migrate(const Schema& schema);
    [[nodiscard]] values::Result<void, StorageError> runStep(const Schema& schema, int version);
    [[nodiscard]] values::Result<std::int64_t, StorageError> readNumber(const QString& sql);
    [[nodiscard]] values::Result<Prepared*, StorageError> prepare(const QString& sql);
    [[nodiscard]] StorageError remembered(const QSqlError& error);
    [[nodiscard]] values::Result<QSqlQuery*, StorageError> run(const QString& sql, const QVariantList& bound);

    QString m_connectionName;
    QSqlDatabase m_connection;
    QHash<QString, std::shared_ptr<Prepared>> m_prepared;
    bool m_inTransaction = false;
    StorageError m_newestError = StorageError::Failed;
    std::optional<StorageError> m_lost; ///< why the open transaction is gone
};

} // namespace payonce::storage
