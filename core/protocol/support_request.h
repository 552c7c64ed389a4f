// What support's requests say: the body of a deed, and the reports that clients sent (docs/contract.md, Support).
#pragma once

#include "console/timeline.h"
#include "protocol/body_problem.h"
#include "values/result.h"

#include <string>
#include <string_view>
#include <vector>

namespace payonce::protocol {

/// Characters of a reason.
inline constexpr std::size_t kLongestReason = 500;

struct ParsedReason
{
    std::string reason;
    std::string canonicalBody; ///< RFC 8785
};

/// `{"reason":"…"}`: form only. A text with a card number in it is refused: the audit must never hold one.
[[nodiscard]] values::Result<ParsedReason, BodyProblem> parseReason(std::string_view body);

/// The attempts in the body of a report; what is not as documented is left out.
[[nodiscard]] std::vector<console::ReportedAttempt> reportedAttempts(std::string_view body);

} // namespace payonce::protocol
