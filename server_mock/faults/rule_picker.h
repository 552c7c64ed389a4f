// Which rule fires: the loaded scenario, matched against what comes to a point.
#pragma once

#include "console/scenario.h"
#include "faults/arrival_tally.h"
#include "faults/fault_points.h"

#include <bitset>
#include <chrono>
#include <map>
#include <optional>
#include <string>

namespace payonce::faults {

/// With those added by hand; a file has fewer.
inline constexpr std::size_t kMostRulesHeld = 400;

/// How often a rule fires at most: `times`; of `stale` each of its look-ups is a hit. Empty: no bound.
[[nodiscard]] std::optional<std::int64_t> mostHits(const console::Rule& rule);

/// Rules of a scenario, and those added by hand. Rules at the client's points are kept and never picked.
class RulePicker
{
public:
    using ms = std::chrono::milliseconds;

    /// `now`: monotonic, for rules that last for a time.
    void load(std::optional<console::Scenario> scenario, ms now);
    [[nodiscard]] const std::optional<console::Scenario>& scenario() const { return m_scenario; }
    /// Without a scenario it begins one. False: its id is in use, or there are kMostRulesHeld.
    [[nodiscard]] bool add(console::Rule rule, ms now);
    /// False: there is none of this id.
    [[nodiscard]] bool remove(const std::string& id);

    /// Is there a rule for this point at all?
    [[nodiscard]] bool watches(console::Point point) const { return m_watched.test(static_cast<std::size_t>(point)); }
    /// Has some rule a probability?
    [[nodiscard]] bool draws() const { return m_scenario && !m_scenario->random.empty(); }
    /// Does some rule answer with what was answered before?
    [[nodiscard]] bool remembers() const { return m_remembers; }

    /// The first that fits, random ones behind the others. Null: nothing happens.
    [[nodiscard]] const console::Rule* pick(console::Point point, const Arrival& arrival, const ArrivalTally& tally,
                                            ms now) const;
    /// The first for any place within the bytes of the answer.
    [[nodiscard]] const console::Rule* pickWithinReply(const Arrival& arrival, const ArrivalTally& tally, ms now) const;

private:
    template <class AtPoint>
    const console::Rule* first(const AtPoint& isAtPoint, const Arrival& arrival, const ArrivalTally& tally, ms now) const;
    [[nodiscard]] bool fits(const console::Rule& rule, const Arrival& arrival, const ArrivalTally& tally, ms now) const;
    void look();

    std::optional<console::Scenario> m_scenario;
    std::map<std::string, ms> m_since; // when each rule was loaded
    std::bitset<console::kPoints.size()> m_watched;
    bool m_remembers = false;
};

} // namespace payonce::faults
