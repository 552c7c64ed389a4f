// The SQL of this project, which is written for SQLite, as PostgreSQL says it. One source for both, so that they cannot drift.
#pragma once

#include <QtCore/QString>

namespace payonce::storage {

/// A CREATE TABLE or ALTER TABLE of a step file: INTEGER becomes BIGINT, BLOB becomes BYTEA, text compares byte by byte, STRICT
/// goes, and a table gets the `rowid` that it has in SQLite (the order of insertion). Everything else stays as it is; a step
/// file keeps to what both engines know besides.
[[nodiscard]] QString postgresDefinition(const QString& statement);

/// A statement with bound values: `?` becomes `$1`, `$2`, …, and INDEXED BY goes. No `?` in a literal.
[[nodiscard]] QString postgresStatement(const QString& statement);

} // namespace payonce::storage
