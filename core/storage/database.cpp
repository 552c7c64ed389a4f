#include "storage/database.h"

#include "storage/transaction.h"
#include "values/check.h"

#include <QtCore/QFile>
#include <QtCore/QFileInfo>
#include <QtSql/QSqlError>
#include <QtSql/QSqlRecord>

#include <fcntl.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <utility>

namespace payonce::storage {

using values::Failure;
using values::Result;

namespace {

/// Files up to this size are read through at opening (PRAGMA quick_check); larger ones would delay the start.
constexpr qint64 kCheckedWhole = 16LL * 1024 * 1024;

QString freshConnectionName()
{
    static std::atomic<quint64> count{0};
    return QStringLiteral("payonce-%1").arg(++count);
}

StorageError errorFromErrno(int number)
{
    switch (number) {
    case EACCES:
    case EPERM:
    case EROFS: return StorageError::ReadOnly;
    case ENOSPC:
    case EDQUOT: return StorageError::DiskFull;
    default: return StorageError::Failed;
    }
}

/// Makes an empty file that only its owner can read; one that exists is left as it is.
Result<void, StorageError> createPrivately(const QString& path)
{
    constexpr mode_t kOwnerOnly = 0600;
    // NOLINTNEXTLINE(cppcoreguidelines-pro-type-vararg): POSIX open() is variadic.
    const int file = ::open(QFile::encodeName(path).constData(), O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, kOwnerOnly);
    if (file < 0 && errno != EEXIST)
        return Failure(errorFromErrno(errno));
    if (file >= 0)
        ::close(file);
    return {};
}

bool mayWriteTo(const QString& path)
{
    return ::faccessat(AT_FDCWD, QFile::encodeName(path).constData(), W_OK, AT_EACCESS) == 0;
}

/// SQLite would open such a file for reading and fail at the first save; say so at once. WAL also makes files beside it.
Result<void, StorageError> refuseReadOnly(const QString& path)
{
    const QFileInfo file(path);
    if (!file.isFile())
        return Failure(StorageError::Failed);
    if (!mayWriteTo(path) || !mayWriteTo(file.absolutePath()))
        return Failure(StorageError::ReadOnly);
    return {};
}

} // namespace

Result<std::unique_ptr<Database>, StorageError> Database::open(const QString& path, const Schema& schema,
                                                               const OpenOptions& options)
{
    CHECK(schema.applicationId != 0 && !schema.steps.isEmpty());
    if (const auto created = createPrivately(path); !created)
        return Failure(created.error());
    if (const auto writable = refuseReadOnly(path); !writable)
        return Failure(writable.error());
    std::unique_ptr<Database> database(new Database(freshConnectionName())); // NOLINT: the constructor is private
    if (const auto connected = database->connect(path, options); !connected)
        return Failure(connected.error());
    if (const auto ours = database->refuseForeignFile(path, schema); !ours)
        return Failure(ours.error());
    if (const auto durable = database->makeDurable(); !durable)
        return Failure(durable.error());
    if (const auto migrated = database->migrate(schema); !migrated)
        return Failure(migrated.error());
    return database;
}

Database::Database(const QString& connectionName)
    : m_connectionName(connectionName), m_connection(QSqlDatabase::addDatabase(QStringLiteral("QSQLITE"), connectionName))
{
}

Database::~Database()
{
    rollback();
    m_prepared.clear();
    m_connection.close();
    m_connection = QSqlDatabase();
    QSqlDatabase::removeDatabase(m_connectionName);
}

Result<void, StorageError> Database::connect(const QString& path, const OpenOptions& options)
{
    m_connection.setDatabaseName(path);
    m_connection.setConnectOptions(QStringLiteral("QSQLITE_BUSY_TIMEOUT=%1").arg(options.busyTime.count()));
    if (!m_connection.open())
        return Failure(errorFrom(m_connection.lastError()));
    return {};
}

Result<void, StorageError> Database::refuseForeignFile(const QString& path, const Schema& schema)
{
    const auto tables = readNumber(QStringLiteral("SELECT count(*) FROM sqlite_schema"));
    if (!tables)
        return Failure(tables.error());
    if (*tables == 0)
        return {}; // new, or its making was interrupted before the first step
    const auto applicationId = readNumber(QStringLiteral("PRAGMA application_id"));
    const auto version = readNumber(QStringLiteral("PRAGMA user_version"));
    if (!applicationId || !version)
        return Failure(!applicationId ? applicationId.error() : version.error());
    if (*applicationId != schema.applicationId || *version < 1)
        return Failure(StorageError::Damaged);
    if (*version > schema.steps.size())
        return Failure(StorageError::NewerVersion);
    if (QFileInfo(path).size() > kCheckedWhole)
        return {};
    const auto check = select(QStringLiteral("PRAGMA quick_check(1)"));
    if (!check)
        return Failure(check.error());
    if (check->size() != 1 || check->first().value(0).toString() != QLatin1String("ok"))
        return Failure(StorageError::Damaged);
    return {};
}

Result<void, StorageError> Database::makeDurable()
{
    const auto mode = select(QStringLiteral("PRAGMA journal_mode=WAL"));
    if (!mode)
        return Failure(mode.error());
    // A file system without shared memory keeps another mode: refuse, rather than be less safe than promised.
    if (mode->size() != 1 || mode->first().value(0).toString() != QLatin1String("wal"))
        return Failure(StorageError::Failed);
    if (const auto full = execute(QStringLiteral("PRAGMA synchronous=FULL")); !full)
        return Failure(full.error());
    return execute(QStringLiteral("PRAGMA foreign_keys=ON"));
}

Result<void, StorageError> Database::migrate(const Schema& schema)
{
    const auto version = readNumber(QStringLiteral("PRAGMA user_version"));
    if (!version)
        return Failure(version.error());
    for (auto step = static_cast<int>(*version); step < schema.steps.size(); ++step) {
        if (const auto done = runStep(schema, step); !done)
            return Failure(done.error());
    }
    return {};
}

Result<void, StorageError> Database::runStep(const Schema& schema, int version)
{
    const auto statements = readStep(schema.steps.at(version));
    if (!statements)
        return Failure(statements.error());
    auto transaction = Transaction::begin(*this);
    if (!transaction)
        return Failure(transaction.error());
    const auto present = readNumber(QStringLiteral("PRAGMA user_version"));
    if (!present)
        return Failure(present.error());
    if (*present > version)
        return {}; // another process was faster
    for (const QString& statement : *statements) {
        if (const auto done = execute(statement); !done)
            return Failure(done.error());
    }
    // PRAGMA takes no bound values; these are numbers of ours. Both are part of the transaction.
    if (const auto id = execute(QStringLiteral("PRAGMA application_id=%1").arg(schema.applicationId)); !id)
        return Failure(id.error());
    if (const auto done = execute(QStringLiteral("PRAGMA user_version=%1").arg(version + 1)); !done)
        return Failure(done.error());
    return transaction->commit();
}

Result<std::int64_t, StorageError> Database::readNumber(const QString& sql)
{
    const auto rows = select(sql);
    if (!rows)
        return Failure(rows.error());
    return rows->isEmpty() ? 0 : rows->first().value(0).toLongLong();
}

Result<Database::Prepared*, StorageError> Database::prepare(const QString& sql)
{
    const auto found = m_prepared.constFind(sql);
    if (found != m_prepared.constEnd())
        return found->get();
    auto prepared = std::make_shared<Prepared>(Prepared{QSqlQuery(m_connection), sql.count(QLatin1Char('?'))});
    prepared->query.setForwardOnly(true);
    if (!prepared->query.prepare(sql))
        return Failure(remembered(prepared->query.lastError()));
    m_prepared.insert(sql, prepared);
    return prepared.get();
}

Result<QSqlQuery*, StorageError> Database::run(const QString& sql, const QVariantList& bound)
{
    if (m_lost)
        return Failure(*m_lost);
    const auto prepared = prepare(sql);
    if (!prepared)
        return Failure(prepared.error());
    CHECK((*prepared)->places == bound.size());
    QSqlQuery& query = (*prepared)->query;
    for (int place = 0; place < bound.size(); ++place)
        query.bindValue(place, bound.at(place));
    if (query.exec())
        return &query;
    const StorageError error = remembered(query.lastError());
    query.finish();
    return Failure(error);
}

StorageError Database::remembered(const QSqlError& error)
{
    m_newestError = errorFrom(error);
    return m_newestError;
}

Result<Rows, StorageError> Database::select(const QString& sql, const QVariantList& bound)
{
    const auto query = run(sql, bound);
    if (!query)
        return Failure(query.error());
    Rows rows;
    const int columns = (*query)->record().count();
    while ((*query)->next()) {
        Row row;
        row.reserve(columns);
        for (int column = 0; column < columns; ++column)
            row.append((*query)->value(column));
        rows.append(row);
    }
    const QSqlError error = (*query)->lastError();
    (*query)->finish();
    if (error.type() != QSqlError::NoError)
        return Failure(remembered(error));
    return rows;
}

Result<std::int64_t, StorageError> Database::change(const QString& sql, const QVariantList& bound)
{
    const auto query = run(sql, bound);
    if (!query)
        return Failure(query.error());
    const std::int64_t changed = (*query)->numRowsAffected();
    (*query)->finish();
    return changed;
}

Result<void, StorageError> Database::execute(const QString& sql)
{
    if (m_lost)
        return Failure(*m_lost);
    QSqlQuery query(m_connection);
    if (!query.exec(sql))
        return Failure(errorFrom(query.lastError()));
    return {};
}

void Database::warmUp(const QStringList& statements)
{
    CHECK(!m_inTransaction);
    // The same value again is a write, too; and this one never changes, so nothing can come between.
    if (const auto id = readNumber(QStringLiteral("PRAGMA application_id")))
        static_cast<void>(execute(QStringLiteral("PRAGMA application_id=%1").arg(*id)));
    for (const QString& statement : statements)
        static_cast<void>(prepare(statement));
}

Result<void, StorageError> Database::begin()
{
    CHECK(!m_inTransaction);
    if (const auto begun = change(QStringLiteral("BEGIN IMMEDIATE")); !begun)
        return Failure(begun.error());
    m_inTransaction = true;
    return {};
}

Result<void, StorageError> Database::commit()
{
    CHECK(m_inTransaction);
    if (const auto committed = change(QStringLiteral("COMMIT")); !committed) {
        rollback();
        return Failure(committed.error());
    }
    m_inTransaction = false;
    return {};
}

void Database::rollback()
{
    if (!m_inTransaction)
        return;
    m_lost.reset();
    m_inTransaction = false;
    // Fails only where SQLite has rolled back by itself, which is what was wanted.
    static_cast<void>(change(QStringLiteral("ROLLBACK")));
}

Result<void, StorageError> Database::beginPart()
{
    CHECK(m_inTransaction);
    if (const auto begun = change(QStringLiteral("SAVEPOINT part")); !begun)
        return Failure(begun.error());
    return {};
}

Result<void, StorageError> Database::keepPart()
{
    CHECK(m_inTransaction);
    if (const auto kept = change(QStringLiteral("RELEASE part")); !kept)
        return Failure(kept.error());
    return {};
}

void Database::undoPart()
{
    CHECK(m_inTransaction);
    const StorageError cause = m_newestError;
    // Either fails only where SQLite has rolled the whole transaction back by itself.
    if (!change(QStringLiteral("ROLLBACK TO part")) || !change(QStringLiteral("RELEASE part")))
        m_lost = cause;
}

} // namespace payonce::storage
