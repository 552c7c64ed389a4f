// The verdict: facts counted in the ledgers and the arrivals, judged by core/console, and the scenario's expectation.
#pragma once

#include "console/scenario.h"
#include "faults/arrival_tally.h"
#include "faults/ledger_source.h"
#include "protocol/verdict_json.h"

#include <optional>

namespace payonce::faults {

/// One entry an action that the ledgers or the arrivals know, in the order of its ID (so of its time). `holds`: every
/// expectation that the server can see is met (rules_fired, charges, orders_paid, posts_per_attempt, verdict; never state);
/// without a scenario, the total is charged_once or not_charged. `ofClient`: what is known besides of a judged client; the
/// total is not better than that.
[[nodiscard]] protocol::VerdictReport makeVerdict(const LedgerView& ledger, const ArrivalTally& tally,
                                                  const std::optional<console::Scenario>& scenario,
                                                  console::VerdictCode ofClient = console::VerdictCode::NotCharged);

} // namespace payonce::faults
