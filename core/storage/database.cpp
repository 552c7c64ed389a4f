#include "storage/database.h"

#include "storage/postgres_dialect.h"
#include "storage/sqlite_dialect.h"
#include "storage/transaction.h"
#include "values/check.h"

#include <QtSql/QSqlRecord>

#include <atomic>
#include <utility>

namespace payonce::storage {

using values::Failure;
using values::Result;

namespace {

QString freshConnectionName()
{
    static std::atomic<quint64> count{0};
    return QStringLiteral("payonce-%1").arg(++count);
}

} // namespace

Result<std::unique_ptr<Database>, StorageError> Database::open(const Location& location, const Schema& schema,
                                                               const OpenOptions& options)
{
    CHECK(schema.applicationId != 0 && !schema.steps.isEmpty());
    std::unique_ptr<Database> database;
    if (location.isPostgres())
        database.reset(
            new Database(std::make_unique<PostgresDialect>(location, options, schema.applicationId), QStringLiteral("QPSQL")));
    else
        database.reset(new Database(std::make_unique<SqliteDialect>(location.file(), options), QStringLiteral("QSQLITE")));
    if (const auto connected = database->connect(); !connected)
        return Failure(connected.error());
    if (const auto ours = database->m_dialect->admit(*database, schema); !ours)
        return Failure(ours.error());
    if (const auto migrated = database->migrate(schema); !migrated)
        return Failure(migrated.error());
    return database;
}

Database::Database(std::unique_ptr<Dialect> dialect, const QString& driver)
    : m_connectionName(freshConnectionName()),
      m_connection(QSqlDatabase::addDatabase(driver, m_connectionName)),
      m_dialect(std::move(dialect))
{
}

Database::~Database()
{
    rollback();
    m_dialect->forgetStatements();
    m_connection.close();
    m_connection = QSqlDatabase();
    QSqlDatabase::removeDatabase(m_connectionName);
}

Result<void, StorageError> Database::connect()
{
    if (m_isConnected)
        return {};
    m_dialect->forgetStatements();
    if (const auto connected = m_dialect->connect(m_connection); !connected)
        return connected;
    m_isConnected = true;
    return {};
}

Result<void, StorageError> Database::migrate(const Schema& schema)
{
    const auto version = m_dialect->version(*this);
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
    const auto present = m_dialect->version(*this);
    if (!present)
        return Failure(present.error());
    if (*present > version)
        return {}; // another process was faster
    for (const QString& statement : *statements) {
        if (const auto done = execute(m_dialect->definition(statement)); !done)
            return Failure(done.error());
    }
    if (const auto marked = m_dialect->markVersion(*this, schema.applicationId, version + 1); !marked)
        return Failure(marked.error());
    return transaction->commit();
}

Result<std::int64_t, StorageError> Database::readNumber(const QString& sql)
{
    const auto rows = select(sql);
    if (!rows)
        return Failure(rows.error());
    return rows->isEmpty() ? 0 : rows->first().value(0).toLongLong();
}

Result<QSqlQuery*, StorageError> Database::run(const QString& sql, const QVariantList& bound)
{
    if (m_lost)
        return Failure(*m_lost);
    if (!m_inTransaction) {
        if (const auto connected = connect(); !connected)
            return Failure(connected.error());
    }
    const auto query = m_dialect->run(m_connection, sql, bound);
    if (!query)
        return Failure(remembered(query.error()));
    return *query;
}

Result<void, StorageError> Database::control(const QString& sql)
{
    if (m_lost)
        return Failure(*m_lost);
    const auto query = m_dialect->control(m_connection, sql);
    if (!query)
        return Failure(remembered(query.error()));
    (*query)->finish();
    return {};
}

StorageError Database::remembered(const QSqlError& error)
{
    m_newestError = m_dialect->errorOf(error);
    const bool isBroken = m_newestError == StorageError::Lost;
    if (isBroken)
        m_isConnected = false;
    const bool takesAll = isBroken || (m_dialect->failureTakes() == FailureTakes::TheTransaction && m_parts == 0);
    if (m_inTransaction && takesAll && !m_lost)
        m_lost = m_newestError;
    if (m_newestError != StorageError::Constraint && !std::exchange(m_hasFailed, true)) // later ones follow from the first
        m_whyUnsaved = m_newestError;
    return m_newestError;
}

// That nothing changed proves nothing of a disk; but a lock or a connection that had failed is there again.
void Database::noteSaved()
{
    const bool isHereAgain = m_whyUnsaved == StorageError::Locked || m_whyUnsaved == StorageError::Lost;
    if (!m_hasFailed && (m_hasChanged || isHereAgain))
        m_whyUnsaved.reset();
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
    m_hasChanged = m_hasChanged || changed > 0;
    return changed;
}

Result<void, StorageError> Database::execute(const QString& sql)
{
    if (m_lost)
        return Failure(*m_lost);
    QSqlQuery query(m_connection);
    if (!query.exec(sql))
        return Failure(remembered(query.lastError()));
    return {};
}

void Database::warmUp(const QStringList& statements)
{
    CHECK(!m_inTransaction);
    m_dialect->warmUp(*this);
    for (const QString& statement : statements)
        m_dialect->prepare(m_connection, statement);
}

Result<void, StorageError> Database::begin()
{
    CHECK(!m_inTransaction);
    const auto begun = beginOnce();
    // A connection that broke while nobody used it is nobody's business.
    return !begun && begun.error() == StorageError::Lost ? beginOnce() : begun;
}

Result<void, StorageError> Database::beginOnce()
{
    m_hasChanged = m_hasFailed = false;
    if (const auto connected = connect(); !connected) {
        m_whyUnsaved = connected.error();
        return connected;
    }
    const QStringList statements = m_dialect->beginning();
    for (const QString& statement : statements) {
        if (const auto done = control(statement); !done) {
            if (statement != statements.first() && m_isConnected)
                static_cast<void>(control(QStringLiteral("ROLLBACK")));
            return done;
        }
    }
    m_inTransaction = true;
    m_parts = 0;
    return {};
}

Result<void, StorageError> Database::commit()
{
    CHECK(m_inTransaction);
    if (const auto committed = control(QStringLiteral("COMMIT")); !committed) {
        rollback();
        return committed;
    }
    m_inTransaction = false;
    noteSaved();
    return {};
}

void Database::rollback()
{
    if (!m_inTransaction)
        return;
    m_lost.reset();
    m_inTransaction = false;
    m_parts = 0;
    // Fails only where the engine has rolled back by itself, which is what was wanted.
    if (m_isConnected)
        static_cast<void>(control(QStringLiteral("ROLLBACK")));
}

Result<void, StorageError> Database::beginPart()
{
    CHECK(m_inTransaction);
    if (const auto begun = control(QStringLiteral("SAVEPOINT part")); !begun)
        return begun;
    ++m_parts;
    return {};
}

Result<void, StorageError> Database::keepPart()
{
    CHECK(m_inTransaction);
    if (const auto kept = control(QStringLiteral("RELEASE SAVEPOINT part")); !kept)
        return kept;
    --m_parts;
    return {};
}

void Database::undoPart()
{
    CHECK(m_inTransaction);
    const StorageError cause = m_newestError;
    m_hasChanged = false; // at most too little is known of what stays
    // Either fails only where the engine has rolled the whole transaction back by itself.
    const bool isUndone =
        control(QStringLiteral("ROLLBACK TO SAVEPOINT part")) && control(QStringLiteral("RELEASE SAVEPOINT part"));
    --m_parts;
    if (!isUndone && !m_lost)
        m_lost = cause;
}

Result<std::optional<values::WallTime>, StorageError> Database::readClock()
{
    return m_dialect->readClock(*this);
}

} // namespace payonce::storage
