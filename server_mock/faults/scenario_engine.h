// Carries out a scenario's rules at the points the shop's work passes, and writes the journal of arrivals.
#pragma once

#include "faults/answer_memory.h"
#include "faults/arrival_journal.h"
#include "faults/fault_deeds.h"
#include "faults/fault_points.h"
#include "faults/rule_picker.h"
#include "faults/streams.h"

#include <array>
#include <map>
#include <memory>
#include <optional>

namespace payonce::faults {

/// Connections whose next request was counted at its head; beyond, all are counted anew.
inline constexpr std::size_t kMostHeads = 4'096;

/// The first rule in file order whose point, operation, nth, times and time fit fires; random ones come behind the others.
/// Without a rule, reach() calls `proceed` before it returns. Where a reply point carries a crash, its bytes are handed to the
/// kernel first.
class ScenarioEngine final : public FaultPoints
{
public:
    /// `journal` outlives the engine.
    explicit ScenarioEngine(ArrivalJournal& journal) : m_journal(journal) {}

    /// What `refuse`, `process_twice`, `forget` and `clock_step` act on; until then they do nothing.
    void actOn(Surroundings around);
    /// The scenario that the journal knows goes on with its counts: it was loaded before a crash, or by a client that was
    /// killed. Any other starts from zero.
    void load(std::optional<console::Scenario> scenario);
    [[nodiscard]] const std::optional<console::Scenario>& scenario() const { return m_rules.scenario(); }
    /// One more rule, counted from zero, or one less; the others go on counting. False: the id is in use, or there is none of
    /// it.
    [[nodiscard]] bool addRule(console::Rule rule);
    [[nodiscard]] bool removeRule(const std::string& id);
    /// Ends delayed, paused and hung connections. Whatever arrived before is dropped where it next comes to a point.
    void dropWork();
    /// And forgets rows and counts; the scenario stays.
    void reset();

    /// Is there a rule for this point? Where there is none, nobody needs to come to `accept` and `head`.
    [[nodiscard]] bool watches(console::Point point) const { return m_rules.watches(point); }
    /// From now on, as often as told so, passing this point is written down even where no rule fires.
    void writeDown(console::Point point) { ++m_writtenDown.at(static_cast<std::size_t>(point)); }
    void writeDownNoMore(console::Point point) { --m_writtenDown.at(static_cast<std::size_t>(point)); }
    /// For http::Gate: a connection comes to the point Accept.
    void accept(std::shared_ptr<http::Exchange> exchange);
    [[nodiscard]] HeldWork& held() { return m_deeds.held(); }

    void reach(console::Point point, Arrival& arrival, Proceed proceed) override;
    void answer(Arrival& arrival, const http::Response& response) override;
    [[nodiscard]] InsideBank insideBank(Arrival& arrival) override;
    [[nodiscard]] bool failsSave() override;

private:
    using Shared = std::shared_ptr<Arrival>;

    /// What neither a new scenario nor a new epoch goes on with.
    void forget();
    void begin(console::Point point, Arrival& arrival);
    [[nodiscard]] const console::Rule* pick(console::Point point, const Arrival& arrival) const;
    [[nodiscard]] bool isWrittenDown(console::Point point) const
    {
        return m_writtenDown.at(static_cast<std::size_t>(point)) > 0;
    }
    [[nodiscard]] bool dropsStale(const Arrival& arrival) const;
    [[nodiscard]] ArrivalJournal::Written write(const console::Rule& rule, const Arrival& arrival, std::int64_t bytesOut = 0);
    void goOn(Arrival& arrival, const Proceed& proceed);
    void carryOut(const console::Rule& rule, Arrival& arrival, Proceed proceed);
    void answerBy(const console::Rule& rule, Arrival& arrival, const http::Response& response);
    void send(const Arrival& arrival, const http::Response& response, std::optional<http::ByteFault> fault);
    [[nodiscard]] std::optional<http::ByteFault> faultWithin(const Arrival& arrival, const http::Response& response);
    [[nodiscard]] http::ByteFault planned(const console::Rule& rule, const Arrival& arrival);
    void flushed(const Shared& arrival, const http::Response& response);

    ArrivalJournal& m_journal;
    RulePicker m_rules;
    Streams m_streams;
    AnswerMemory m_answers;
    FaultDeeds m_deeds;
    std::array<int, console::kPoints.size()> m_writtenDown{};
    std::map<std::uint64_t, int> m_heads; // by connection: the nth that its request was given at its head
    int m_accepted = 0;
    int m_generation = 0;        // changes with every dropWork()
    Arrival* m_saving = nullptr; // whose next save fails, while its work goes on
};

} // namespace payonce::faults
