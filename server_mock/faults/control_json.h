// The bodies of the control API (docs/faults.md, Control API).
#pragma once

#include "console/scenario.h"
#include "faults/arrival_tally.h"
#include "faults/ledger_source.h"

#include <QtCore/QByteArray>

#include <deque>
#include <optional>

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
    std::string actionId; ///< empty: of all
};

/// `{"epoch":N,"rows":[…],"more":false}`; at most kMostRowsAnswered, oldest first.
struct RowsBody
{
    QByteArray body;
    bool isEmpty = true;
};
[[nodiscard]] RowsBody rowsBody(const std::deque<ArrivalRow>& rows, int epoch, const RowFilter& filter);

} // namespace payonce::faults
