// From facts to meaning: final, not sent, or unknown. Tables: docs/client.md and RFC 9110.
#pragma once

#include "retry/wire_result.h"

namespace payonce::retry {

enum class OutcomeKind {
    NotSent,      ///< proven: no byte of the body was taken
    Final,        ///< `answer` holds it
    Working,      ///< in progress at the shop
    BeingChecked, ///< the shop itself asks its bank
    NotFound,     ///< the shop has no record (yet)
    Wait,         ///< rate limited or store unavailable: same ID after `delay`
    TryAgain,     ///< 408, 421, 425: probe, then the same ID
    Refused,      ///< a refusal that is not remembered
    SignInNeeded, ///< 401, 403
    KeyReused,
    CartTaken,
    ContraryAnswer, ///< authentic, but the amount is not ours
    Unknown,        ///< everything else
};

struct Outcome
{
    OutcomeKind kind = OutcomeKind::Unknown;
    FinalAnswer answer;                             ///< of Final
    std::optional<std::chrono::milliseconds> delay; ///< server advice, if any
    std::string detail;                             ///< the server's sentence, if any
    std::string heldBy;                             ///< of CartTaken
};

/// Complete, unencoded, digest right, parsed, and about this action (docs/client.md, invariant 4).
[[nodiscard]] bool isAuthentic(const WireResult& result, const values::ActionId& id);

/// What the end of a payment POST means for action `id` of `amount`.
[[nodiscard]] Outcome classifyPost(const WireResult& result, const values::ActionId& id, const values::Money& amount);

/// What the end of a probe (`GET /v1/actions/{id}`) means. A probe is never NotSent: it carries nothing.
[[nodiscard]] Outcome classifyProbe(const WireResult& result, const values::ActionId& id, const values::Money& amount);

/// Why an outcome of `kind` leaves the action Unresolved.
[[nodiscard]] Cause causeOf(OutcomeKind kind);

/// Causes after which the same bytes are never sent again, not even by a person's step.
[[nodiscard]] bool forbidsPosts(Cause cause);

} // namespace payonce::retry
