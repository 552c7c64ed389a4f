// action_rows: the journal's rows to retry::StoredAction and back.
#pragma once

#include "retry/journal.h"
#include "storage/database.h"

#include <optional>

namespace payonce::storage {

/// The columns that actionOf() reads, in its order.
extern const char* const kActionColumns;
/// The columns that attemptOf() reads, in its order.
extern const char* const kAttemptColumns;

[[nodiscard]] retry::JournalError journalErrorOf(StorageError error);

/// Without its attempts. Empty if the row cannot be what we wrote; the body is held against its fingerprint.
[[nodiscard]] std::optional<retry::StoredAction> actionOf(const Row& row);
[[nodiscard]] std::optional<retry::Attempt> attemptOf(const Row& row);

/// 64 lower-case hex digits.
[[nodiscard]] std::string sha256Hex(const std::string& bytes);

} // namespace payonce::storage
