// Why a database could not do what it was asked; one list for journal, ledger and bank.
#pragma once

class QSqlError;

namespace payonce::storage {

/// Whatever the error, what was durable before stays as it was.
enum class StorageError {
    DiskFull,     ///< SQLITE_FULL, or no space to create the file
    ReadOnly,     ///< the file or its directory cannot be written
    Locked,       ///< another process holds the write lock longer than the busy time
    Damaged,      ///< not a database, another program's database, or a corrupt one; it is not touched
    NewerVersion, ///< written by a later version of this program; it is not touched
    Constraint,   ///< a unique, foreign key, check or NOT NULL rule of the schema said no
    Failed,       ///< anything else: no such directory, an I/O error, an unknown statement
};

/// From SQLite's result code (https://www.sqlite.org/rescode.html), primary or extended.
[[nodiscard]] StorageError errorFromSqlite(int resultCode);
[[nodiscard]] StorageError errorFrom(const QSqlError& error);

} // namespace payonce::storage
