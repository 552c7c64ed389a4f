// Schema: which database a file must be, and the steps that make it so.
#pragma once

#include "storage/storage_error.h"
#include "values/result.h"

#include <QtCore/QString>
#include <QtCore/QStringList>

#include <cstdint>

namespace payonce::storage {

/// What a database must be. `steps[n]` is the resource path of the SQL that brings version n to n + 1; a step that was
/// ever shipped never changes. In a step, statements are separated by an empty line; lines that begin with `--` are comments.
struct Schema
{
    std::int32_t applicationId = 0; ///< PRAGMA application_id, never 0
    QStringList steps;
};

/// The statements of one step.
[[nodiscard]] values::Result<QStringList, StorageError> readStep(const QString& resource);

} // namespace payonce::storage
