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
    int hits = 0;
    friend bool operator==(const RuleHits&, const RuleHits&) = default;
};

struct VerdictReport
{
    console::VerdictCode code = console::VerdictCode::NotCharged; ///< the worst of the actions
    bool holds = true;                                            ///< the scenario's expectation is met
    std::vector<console::ActionVerdict> actions;
    std::vector<RuleHits> rules;
};

[[nodiscard]] std::string renderVerdict(const VerdictReport& report);
/// Empty if it is not strict JSON of this form.
[[nodiscard]] std::optional<VerdictReport> parseVerdict(std::string_view body);

} // namespace payonce::protocol
