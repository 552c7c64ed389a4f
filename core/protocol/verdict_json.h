// The verdict as JSON: `GET /verdict` of the control API (docs/contract.md, Bodies).
#pragma once

#include "console/verdict.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace payonce::protocol {

struct RuleHits
{
    std::string id;
    std::optional<int> hits; ///< none of a rule that the client carries out
    friend bool operator==(const RuleHits&, const RuleHits&) = default;
};

struct VerdictReport
{
    console::VerdictCode code = console::VerdictCode::NotCharged; ///< the worst of the actions
    std::vector<std::string> unmet;                               ///< what is expected and not so, in words
    std::vector<console::ActionVerdict> actions;
    std::vector<RuleHits> rules;
    bool isComplete = true; ///< false: there are older actions, which nobody looked at

    /// Everything expected is so.
    [[nodiscard]] bool holds() const { return unmet.empty(); }
};

[[nodiscard]] std::string renderVerdict(const VerdictReport& report);
/// Empty if it is not strict JSON of this form.
[[nodiscard]] std::optional<VerdictReport> parseVerdict(std::string_view body);

} // namespace payonce::protocol
