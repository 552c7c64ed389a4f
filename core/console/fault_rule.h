// One rule of a scenario: when it fires, where, and what it does there.
#pragma once

#include "console/fault_action.h"
#include "console/fault_point.h"

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace payonce::console {

struct Match
{
    std::optional<Operation> operation; ///< any, if empty
    std::optional<int> nth;             ///< counted per action and operation, from 1; any, if empty
};

struct Rule
{
    std::string id;
    Match match;
    Point point = Point::Received;
    std::int64_t offset = 0; ///< the n of `reply.head@n` and `reply.body@n`
    FaultAction action;
    std::optional<int> times;                         ///< fires at most this often; no bound, if empty
    std::optional<std::chrono::milliseconds> lasts{}; ///< fires only so long after it was loaded; no bound, if empty
    std::optional<double> probability{};              ///< of a random rule: whether it fires is drawn each time it could
};

/// `bank.committed`, `reply.body@7`.
[[nodiscard]] std::string placeOf(const Rule& rule);

/// What of a rule keeps it from ever doing what it says.
enum class RulePart { Action, Operation };
struct Impossible
{
    RulePart part = RulePart::Action;
    std::string why; ///< `"cut" cannot be done at received`
};
/// Empty: it can be done.
[[nodiscard]] std::optional<Impossible> impossibilityOf(const Rule& rule);
/// Its `why`; empty: it can be done.
[[nodiscard]] std::string whyImpossible(const Rule& rule);

/// Uniform in [0, 1), and nothing but its arguments: the same request draws the same in every run, whatever runs beside it.
/// `stream`: what the tester called the request (its cart, its e-mail).
[[nodiscard]] double drawOf(std::uint64_t seed, std::string_view rule, std::string_view stream, int nth);

} // namespace payonce::console
