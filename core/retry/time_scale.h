// The client's waiting times, all made shorter or longer together.
#pragma once

#include "retry/numbers.h"

namespace payonce::retry {

/// Every delay, limit and deadline times `factor`, never below a millisecond; `Prefer: wait` never below a second. What the
/// shop is promised (`valid_until`) and what it advises (`Retry-After`) stay as they are. `factor` is above 0.
[[nodiscard]] Numbers scaled(const Numbers& numbers, double factor);

} // namespace payonce::retry
