// The bodies of the control API (docs/faults.md, Control API).
#pragma once

#include "console/scenario.h"
#include "faults/arrival_journal.h"
#include "faults/held_work.h"
#include "faults/ledger_source.h"
#include "values/time.h"

#include <QtCore/QByteArray>

#include <map>
#include <optional>
#include <string>

namespace payonce::faults {

inline constexpr std::size_t kMostRowsAnswered = 1'000;

/// `{"points":[…],"client_points":[…],"operations":[…],"actions":[…]}`, every name a scenario may use.
[[nodiscard]] QByteArray pointsBody();
/// `{"scenario":{…}|null,"rules":[{"id","hits","remaining"}]}`; `remaining` is null where a rule has no bound, and
/// both are null of a rule that the client carries out.
[[nodiscard]] QByteArray scenarioBody(const std::optional<console::Scenario>& scenario, const ArrivalTally& tally);
/// `{"charges":[…],"mails":[…],"orders":[…],"accounts":[…],"records":[…],"complete":true}`; false: there are older ones.
[[nodiscard]] QByteArray ledgerBody(const LedgerView& ledger);

/// Which rows a reader of the journal wants.
struct RowFilter
{
    std::int64_t after = 0;
    std::string actionId;                  ///< empty: of all
    std::optional<console::Point> until{}; ///< who waits, waits for a row at this point
};

/// `{"epoch":N,"rows":[…],"more":false,"memory_only":0}`; at most kMostRowsAnswered, oldest first.
struct RowsBody
{
    QByteArray body;
    bool isComplete = false; ///< what a reader waits for is among them
};
[[nodiscard]] RowsBody rowsBody(const ArrivalJournal& journal, const RowFilter& filter);

/// Everything at one moment, for a report or a test that failed.
struct Snapshot
{
    int epoch = 0;
    std::int64_t lastSeq = 0;
    values::WallTime time;
    std::map<HeldWork::Token, PausedWork> paused;
    int delayed = 0;
    std::size_t silent = 0;
    std::optional<console::Scenario> scenario;
    ArrivalTally tally;
};
/// `{"epoch","last_seq","time","paused":[{"token","point","account","action_id","nth"}],"delayed","silent","scenario","rules",
/// "ledger","verdict"}`.
[[nodiscard]] QByteArray snapshotBody(const Snapshot& snapshot, const LedgerView& ledger);

} // namespace payonce::faults
