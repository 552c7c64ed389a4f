// Scenario files (docs/faults.md): strict in, readable out.
#pragma once

#include "console/scenario.h"
#include "protocol/strict_json.h"
#include "values/result.h"

#include <chrono>
#include <string>
#include <string_view>

namespace payonce::protocol {

inline constexpr int kScenarioSchema = 1;
/// Bounds of a scenario.
inline constexpr std::size_t kLongestScenario = 262'144;
inline constexpr std::size_t kMostRules = 100; ///< and as many random ones
inline constexpr std::size_t kLongestRuleId = 64;
inline constexpr std::size_t kMostSteps = 100;
inline constexpr std::chrono::milliseconds kLongestDelay{600'000};
/// A clock_step goes so far, either way, and so does the step `clock`; nor does a rule last longer.
inline constexpr std::chrono::milliseconds kLargestClockStep = std::chrono::hours(24 * 400);

enum class ScenarioErrorKind {
    NotJson,
    TooLong,
    UnknownMember,
    MissingMember,
    WrongType,
    OutOfRange,
    UnknownPoint,
    UnknownAction,
    UnknownOperation,
    UnknownStep,
    WrongPlace, ///< an action at a point that cannot carry it out
    DoubleId,
    NewerVersion, ///< its `schema` is one that a later version of this program writes
};

struct ScenarioError
{
    ScenarioErrorKind kind = ScenarioErrorKind::NotJson;
    JsonPlace place;
    std::string detail; ///< "unknown point \"bank.comitted\" at line 5, column 32 (/rules/0/at)"
};

[[nodiscard]] values::Result<console::Scenario, ScenarioError> parseScenario(std::string_view text);
/// One rule by itself; a random one has the member `p`.
[[nodiscard]] values::Result<console::Rule, ScenarioError> parseRule(std::string_view text);
/// In one line; parseRule gives the same rule again.
[[nodiscard]] std::string renderRule(const console::Rule& rule);
/// Pretty-printed; parseScenario gives the same scenario again.
[[nodiscard]] std::string renderScenario(const console::Scenario& scenario);

} // namespace payonce::protocol
