// The verdict on a judged client, put together from the witness, the ledgers and the scenario.
#pragma once

#include "console/client_verdict.h"
#include "faults/arrival_tally.h"
#include "faults/ledger_source.h"
#include "judge/keyless.h"
#include "judge/watched_exchange.h"
#include "protocol/verdict_json.h"

#include <optional>
#include <string>
#include <vector>

namespace payonce::judge {

struct Judgement
{
    enum class Outcome { Holds, DoesNotHold, Unreadable };
    Outcome outcome = Outcome::DoesNotHold;
    std::string json;  ///< one line, without its end; empty if a ledger could not be read
    std::string words; ///< for people, several lines
};

/// Everything it rests on.
struct Evidence
{
    const Observations& seen;
    const faults::LedgerView& ledger;
    const faults::ArrivalTally& tally;
    const std::optional<console::Scenario>& scenario;
    KeyLayer keys = KeyLayer::On;
};

/// The facts behind both texts.
struct Findings
{
    protocol::VerdictReport report; ///< its code is the worst of the ledgers and the purchases
    std::vector<console::PurchaseVerdict> purchases;
    std::string summary; ///< one sentence about the whole
    std::vector<std::string> notes;
};

[[nodiscard]] Findings findingsOf(const Evidence& evidence);
[[nodiscard]] Judgement judgementOf(const Evidence& evidence);
/// A ledger could not be read.
[[nodiscard]] Judgement unreadable();

} // namespace payonce::judge
