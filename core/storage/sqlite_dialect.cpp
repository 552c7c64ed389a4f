#include "storage/sqlite_dialect.h"

#include "storage/database.h"
#include "values/check.h"

#include <QtCore/QFile>
#include <QtCore/QFileInfo>

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>

namespace payonce::storage {

using values::Failure;
using values::Result;

namespace {

/// Files up to this size are read through at opening (PRAGMA quick_check); larger ones would delay the start.
constexpr qint64 kCheckedWhole = 16LL * 1024 * 1024;

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

Result<void, StorageError> SqliteDialect::connect(QSqlDatabase& connection)
{
    if (const auto created = createPrivately(m_path); !created)
        return Failure(created.error());
    if (const auto writable = refuseReadOnly(m_path); !writable)
        return Failure(writable.error());
    connection.setDatabaseName(m_path);
    connection.setConnectOptions(QStringLiteral("QSQLITE_BUSY_TIMEOUT=%1").arg(m_options.busyTime.count()));
    if (!connection.open())
        return Failure(errorOf(connection.lastError()));
    return {};
}

Result<void, StorageError> SqliteDialect::admit(Database& database, const Schema& schema)
{
    if (const auto ours = refuseForeign(database, schema); !ours)
        return ours;
    return makeDurable(database);
}

Result<void, StorageError> SqliteDialect::refuseForeign(Database& database, const Schema& schema)
{
    const auto tables = database.readNumber(QStringLiteral("SELECT count(*) FROM sqlite_schema"));
    if (!tables)
        return Failure(tables.error());
    if (*tables == 0)
        return {}; // new, or its making was interrupted before the first step
    const auto applicationId = database.readNumber(QStringLiteral("PRAGMA application_id"));
    const auto done = version(database);
    if (!applicationId || !done)
        return Failure(!applicationId ? applicationId.error() : done.error());
    if (*applicationId != schema.applicationId || *done < 1)
        return Failure(StorageError::Damaged);
    if (*done > schema.steps.size())
        return Failure(StorageError::NewerVersion);
    if (QFileInfo(m_path).size() > kCheckedWhole)
        return {};
    const auto check = database.select(QStringLiteral("PRAGMA quick_check(1)"));
    if (!check)
        return Failure(check.error());
    if (check->size() != 1 || check->first().value(0).toString() != QLatin1String("ok"))
        return Failure(StorageError::Damaged);
    return {};
}

Result<void, StorageError> SqliteDialect::makeDurable(Database& database)
{
    const auto mode = database.select(QStringLiteral("PRAGMA journal_mode=WAL"));
    if (!mode)
        return Failure(mode.error());
    // A file system without shared memory keeps another mode: refuse, rather than be less safe than promised.
    if (mode->size() != 1 || mode->first().value(0).toString() != QLatin1String("wal"))
        return Failure(StorageError::Failed);
    if (const auto full = database.execute(QStringLiteral("PRAGMA synchronous=FULL")); !full)
        return Failure(full.error());
    // What undoes a part of a transaction then needs no file, so a claim works while no file can be opened.
    if (const auto memory = database.execute(QStringLiteral("PRAGMA temp_store=MEMORY")); !memory)
        return Failure(memory.error());
    return database.execute(QStringLiteral("PRAGMA foreign_keys=ON"));
}

Result<std::int64_t, StorageError> SqliteDialect::version(Database& database)
{
    return database.readNumber(QStringLiteral("PRAGMA user_version"));
}

// PRAGMA takes no bound values; these are numbers of ours. Both are part of the transaction.
Result<void, StorageError> SqliteDialect::markVersion(Database& database, std::int32_t applicationId, int version)
{
    if (const auto id = database.execute(QStringLiteral("PRAGMA application_id=%1").arg(applicationId)); !id)
        return Failure(id.error());
    return database.execute(QStringLiteral("PRAGMA user_version=%1").arg(version));
}

Result<SqliteDialect::Prepared*, QSqlError> SqliteDialect::prepared(QSqlDatabase& connection, const QString& sql)
{
    const auto found = m_prepared.constFind(sql);
    if (found != m_prepared.constEnd())
        return found->get();
    auto fresh = std::make_shared<Prepared>(Prepared{QSqlQuery(connection), sql.count(QLatin1Char('?'))});
    fresh->query.setForwardOnly(true);
    if (!fresh->query.prepare(sql))
        return Failure(fresh->query.lastError());
    m_prepared.insert(sql, fresh);
    return fresh.get();
}

void SqliteDialect::prepare(QSqlDatabase& connection, const QString& sql)
{
    static_cast<void>(prepared(connection, sql));
}

Dialect::Ran SqliteDialect::run(QSqlDatabase& connection, const QString& sql, const QVariantList& bound)
{
    const auto kept = prepared(connection, sql);
    if (!kept)
        return Failure(kept.error());
    CHECK((*kept)->places == bound.size());
    QSqlQuery& query = (*kept)->query;
    for (int place = 0; place < bound.size(); ++place)
        query.bindValue(place, bound.at(place));
    if (query.exec())
        return &query;
    const QSqlError error = query.lastError();
    query.finish();
    return Failure(error);
}

// The same value again is a write, too; and this one never changes, so nothing can come between.
void SqliteDialect::warmUp(Database& database)
{
    if (const auto id = database.readNumber(QStringLiteral("PRAGMA application_id")))
        static_cast<void>(database.execute(QStringLiteral("PRAGMA application_id=%1").arg(*id)));
}

// Waits for the write lock now, not in the middle.
QStringList SqliteDialect::beginning() const
{
    return {QStringLiteral("BEGIN IMMEDIATE")};
}

StorageError SqliteDialect::errorOf(const QSqlError& error) const
{
    bool isNumber = false;
    const int code = error.nativeErrorCode().toInt(&isNumber);
    return isNumber ? errorFromSqlite(code) : StorageError::Failed;
}

Result<std::optional<values::WallTime>, StorageError> SqliteDialect::readClock(Database&)
{
    return std::optional<values::WallTime>();
}

} // namespace payonce::storage
