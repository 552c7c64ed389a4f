// The states of a key record, shared by both ends (docs/contract.md, States of a record).
#pragma once

#include <optional>
#include <string_view>

namespace payonce::values {

enum class RecordState { InProgress, Unknown, Succeeded, Failed, Abandoned };

/// Succeeded, Failed and Abandoned never change again.
[[nodiscard]] bool isTerminal(RecordState state);
/// As in `"state":"in_progress"`.
[[nodiscard]] const char* nameOf(RecordState state);
[[nodiscard]] std::optional<RecordState> recordStateOf(std::string_view name);

} // namespace payonce::values
