// A scenario: which fault happens where, what the person does, and what must hold at the end (docs/faults.md).
#pragma once

#include "console/fault_rule.h"
#include "console/step.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace payonce::console {

/// What must hold at the end; what is absent is not looked at.
struct Expectation
{
    std::vector<std::string> rulesFired;
    std::vector<int> charges; ///< any of these counts is right
    std::optional<int> ordersPaid;
    std::optional<int> mails; ///< arrived or still in the outbox
    std::optional<int> postsPerAttempt;
    std::optional<std::string> state;    ///< of the client; looked at by whoever runs the client
    std::optional<std::string> sentence; ///< the key of what the client says; looked at likewise
    std::optional<std::string> verdict;  ///< a verdict code
    std::vector<std::string> timeline;   ///< marks of timeline_marks.h in this order; others may lie between
};

struct Scenario
{
    std::string name;
    std::string about; ///< one sentence for people
    std::uint64_t seed = 0;
    std::vector<Step> steps;
    std::vector<Rule> rules;
    std::vector<Rule> random; ///< each has its probability; looked at behind `rules`
    Expectation expect;
};

} // namespace payonce::console
