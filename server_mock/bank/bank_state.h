// How the bank's rows name what became of a key.
#pragma once

#include "idempotency/key_record.h"

#include <optional>
#include <string_view>

namespace payonce::bank {

/// `approved`, `declined`, `fenced`; empty for what is no row.
[[nodiscard]] const char* nameOf(idempotency::BankState state);
[[nodiscard]] std::optional<idempotency::BankState> stateOf(std::string_view name);

} // namespace payonce::bank
