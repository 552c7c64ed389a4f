// SqliteDialect: one file of SQLite, in WAL mode with synchronous=FULL.
#pragma once

#include "storage/dialect.h"

#include <QtCore/QHash>

#include <memory>

namespace payonce::storage {

class SqliteDialect final : public Dialect
{
public:
    SqliteDialect(const QString& path, const OpenOptions& options) : m_path(path), m_options(options) {}

    /// Makes an empty file with mode 0600 where it is missing; its directory must exist.
    [[nodiscard]] Stored<void> connect(QSqlDatabase& connection) override;
    [[nodiscard]] Stored<void> admit(Database& database, const Schema& schema) override;
    [[nodiscard]] Stored<std::int64_t> version(Database& database) override;
    [[nodiscard]] Stored<void> markVersion(Database& database, std::int32_t applicationId, int version) override;
    [[nodiscard]] QString definition(const QString& statement) const override { return statement; }
    [[nodiscard]] Ran run(QSqlDatabase& connection, const QString& sql, const QVariantList& bound) override;
    void prepare(QSqlDatabase& connection, const QString& sql) override;
    [[nodiscard]] Ran control(QSqlDatabase& connection, const QString& sql) override { return run(connection, sql, {}); }
    void forgetStatements() override { m_prepared.clear(); }
    void warmUp(Database& database) override;
    [[nodiscard]] QStringList beginning() const override;
    /// It may be the transaction, too (a full disk): then undoing a part fails, which Database sees.
    [[nodiscard]] FailureTakes failureTakes() const override { return FailureTakes::Itself; }
    [[nodiscard]] StorageError errorOf(const QSqlError& error) const override;
    [[nodiscard]] Stored<std::optional<values::WallTime>> readClock(Database& database) override;

private:
    struct Prepared
    {
        QSqlQuery query;
        qsizetype places = 0; ///< how many `?`
    };

    [[nodiscard]] Stored<void> refuseForeign(Database& database, const Schema& schema);
    [[nodiscard]] static Stored<void> makeDurable(Database& database);
    [[nodiscard]] values::Result<Prepared*, QSqlError> prepared(QSqlDatabase& connection, const QString& sql);

    QString m_path;
    OpenOptions m_options;
    QHash<QString, std::shared_ptr<Prepared>> m_prepared;
};

} // namespace payonce::storage
