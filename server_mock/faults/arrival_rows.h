// The journal's row of an arrival at a point.
#pragma once

#include "console/fault_rule.h"
#include "faults/arrival_row.h"
#include "faults/fault_points.h"

namespace payonce::faults {

[[nodiscard]] ArrivalRow rowFor(console::Point point, const Arrival& arrival);
/// With the rule that fires, and how the connection ends by it.
[[nodiscard]] ArrivalRow rowFor(const console::Rule& rule, const Arrival& arrival);

} // namespace payonce::faults
