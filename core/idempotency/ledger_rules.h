// The ledger's rules: pure decisions that every store carries out inside one transaction.
//
// Claim before the bank, one bank key a record for ever, look-up before every rule that can change, mismatch seen
// in every state, whoever settles first wins and everybody else answers from the record as it stands.
// Rule by rule: docs/contract.md.
#pragma once

#include "idempotency/key_record.h"
#include "idempotency/problem.h"

#include <string>
#include <variant>
#include <vector>

namespace payonce::idempotency {

struct LedgerNumbers
{
    using ms = std::chrono::milliseconds;
    ms bankLimit{8000};     ///< one bank call, then `unknown`
    ms abandonLimit{3000};  ///< an abandon waits this long for the end, then tells how the record stands
    ms evidenceLimit{3000}; ///< support waits this long for the bank's rows, then tells what the shop knows
    ms lease{15000};        ///< no bank call outlives it
    ms reconcileEvery{1000};
    ms askAgainFirst{1000}; ///< doubled up to askAgainMost while the bank is silent
    ms askAgainMost{60000};
    ms retryAfter{1000};
    ms validUntilMost{std::chrono::hours(24)};
    ms keyAheadMost{std::chrono::hours(24)};
    int openRecordsMost = 1000; ///< per account
    int tombstonesMost = 1000;  ///< new ones per account and tombstoneSpan
    ms tombstoneSpan{std::chrono::hours(1)};
    std::int64_t reportsMost = 1000; ///< per account, server and reportSpan
    std::int64_t reportBytesMost = 4 * 1024 * 1024;
    ms reportSpan{std::chrono::hours(1)};
    ms recordRetention{std::chrono::hours(24 * 30)};
    ms accountAnswers{std::chrono::hours(24 * 7)}; ///< how long the answer to a sign-up is kept; its record stays longer
    ms purgeEvery{std::chrono::hours(1)};
    ms clockDriftMost{std::chrono::hours(1)}; ///< between wall and monotonic progress, else nothing is purged
};

/// What the same content hashes to under another policy (canonical form and hash) than the present one.
struct PolicyFingerprint
{
    std::string policyId;
    Fingerprint fingerprint;
};

struct ClaimRequest
{
    std::string account;
    values::ActionId id;
    std::string policyId;
    Fingerprint fingerprint; ///< under policyId
    PaymentTerms terms;
    /// Under every other policy this version still knows: a record is compared under the policy it was stored with.
    std::vector<PolicyFingerprint> otherPolicies{};
};

/// Who claims, when, and the fresh random names the record would get.
struct ClaimStamp
{
    std::string owner;    ///< homeOf()
    values::WallTime now; ///< the database's clock
    values::BankKey bankKey;
    std::string paymentId;
    std::string orderId;
};

/// What the store found of a key, inside the transaction. A record answers alone, and so does what is left of one: then the
/// rest may be left out.
struct KeyFacts
{
    std::optional<KeyRecord> record;
    std::optional<KeyRecord> purged; ///< without a record: what wordOfPurged() says of the key
    int newTombstones = 0;           ///< of the account, within tombstoneSpan
    values::WallTime roomAt;         ///< of tombstonesMost: when there is room for another one
};

/// What a claim needs to know besides.
struct ClaimFacts : KeyFacts
{
    std::optional<values::ActionId> cartHolder; ///< the action with the open or paid order of this cart
    std::optional<values::Money> cartTotal;     ///< only of a cart the shop knows
    bool paymentMethodKnown = false;
    int openRecords = 0;
    FenceNumber nextFence = 1;
    std::string nextOrderNumber;
};

// A table, one decision a line.
// clang-format off

/// Write `record` and its order row, then ask the bank.
struct Execute { KeyRecord record; };
/// Write `record` (a tombstone), then answer from it.
struct WriteTombstone { KeyRecord record; };
/// Write nothing; answer from `record` as it stands.
struct AnswerFrom { KeyRecord record; };
/// Same key, other content. Nothing of the record is shown.
struct Mismatch {};
/// A rule that can change refused it; nothing is remembered. `retryAfter`: where it is known when that rule is over.
struct RefuseClaim { ProblemCode code; std::string detail; std::optional<std::chrono::milliseconds> retryAfter{}; };

// clang-format on

/// What a request hashes to under the policy that a record was stored with; empty: a policy of a version we do not know.
[[nodiscard]] std::optional<Fingerprint> fingerprintUnder(const std::string& storedPolicy, const PolicyFingerprint& present,
                                                          const std::vector<PolicyFingerprint>& others);

/// The refusals that every kind of key shares.
[[nodiscard]] RefuseClaim tooManyTombstones(const KeyFacts& facts, values::WallTime now);
[[nodiscard]] RefuseClaim tooFarAhead(); ///< valid_until
/// Neither "the same" nor "another" may be said of what fingerprintUnder() cannot compare.
[[nodiscard]] RefuseClaim storedByANewerVersion();

/// A record found decides alone: it answers, unless it is about other content. `Request` has a policy, a fingerprint and the
/// fingerprints under other policies; `Decision` is what such a request comes to.
template <class Decision, class Request> [[nodiscard]] Decision answeredBy(const KeyRecord& record, const Request& request)
{
    if (!record.fingerprint)
        return AnswerFrom{record};
    const auto same = fingerprintUnder(record.policyId, {request.policyId, request.fingerprint}, request.otherPolicies);
    if (!same)
        return storedByANewerVersion();
    if (*record.fingerprint != *same)
        return Mismatch{};
    return AnswerFrom{record};
}

using ClaimDecision = std::variant<Execute, WriteTombstone, AnswerFrom, Mismatch, RefuseClaim>;

[[nodiscard]] ClaimDecision decideClaim(const ClaimRequest& request, const ClaimFacts& facts, const ClaimStamp& stamp,
                                        const LedgerNumbers& numbers);

/// What a record is found by.
struct RecordKey
{
    std::string account;
    values::ActionId id;
    RecordKind kind = RecordKind::Payment; ///< what the caller says it is; only a new tombstone takes it
};

/// Who writes, and when.
struct WriterStamp
{
    std::string owner;
    values::WallTime now; ///< the database's clock
};

/// Write `record` (it wishes to be cancelled now), then have the bank fence its key and settle by what it answers.
struct FenceAtBank
{
    KeyRecord record;
};

/// Below the watermark and without a record. `record` is what wordOfPurged() says, true for a key of a payment.
struct TooOld
{
    KeyRecord record;
};

using AbandonDecision = std::variant<WriteTombstone, FenceAtBank, AnswerFrom, TooOld, RefuseClaim>;

/// The first durable step of an abandon. An absent key gets a tombstone without a fingerprint: whatever comes for it later
/// is refused. An open record never becomes Abandoned here; only the bank's fence may say that nothing was charged.
[[nodiscard]] AbandonDecision decideAbandon(const RecordKey& key, const KeyFacts& facts, const WriterStamp& stamp,
                                            const LedgerNumbers& numbers);

/// The record after the bank's row; empty if the row settles nothing (Running, NeverSeen) or the record is terminal.
/// The stored answer is left to the caller (it is JSON); everything else is built from the bank's row alone.
[[nodiscard]] std::optional<KeyRecord> settled(const KeyRecord& record, const BankRow& row, values::WallTime now);

enum class ReconcileStep { Settle, Charge, Fence, AskLater };
/// What the reconciler does with an open record after `lookup(bank_key)`. One that wishes to be cancelled is never charged.
[[nodiscard]] ReconcileStep nextStep(const KeyRecord& record, const BankRow& row, values::WallTime now);

/// An owner is one life of a server, named `HOME/RUN`: HOME is its data directory, which one process at a time uses, so any
/// other RUN of it is dead. Gives `HOME/`; the whole name where it has no HOME.
[[nodiscard]] std::string_view homeOf(std::string_view owner);

/// A lease that ends further ahead than this was given by a clock that has since been set back, and does not count.
[[nodiscard]] std::chrono::milliseconds leaseBelievedMost(const LedgerNumbers& numbers);

/// May `owner` with `fence` still write this record?
[[nodiscard]] bool mayWrite(const KeyRecord& record, std::string_view owner, FenceNumber fence);

/// How often the reconciler asked the bank about an open record, and when it may ask again.
struct AskPlan
{
    int asked = 0;
    values::WallTime nextAt;
    friend bool operator==(const AskPlan&, const AskPlan&) = default;
};

/// May the reconciler of `owner` take this record over now? An open record of an earlier life of the same server: at once.
/// Another server's: once its lease has lapsed. One of its own: when it is unknown or past its lease. The latter two not before
/// the plan's time (a plan further ahead than askAgainMost was made by a clock that has since been set back, and does not
/// count).
[[nodiscard]] bool mayTakeOver(const KeyRecord& record, const AskPlan& plan, std::string_view owner, values::WallTime now,
                               const LedgerNumbers& numbers);
/// The plan after one more question: askAgainFirst, doubled each time up to askAgainMost. Starts anew in a new life of the
/// same server.
[[nodiscard]] AskPlan planAfterTakeOver(const KeyRecord& record, const AskPlan& plan, std::string_view owner,
                                        values::WallTime now, const LedgerNumbers& numbers);
/// The record once `owner` has it: unknown, under the next fence number, with a fresh lease.
[[nodiscard]] KeyRecord takenOver(const KeyRecord& record, const std::string& owner, FenceNumber nextFence,
                                  values::WallTime now, const LedgerNumbers& numbers);

} // namespace payonce::idempotency
