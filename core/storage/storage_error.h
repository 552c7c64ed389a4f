// Why a database could not do what it was asked; one list for journal, ledger and bank.
#pragma once

#include <QtCore/QString>

namespace payonce::storage {

/// Whatever the error, what was durable before stays as it was.
enum class StorageError {
    DiskFull,     ///< SQLITE_FULL, disk_full, or no space to create the file
    ReadOnly,     ///< the file or its directory cannot be written; a standby; no right to write
    Locked,       ///< another one holds the write lock longer than the busy time
    Damaged,      ///< not a database, another program's database, or a corrupt one; it is not touched
    NewerVersion, ///< written by a later version of this program; it is not touched
    Constraint,   ///< a unique, foreign key, check or NOT NULL rule of the schema said no
    Lost,         ///< PostgreSQL cannot be reached, or the connection broke
    Failed,       ///< anything else: no such directory, an I/O error, an unknown statement
};

/// From SQLite's result code (https://www.sqlite.org/rescode.html), primary or extended.
[[nodiscard]] StorageError errorFromSqlite(int resultCode);
/// From PostgreSQL's SQLSTATE (appendix A of its manual); empty: libpq itself failed, so there is no connection.
[[nodiscard]] StorageError errorFromPostgres(const QString& sqlState);

} // namespace payonce::storage
