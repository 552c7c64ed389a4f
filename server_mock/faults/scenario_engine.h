// Carries out a scenario's rules at the points the shop's work passes, and writes the journal of arrivals.
#pragma once

#include "faults/arrival_journal.h"
#include "faults/fault_points.h"

#include <QtCore/QObject>

#include <deque>
#include <memory>
#include <optional>

namespace payonce::faults {

/// Requests delayed at once; beyond, a delay is skipped.
inline constexpr int kMostSleepers = 4'096;
/// Hung connections kept for reset(); beyond, the oldest is ended.
inline constexpr std::size_t kMostSilent = 1'000;

/// The first rule in file order whose point, operation, nth and times fit fires. Without a rule, reach() calls `proceed` before
/// it returns. Where a reply point carries a crash, its bytes are handed to the kernel first.
class ScenarioEngine final : public FaultPoints
{
public:
    /// `journal` outlives the engine.
    explicit ScenarioEngine(ArrivalJournal& journal) : m_journal(journal) {}

    /// Loading the scenario that the journal knows from before a crash goes on with its counts; any other starts from zero.
    void load(std::optional<console::Scenario> scenario);
    [[nodiscard]] const std::optional<console::Scenario>& scenario() const { return m_scenario; }
    /// Ends delayed and hung connections, forgets rows and counts, and keeps the scenario. Whatever arrived before is dropped
    /// where it next comes to a point.
    void reset();

    void reach(console::Point point, Arrival& arrival, std::function<void()> proceed) override;
    void answer(Arrival& arrival, const http::Response& response) override;

private:
    [[nodiscard]] const console::Rule* firstMatch(console::Point point, const Arrival& arrival) const;
    [[nodiscard]] const console::Rule* firstReplyMatch(const Arrival& arrival) const;
    [[nodiscard]] bool applies(const console::Rule& rule, const Arrival& arrival) const;
    [[nodiscard]] bool dropsStale(const Arrival& arrival) const;
    ArrivalJournal::Written record(console::Point point, const Arrival& arrival, const console::Rule* rule);
    void carryOut(const console::Rule& rule, Arrival& arrival, std::function<void()> proceed);
    void write(const Arrival& arrival, const http::Response& response);
    void sleep(std::chrono::milliseconds time, std::function<void()> proceed);
    void keepSilent(const std::shared_ptr<http::Exchange>& exchange);

    ArrivalJournal& m_journal;
    std::optional<console::Scenario> m_scenario;
    std::unique_ptr<QObject> m_sleep = std::make_unique<QObject>(); // context of all delays; replaced to end them
    int m_sleepers = 0;
    std::deque<std::shared_ptr<http::Exchange>> m_silent;
};

} // namespace payonce::faults
