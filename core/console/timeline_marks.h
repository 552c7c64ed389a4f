// The timeline in marks: short names of what happened, for an expectation to be compared with (docs/faults.md, `timeline`).
#pragma once

#include "console/timeline.h"

#include <string>
#include <string_view>
#include <vector>

namespace payonce::console {

/// Is this one a timeline may have? `post N`, `never arrived N`, `claimed`, `replay`, `mismatch`, `charged`, `declined`,
/// `fenced`, `settled STATE`, `reply lost`, `probe N`, `found STATE`, `not found`, `abandon`, `webhook`, `mail`, `crash`,
/// `staff`. STATE is one of a record.
[[nodiscard]] bool isTimelineMark(std::string_view text);

/// In the order of the rows; a row may have none or several. What a probe found is told from the rows around it: nothing where
/// the action was not yet claimed, the settled state where it was settled by then or while the shop held the question, else
/// `in_progress`.
[[nodiscard]] std::vector<std::string> marksOf(const std::vector<TimelineRow>& rows);

/// The first of `wanted` that does not follow the one before it in `marks`; empty if all do. Others may lie between.
[[nodiscard]] std::string firstMissing(const std::vector<std::string>& wanted, const std::vector<std::string>& marks);

} // namespace payonce::console
