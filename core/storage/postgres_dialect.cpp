#include "storage/postgres_dialect.h"

#include "storage/binding.h"
#include "storage/database.h"
#include "storage/postgres_sql.h"
#include "values/check.h"

#include <QtSql/QSqlDriver>
#include <QtSql/QSqlField>

#include <utility>

namespace payonce::storage {

using values::Failure;
using values::Result;

namespace {

/// A server that stops in the middle of a transaction is thrown out before the others, who wait OpenOptions::busyTime, give up.
constexpr std::chrono::milliseconds kIdleMost{3000};

/// How soon a machine that is gone is noticed, in seconds; what the address says wins.
const std::pair<const char*, const char*> kConnectionDefaults[] = {
    {"connect_timeout", "5"},  {"keepalives_idle", "5"},      {"keepalives_interval", "2"},
    {"keepalives_count", "3"}, {"tcp_user_timeout", "10000"}, {"application_name", "payonce-server"},
};

QString quoted(QString value)
{
    value.replace(QLatin1Char('\\'), QLatin1String("\\\\")).replace(QLatin1Char('\''), QLatin1String("\\'"));
    return QLatin1Char('\'') + value + QLatin1Char('\'');
}

/// PostgreSQL keeps no NUL in a text, and Qt would cut the statement there.
bool hasNul(const QVariant& value)
{
    return value.metaType().id() == QMetaType::QString && value.toString().contains(QChar(0));
}

QSqlError refusedText()
{
    return {QStringLiteral("a text holds a NUL"), {}, QSqlError::StatementError, QStringLiteral("22021")};
}

/// As Qt's driver writes the bound values of its own prepared statements.
QString literal(const QSqlDatabase& connection, const QVariant& value)
{
    if (value.isNull())
        return QStringLiteral("NULL");
    QSqlField field({}, value.metaType());
    field.setValue(value);
    return connection.driver()->formatValue(field);
}

} // namespace

PostgresDialect::PostgresDialect(Location location, const OpenOptions& options, std::int32_t applicationId)
    : m_location(std::move(location)), m_options(options), m_applicationId(applicationId)
{
}

Result<void, StorageError> PostgresDialect::connect(QSqlDatabase& connection)
{
    if (!connection.isValid()) {
        sayWhy(QStringLiteral("Qt's driver QPSQL is not installed"));
        return Failure(StorageError::Failed);
    }
    connection.close();
    setUp(connection);
    if (!connection.open()) {
        sayWhy(connection.lastError().driverText() + connection.lastError().databaseText());
        return Failure(StorageError::Lost);
    }
    for (const QString& setting : sessionSettings()) {
        if (const auto set = execute(connection, setting); !set) {
            sayWhy(set.error().databaseText());
            return Failure(errorOf(set.error()));
        }
    }
    return {};
}

// What may hold a semicolon goes by its own way: in the options Qt makes it a space.
void PostgresDialect::setUp(QSqlDatabase& connection) const
{
    PostgresParameters parameters = m_location.parameters();
    for (const auto& [name, value] : kConnectionDefaults)
        if (!parameters.contains(QLatin1String(name)))
            parameters.insert(QLatin1String(name), QLatin1String(value));
    connection.setHostName(parameters.take(QStringLiteral("host")));
    connection.setDatabaseName(parameters.take(QStringLiteral("dbname")));
    connection.setUserName(parameters.take(QStringLiteral("user")));
    connection.setPassword(parameters.take(QStringLiteral("password")));
    QStringList options;
    for (auto one = parameters.cbegin(); one != parameters.cend(); ++one)
        options.append(one.key() + QLatin1Char('=') + quoted(one.value()));
    connection.setConnectOptions(options.join(QLatin1Char(' ')));
}

// A database whose owner relaxed synchronous_commit would forget a tombstone with the power.
QStringList PostgresDialect::sessionSettings() const
{
    return {QStringLiteral("SET default_transaction_isolation = 'read committed'"),
            QStringLiteral("SET standard_conforming_strings = on"),
            QStringLiteral("SET client_min_messages = error"),
            QStringLiteral("SET plan_cache_mode = force_custom_plan"),
            QStringLiteral("SELECT set_config('synchronous_commit', 'on', false) "
                           "WHERE current_setting('synchronous_commit') IN ('off', 'local', 'remote_write')"),
            QStringLiteral("SET lock_timeout = %1").arg(m_options.busyTime.count()),
            QStringLiteral("SET idle_in_transaction_session_timeout = %1").arg(kIdleMost.count())};
}

void PostgresDialect::sayWhy(const QString& words)
{
    if (std::exchange(m_hasSaidWhy, true))
        return;
    QString shown = words.simplified();
    const QString password = m_location.parameters().value(QStringLiteral("password"));
    if (!password.isEmpty())
        shown.replace(password, QStringLiteral("…"));
    qWarning("%s: %s", qUtf8Printable(m_location.described()), qUtf8Printable(shown));
}

Result<void, StorageError> PostgresDialect::admit(Database& database, const Schema& schema)
{
    const auto encoding = database.select(QStringLiteral("SELECT current_setting('server_encoding')"));
    if (!encoding)
        return Failure(encoding.error());
    if (encoding->value(0).value(0).toString() != QLatin1String("UTF8")) {
        sayWhy(QStringLiteral("the encoding of the database is not UTF8"));
        return Failure(StorageError::Failed);
    }
    const auto tables =
        database.readNumber(QStringLiteral("SELECT count(*) FROM pg_class WHERE relnamespace = current_schema()::regnamespace "
                                           "AND relkind IN ('r', 'p', 'v', 'm')"));
    const auto done = version(database);
    if (!tables || !done)
        return Failure(!tables ? tables.error() : done.error());
    if (*tables == 0)
        return {};
    const auto applicationId =
        *done == 0 ? 0 : database.readNumber(QStringLiteral("SELECT application_id FROM payonce_schema"));
    if (!applicationId)
        return Failure(applicationId.error());
    if (*applicationId != schema.applicationId)
        return Failure(StorageError::Damaged);
    return *done > schema.steps.size() ? Result<void, StorageError>(Failure(StorageError::NewerVersion))
                                       : Result<void, StorageError>();
}

Result<std::int64_t, StorageError> PostgresDialect::version(Database& database)
{
    const auto isThere = database.readNumber(QStringLiteral(
        "SELECT count(*) FROM pg_class WHERE relnamespace = current_schema()::regnamespace AND relname = 'payonce_schema'"));
    if (!isThere || *isThere == 0)
        return isThere;
    return database.readNumber(QStringLiteral("SELECT version FROM payonce_schema"));
}

Result<void, StorageError> PostgresDialect::markVersion(Database& database, std::int32_t applicationId, int version)
{
    if (version > 1)
        return database.execute(QStringLiteral("UPDATE payonce_schema SET version = %1").arg(version));
    const auto made = database.execute(
        QStringLiteral("CREATE TABLE payonce_schema (application_id BIGINT NOT NULL, version BIGINT NOT NULL)"));
    if (!made)
        return made;
    return database.execute(QStringLiteral("INSERT INTO payonce_schema VALUES (%1, %2)").arg(applicationId).arg(version));
}

QString PostgresDialect::definition(const QString& statement) const
{
    return postgresDefinition(statement);
}

// By hand and not by QSqlQuery::prepare(), whose statements cannot be dropped without a warning once the connection is gone.
Result<QString, QSqlError> PostgresDialect::prepared(QSqlDatabase& connection, const QString& sql)
{
    const auto found = m_names.constFind(sql);
    if (found != m_names.constEnd())
        return *found;
    const QString name = QStringLiteral("payonce_%1").arg(m_names.size() + 1);
    const auto made = execute(connection, QStringLiteral("PREPARE %1 AS ").arg(name) + postgresStatement(sql));
    if (!made)
        return Failure(made.error());
    m_names.insert(sql, name);
    return name;
}

void PostgresDialect::prepare(QSqlDatabase& connection, const QString& sql)
{
    static_cast<void>(prepared(connection, sql));
}

Dialect::Ran PostgresDialect::run(QSqlDatabase& connection, const QString& sql, const QVariantList& bound)
{
    CHECK(sql.count(QLatin1Char('?')) == bound.size());
    const auto name = prepared(connection, sql);
    if (!name)
        return Failure(name.error());
    QStringList literals;
    for (const QVariant& value : bound) {
        if (hasNul(value))
            return Failure(refusedText());
        literals.append(literal(connection, value));
    }
    const QString values =
        literals.isEmpty() ? QString() : QLatin1Char('(') + literals.join(QLatin1String(", ")) + QLatin1Char(')');
    return execute(connection, QStringLiteral("EXECUTE ") + *name + values);
}

Dialect::Ran PostgresDialect::control(QSqlDatabase& connection, const QString& sql)
{
    return execute(connection, sql);
}

Dialect::Ran PostgresDialect::execute(QSqlDatabase& connection, const QString& sql)
{
    m_query = QSqlQuery(connection);
    if (!m_query.exec(sql))
        return Failure(m_query.lastError());
    return &m_query;
}

void PostgresDialect::forgetStatements()
{
    m_names.clear();
    m_query = QSqlQuery();
}

// The lock in a statement of its own: the next one then sees what its last holder committed.
QStringList PostgresDialect::beginning() const
{
    return {QStringLiteral("BEGIN"), QStringLiteral("SELECT pg_advisory_xact_lock(%1)").arg(m_applicationId)};
}

StorageError PostgresDialect::errorOf(const QSqlError& error) const
{
    return errorFromPostgres(error.nativeErrorCode());
}

Result<std::optional<values::WallTime>, StorageError> PostgresDialect::readClock(Database& database)
{
    const auto rows = database.select(QStringLiteral("SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::BIGINT"));
    if (!rows)
        return Failure(rows.error());
    return std::optional(timeOf(rows->value(0).value(0)));
}

} // namespace payonce::storage
