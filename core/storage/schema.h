// Schema: which database a file must be, and the steps that make it so.
#pragma once

#include "storage/storage_error.h"
#include "values/result.h"

#include <QtCore/QString>
#include <QtCore/QStringList>

#include <cstdint>

namespace payonce::storage {

/// What a database must be. `steps[n]` is the resource path of the SQL that brings version n to n + 1; a step that was
/// ever shipped never changes. A step is written for SQLite; PostgreSQL runs the same file through postgresDefinition(), so a
/// step keeps to what both know: no rowid in DDL, no function of one engine, upserts by ON CONFLICT. In a step, statements are
/// separated by an empty line; lines that begin with `--` are comments.
struct Schema
{
    std::int32_t applicationId = 0; ///< PRAGMA application_id, or a row of payonce_schema; never 0
    QStringList steps;
};

/// The statements of one step.
[[nodiscard]] values::Result<QStringList, StorageError> readStep(const QString& resource);

} // namespace payonce::storage
