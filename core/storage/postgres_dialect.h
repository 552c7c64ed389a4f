// PostgresDialect: a database of PostgreSQL that several servers share.
#pragma once

#include "storage/dialect.h"
#include "storage/location.h"

#include <QtCore/QHash>

namespace payonce::storage {

/// Tables live in the first schema of the search path, with one more, `payonce_schema`, that says whose they are and which
/// steps are done.
///
/// One writer at a time: every transaction first takes an advisory lock of this kind of database, and READ COMMITTED then shows
/// it all that was committed before. So no decision rests on stale facts, and there are no deadlocks or serialization failures
/// to try again. It costs no speed: every claim takes the next fence number, one row for all, and group commit shares the one
/// sync. A server that stops in the middle loses its connection, and with it the lock, before the others have waited for too
/// long.
class PostgresDialect final : public Dialect
{
public:
    PostgresDialect(Location location, const OpenOptions& options, std::int32_t applicationId);

    /// The first failure is said in a warning, with libpq's words.
    [[nodiscard]] Stored<void> connect(QSqlDatabase& connection) override;
    [[nodiscard]] Stored<void> admit(Database& database, const Schema& schema) override;
    [[nodiscard]] Stored<std::int64_t> version(Database& database) override;
    [[nodiscard]] Stored<void> markVersion(Database& database, std::int32_t applicationId, int version) override;
    [[nodiscard]] QString definition(const QString& statement) const override;
    [[nodiscard]] Ran run(QSqlDatabase& connection, const QString& sql, const QVariantList& bound) override;
    void prepare(QSqlDatabase& connection, const QString& sql) override;
    [[nodiscard]] Ran control(QSqlDatabase& connection, const QString& sql) override;
    void forgetStatements() override;
    void warmUp(Database&) override {}
    [[nodiscard]] QStringList beginning() const override;
    [[nodiscard]] FailureTakes failureTakes() const override { return FailureTakes::TheTransaction; }
    [[nodiscard]] StorageError errorOf(const QSqlError& error) const override;
    [[nodiscard]] Stored<std::optional<values::WallTime>> readClock(Database& database) override;

private:
    void setUp(QSqlDatabase& connection) const;
    [[nodiscard]] QStringList sessionSettings() const;
    void sayWhy(const QString& words);
    [[nodiscard]] values::Result<QString, QSqlError> prepared(QSqlDatabase& connection, const QString& sql);
    [[nodiscard]] Ran execute(QSqlDatabase& connection, const QString& sql);

    Location m_location;
    OpenOptions m_options;
    std::int32_t m_applicationId;
    QHash<QString, QString> m_names; ///< of prepared statements, by what was asked for
    QSqlQuery m_query;
    bool m_hasSaidWhy = false;
};

} // namespace payonce::storage
