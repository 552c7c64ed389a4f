// The rules of kinds without a bank (account, support): claim, run and settle are one transaction, so such a record is never
// open, never unknown, and an abandon of an absent key is its tombstone alone (docs/contract.md, Sign-up).
#pragma once

#include "idempotency/ledger_rules.h"

#include <optional>
#include <string>
#include <variant>

namespace payonce::idempotency {

struct OnceRequest
{
    std::string account;
    values::ActionId id;
    RecordKind kind = RecordKind::Account; ///< never Payment
    std::string policyId;
    Fingerprint fingerprint;
    std::optional<values::WallTime> validUntil{};   ///< none: this body has no such member
    std::vector<PolicyFingerprint> otherPolicies{}; ///< as in ClaimRequest
};

/// Do the work, then write `record` with what it answers, all in this transaction.
struct RunOnce
{
    KeyRecord record;
};

using OnceDecision = std::variant<RunOnce, WriteTombstone, AnswerFrom, Mismatch, TooOld, RefuseClaim>;

/// In the order of decideClaim(): a record found answers alone. A purged key is too old, never run as new; one whose order
/// row is left was a payment's, and is a mismatch.
[[nodiscard]] OnceDecision decideOnce(const OnceRequest& request, const KeyFacts& facts, const WriterStamp& stamp,
                                      const LedgerNumbers& numbers);

/// The record once its work has answered: Succeeded, or Failed where the answer is an error.
[[nodiscard]] KeyRecord settledOnce(const KeyRecord& record, StoredAnswer answer);

} // namespace payonce::idempotency
