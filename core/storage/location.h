// Location: where a database is, a file of SQLite or an address of PostgreSQL.
#pragma once

#include <QtCore/QMap>
#include <QtCore/QString>

#include <optional>

namespace payonce::storage {

/// libpq's key words and their values (https://www.postgresql.org/docs/15/libpq-connect.html, 34.1.2). What is missing libpq
/// takes from its own places: PGHOST, PGUSER, PGPASSWORD, PGPASSFILE, ~/.pgpass.
using PostgresParameters = QMap<QString, QString>;

/// A value. May hold a password, so it is never shown as it came; described() is for logs and errors.
class Location
{
public:
    Location(const QString& file); // NOLINT(*-explicit-*): a path is the plain case
    [[nodiscard]] static Location postgres(PostgresParameters parameters);

    /// `postgresql://…` or `postgres://…`, libpq's key words (`host=/run/postgresql dbname=shop`), or else the path of a file.
    /// Empty: it begins like an address and is none.
    [[nodiscard]] static std::optional<Location> parse(const QString& text);

    [[nodiscard]] bool isPostgres() const { return m_file.isNull(); }
    /// Of SQLite.
    [[nodiscard]] const QString& file() const { return m_file; }
    /// Of PostgreSQL.
    [[nodiscard]] const PostgresParameters& parameters() const { return m_parameters; }
    /// The path, or host, port and database; never a user's name or a password.
    [[nodiscard]] QString described() const;

private:
    Location() = default;

    QString m_file;
    PostgresParameters m_parameters;
};

} // namespace payonce::storage
