// undoable(): one call of a batch, undone alone if it fails.
#pragma once

#include "storage/transaction.h"

namespace payonce::storage {

/// Runs `work` (it returns a Result with StorageError) in a savepoint of the open transaction and returns what it returns.
template <class Work> [[nodiscard]] auto undoable(Database& database, Work work) -> decltype(work())
{
    auto part = Savepoint::begin(database);
    if (!part)
        return values::Failure(part.error());
    auto result = work();
    if (!result)
        return result;
    if (const auto kept = part->release(); !kept)
        return values::Failure(kept.error());
    return result;
}

} // namespace payonce::storage
