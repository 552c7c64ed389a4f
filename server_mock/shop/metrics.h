// Port: what the shop counts for its operators (docs/operations.md). Every label is an enum, so that nothing a client sends
// makes a new series; accounts and actions are no labels.
#pragma once

#include "console/scenario.h"
#include "idempotency/event_rules.h"
#include "idempotency/once_rules.h"
#include "protocol/fields.h"
#include "shop/routes.h"

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

namespace payonce::shop {

/// How the claim of a keyed POST ended. The four in the middle are repeats: answered from the record, never run again.
enum class ClaimEnd { Run, Closed, Replayed, InProgress, OutcomeUnknown, Abandoned, Mismatch, Refused };
[[nodiscard]] ClaimEnd claimEndOf(const idempotency::ClaimDecision& decision);
[[nodiscard]] ClaimEnd claimEndOf(const idempotency::OnceDecision& decision);
/// Was a second execution kept from happening?
[[nodiscard]] bool isSuppressed(ClaimEnd end);

/// Where the number of presses was told.
enum class PressSource { Attempt, Report };

/// What waits in the shop's database, whichever of its servers will take it.
enum class Backlog { Mails, ParkedEvents };
/// A backlog is counted up to here: it is asked for often, and from here on only that it is long matters.
inline constexpr std::int64_t kBacklogCountedMost = 10'000;

/// One request at its end.
struct RequestFacts
{
    std::optional<Endpoint> endpoint;               ///< none: no endpoint was reached
    int status = 0;                                 ///< 0: the connection ended or fell silent without an answer
    std::optional<std::chrono::nanoseconds> took{}; ///< none: refused before it was complete
};

/// Counts nothing by itself. Called on the main thread; no call may take longer than a few hundred nanoseconds.
class Metrics
{
public:
    Metrics() = default;
    Metrics(const Metrics&) = delete;
    Metrics& operator=(const Metrics&) = delete;
    Metrics(Metrics&&) = delete;
    Metrics& operator=(Metrics&&) = delete;
    virtual ~Metrics() = default;

    virtual void claimed(idempotency::RecordKind /*kind*/, ClaimEnd /*end*/) {}
    /// This server moved a record to this state.
    virtual void became(values::RecordState /*state*/) {}
    /// A record was closed without a charge, by whomever.
    virtual void abandoned(idempotency::AbandonReason /*reason*/) {}
    /// The reconciler ended a record.
    virtual void reconciled(values::RecordState /*state*/) {}
    /// What a client said of itself in `Action-Attempt`.
    virtual void heard(console::Operation /*operation*/, const retry::AttemptNote& /*note*/) {}
    virtual void pressed(PressSource /*source*/, retry::State /*state*/, int /*times*/) {}
    virtual void ended(const RequestFacts& /*request*/) {}
    virtual void bankTold(idempotency::EventOutcome /*outcome*/) {}
    /// As it was counted last, at most kBacklogCountedMost.
    virtual void waiting(Backlog /*backlog*/, std::int64_t /*count*/) {}
};

} // namespace payonce::shop
