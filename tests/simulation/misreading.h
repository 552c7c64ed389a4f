// Misreading: planted faults of a client that reads an answer wrongly, or says what it does not know.
#pragma once

#include "retry/snapshot.h"
#include "simulation/shop.h"

namespace payonce::simulation {

/// What a client with this fault makes of the answer to `request`.
[[nodiscard]] retry::WireResult misread(Planted planted, const Request& request, retry::WireResult result);
/// What it would show. `fenceIsOpen`: the newest answer to its fence was that the record is open.
[[nodiscard]] retry::Snapshot misshown(Planted planted, const retry::Snapshot& snapshot, bool fenceIsOpen);

} // namespace payonce::simulation
