// action_rows: the journal's rows to retry::StoredAction and back.
#pragma once

#include "retry/journal.h"
#include "storage/database.h"

#include <optional>

namespace payonce::storage {

/// The columns that actionOf() reads, in its order.
extern const char* const kActionColumns;
/// The columns that shownOf() reads, in its order.
extern const char* const kShownColumns;
/// The columns that attemptOf() reads, in its order.
extern const char* const kAttemptColumns;

[[nodiscard]] retry::JournalError journalErrorOf(StorageError error);

/// What ClientJournal saves of an action, in the order of its statements; `owner`: the instance in `owners`.
[[nodiscard]] QVariantList boundAction(const retry::StoredAction& action, std::int64_t owner);
[[nodiscard]] QVariantList boundFinal(const retry::FinalAnswer& answer);

/// Without its attempts. Empty if the row cannot be what we wrote; the body is held against its fingerprint.
[[nodiscard]] std::optional<retry::StoredAction> actionOf(const Row& row);
[[nodiscard]] std::optional<retry::Attempt> attemptOf(const Row& row);
/// Empty if a later version of the program wrote it.
[[nodiscard]] std::optional<retry::Shown> shownOf(const Row& row);

/// More attempts of one action than these are not read.
inline constexpr int kMostAttempts = 10000;
/// Rows of kActionColumns with their attempts.
[[nodiscard]] values::Result<std::vector<retry::StoredAction>, retry::JournalError> readActions(Database& database,
                                                                                                const Rows& rows);
/// Empty: no such action.
[[nodiscard]] values::Result<std::optional<retry::StoredAction>, retry::JournalError> readAction(Database& database,
                                                                                                 const values::ActionId& id);

/// 64 lower-case hex digits.
[[nodiscard]] std::string sha256Hex(const std::string& bytes);

} // namespace payonce::storage
