// FaultPoints: the places in the client where a fault may happen, and the rules that say which.
#pragma once

#include "console/fault_rule.h"
#include "points/hits_file.h"
#include "values/uuid.h"

#include <chrono>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

namespace payonce::points {

/// Used from the journal's thread and the GUI's.
class FaultPoints
{
public:
    /// `rules` are all at client points. `seed`: of the scenario, for rules with a probability.
    FaultPoints(std::vector<console::Rule> rules, std::uint64_t seed, const QString& hitsFile);
    FaultPoints(const FaultPoints&) = delete;
    FaultPoints& operator=(const FaultPoints&) = delete;
    FaultPoints(FaultPoints&&) = delete;
    FaultPoints& operator=(FaultPoints&&) = delete;
    ~FaultPoints() = default;

    /// What is about to be done, and its number among those of this process.
    struct Arrival
    {
        std::optional<console::Rule> rule; ///< the first that fits; none: nothing is to happen
        int nth = 0;
    };
    /// Counts by action, operation and point. The caller goes on, and calls fire() at the moment the point means.
    [[nodiscard]] Arrival arrive(console::Point point, console::Operation operation, const values::ActionId& id);
    /// Writes the hit down, then ends the process or steps the clock where the rule says so. True: the rest of it, a wait or a
    /// failure, is the caller's. False: nothing is to happen, because the hit could not be written down and would come again.
    [[nodiscard]] bool fire(const Arrival& arrival);

    /// Those of `rules` that are the client's and have never fired.
    [[nodiscard]] std::vector<std::string> unfired(const std::vector<std::string>& rules) const;

    /// Draws of this action are made under this name.
    void learnCart(const values::ActionId& id, const std::string& cart);
    /// How far rules have moved the wall clock so far.
    [[nodiscard]] std::chrono::milliseconds clockOffset() const;

private:
    [[nodiscard]] bool applies(const console::Rule& rule, console::Point point, console::Operation operation,
                               const std::string& id, int nth) const;

    mutable std::mutex m_mutex;
    std::vector<console::Rule> m_rules;
    std::uint64_t m_seed;
    HitsFile m_hits;
    std::chrono::steady_clock::time_point m_start;
    std::map<std::tuple<std::string, console::Operation, console::Point>, int> m_counts;
    std::map<std::string, std::string> m_carts;
    std::chrono::milliseconds m_clockOffset{0};
};

} // namespace payonce::points
