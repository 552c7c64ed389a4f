// What happens inside the bank's transaction, on the bank's thread (the point `bank.inside`).
#pragma once

#include "faults/fault_points.h"

#include <chrono>
#include <functional>
#include <utility>

namespace payonce::faults {

/// Real time: the transaction is open so long.
[[nodiscard]] FaultPoints::InsideBank insideForTime(std::chrono::milliseconds time);
/// The process ends, with the transaction open.
[[nodiscard]] FaultPoints::InsideBank insideUntilTheEnd();
/// Until the second function runs, or is destroyed.
[[nodiscard]] std::pair<FaultPoints::InsideBank, std::function<void()>> insideUntilReleased();

} // namespace payonce::faults
