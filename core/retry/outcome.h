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
    Discrepancy,    ///< the shop itself says that its records contradict each other
    TooOld,         ///< `key-too-old`: nobody can tell any more
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

/// What the end of a POST means for action `id`. `amount`: what a success must say; empty where nothing is paid, or where
/// the action is another device's.
[[nodiscard]] Outcome classifyPost(const WireResult& result, const values::ActionId& id,
                                   const std::optional<values::Money>& amount);

/// What the end of a probe (`GET /v1/actions/{id}`) or of a fence (`POST …/abandon`) means. Neither is ever NotSent.
[[nodiscard]] Outcome classifyProbe(const WireResult& result, const values::ActionId& id,
                                    const std::optional<values::Money>& amount);

/// Why an outcome of `kind` leaves the action without an answer.
[[nodiscard]] Cause causeOf(OutcomeKind kind);

/// The shop contradicts itself or us (invariant 13).
[[nodiscard]] bool isContradiction(OutcomeKind kind);

/// Causes after which the same bytes are never sent again, not even by a person's step.
[[nodiscard]] bool forbidsPosts(Cause cause);

} // namespace payonce::retry
