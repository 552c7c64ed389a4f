// The verdict: what the records say happened, in one list of codes for simulator, judge and support.
#pragma once

#include "values/money.h"
#include "values/uuid.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace payonce::console {

/// Worst last, so that the total of several actions is their maximum. Four of them are only of a judged client
/// (client_verdict.h).
enum class VerdictCode {
    NotCharged,
    ChargedOnce,
    IgnoredRetryAfter,
    ResentBelowApplication,
    UnknownBeingChecked,
    ChargedOrderOpen,
    ChargedOrderCancelled,
    GaveUpThoughCharged,
    FreshKeyOnRetry,
    ChargedTwice
};

/// The facts about one action, counted in the records of bank, shop and arrivals.
struct ActionFacts
{
    std::string actionId;
    int charges = 0; ///< approved rows in the bank's database
    bool orderPaid = false;
    bool recordOpen = false; ///< in_progress or unknown
    int posts = 0;           ///< payment POSTs that arrived
    int attempts = 0;        ///< distinct attempt numbers among them
    int probes = 0;
    std::vector<std::string> evidence; ///< charge ids, order ids
    bool orderClosed = false;          ///< it never became paid, and never will
    bool hasDiscrepancy = false;       ///< an event of the bank says otherwise than the record
};

struct ActionVerdict
{
    ActionFacts facts;
    VerdictCode code = VerdictCode::NotCharged;
};

[[nodiscard]] VerdictCode judge(const ActionFacts& facts);
/// The worst of all; NotCharged where there is none.
[[nodiscard]] VerdictCode worst(const std::vector<ActionVerdict>& verdicts);

/// `charged_once`.
[[nodiscard]] std::string_view codeOf(VerdictCode code);
[[nodiscard]] std::optional<VerdictCode> verdictCodeOf(std::string_view code);
/// `charged once`; `charged but order not finished`; `unknown, being checked`.
[[nodiscard]] std::string_view phraseOf(VerdictCode code);
/// A sentence for people: "The bank charged this payment once and the order is paid."
[[nodiscard]] std::string_view wordsOf(VerdictCode code);

} // namespace payonce::console
