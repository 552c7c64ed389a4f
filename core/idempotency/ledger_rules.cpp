#include "idempotency/ledger_rules.h"

#include "values/check.h"

#include <algorithm>

namespace payonce::idempotency {

namespace {

KeyRecord claimedRecord(const ClaimRequest& request, const ClaimFacts& facts, const ClaimStamp& stamp,
                        const LedgerNumbers& numbers)
{
    KeyRecord record{.account = request.account,
                     .id = request.id,
                     .policyId = request.policyId,
                     .fingerprint = request.fingerprint,
                     .terms = request.terms};
    record.state = RecordState::InProgress;
    record.owner = stamp.owner;
    record.fence = facts.nextFence;
    record.leaseUntil = stamp.now + numbers.lease;
    record.bankKey = stamp.bankKey;
    record.firstSeen = stamp.now;
    record.paymentId = stamp.paymentId;
    record.orderId = stamp.orderId;
    record.orderNumber = facts.nextOrderNumber;
    return record;
}

/// It keeps the fingerprint, so that the same body gets the same answer again and another body is a mismatch.
KeyRecord tombstone(const ClaimRequest& request, const ClaimStamp& stamp, AbandonReason reason, std::string heldBy)
{
    KeyRecord record{.account = request.account,
                     .id = request.id,
                     .policyId = request.policyId,
                     .fingerprint = request.fingerprint,
                     .terms = request.terms};
    record.state = RecordState::Abandoned;
    record.owner = stamp.owner;
    record.leaseUntil = stamp.now;
    record.firstSeen = stamp.now;
    record.settledAt = stamp.now;
    record.reason = reason;
    record.heldBy = std::move(heldBy);
    return record;
}

KeyRecord cancelledBeforeItCame(const RecordKey& key, const WriterStamp& stamp)
{
    KeyRecord record{.account = key.account, .id = key.id, .kind = key.kind};
    record.state = RecordState::Abandoned;
    record.owner = stamp.owner;
    record.leaseUntil = stamp.now;
    record.firstSeen = stamp.now;
    record.settledAt = stamp.now;
    record.reason = AbandonReason::Cancelled;
    return record;
}

/// The owner is dead: another run of the one server that has this data directory.
bool isEarlierLife(std::string_view recordOwner, std::string_view owner)
{
    return recordOwner != owner && homeOf(recordOwner) == homeOf(owner);
}

bool mustNotBeCharged(const KeyRecord& record, values::WallTime now)
{
    CHECK(record.terms.has_value());
    return record.cancelRequested || record.terms->validUntil <= now;
}

} // namespace

std::optional<Fingerprint> fingerprintUnder(const std::string& storedPolicy, const PolicyFingerprint& present,
                                            const std::vector<PolicyFingerprint>& others)
{
    if (storedPolicy == present.policyId)
        return present.fingerprint;
    const auto known = std::find_if(others.begin(), others.end(),
                                    [&storedPolicy](const PolicyFingerprint& other) { return other.policyId == storedPolicy; });
    return known == others.end() ? std::nullopt : std::optional(known->fingerprint);
}

RefuseClaim storedByANewerVersion()
{
    return {ProblemCode::StoreUnavailable, "a newer version of the shop stored this action"};
}

RefuseClaim tooManyTombstones(const KeyFacts& facts, values::WallTime now)
{
    constexpr std::chrono::milliseconds kShortest{1};
    return {ProblemCode::RateLimited, "too many actions of this account were closed within an hour",
            std::max(kShortest, facts.roomAt - now)};
}

RefuseClaim tooFarAhead()
{
    return {ProblemCode::MemberInvalid, "valid_until: more than 24 h ahead"};
}

ClaimDecision decideClaim(const ClaimRequest& request, const ClaimFacts& facts, const ClaimStamp& stamp,
                          const LedgerNumbers& numbers)
{
    if (facts.record)
        return answeredBy<ClaimDecision>(*facts.record, request);
    if (facts.purged)
        return answeredBy<ClaimDecision>(*facts.purged, request); // never run as new
    const bool isFull = facts.newTombstones >= numbers.tombstonesMost;
    if (request.terms.validUntil <= stamp.now && isFull)
        return tooManyTombstones(facts, stamp.now);
    if (request.terms.validUntil <= stamp.now)
        return WriteTombstone{tombstone(request, stamp, AbandonReason::Expired, {})};
    if (request.terms.validUntil > stamp.now + numbers.validUntilMost)
        return tooFarAhead();
    if (!facts.paymentMethodKnown)
        return RefuseClaim{ProblemCode::MemberInvalid, "payment_method: not known or no longer valid"};
    if (facts.cartTotal && *facts.cartTotal != request.terms.amount)
        return RefuseClaim{ProblemCode::AmountMismatch, "amount: not the total of the cart"};
    if (facts.cartHolder && isFull)
        return tooManyTombstones(facts, stamp.now);
    if (facts.cartHolder)
        return WriteTombstone{tombstone(request, stamp, AbandonReason::CartTaken, facts.cartHolder->toString())};
    if (facts.openRecords >= numbers.openRecordsMost)
        return RefuseClaim{ProblemCode::RateLimited, "too many payments of this account are open"};
    return Execute{claimedRecord(request, facts, stamp, numbers)};
}

AbandonDecision decideAbandon(const RecordKey& key, const KeyFacts& facts, const WriterStamp& stamp,
                              const LedgerNumbers& numbers)
{
    if (!facts.record && facts.purged)
        return TooOld{*facts.purged};
    if (!facts.record && facts.newTombstones >= numbers.tombstonesMost)
        return tooManyTombstones(facts, stamp.now);
    if (!facts.record)
        return WriteTombstone{cancelledBeforeItCame(key, stamp)};
    if (values::isTerminal(facts.record->state))
        return AnswerFrom{*facts.record};
    KeyRecord wishing = *facts.record;
    wishing.cancelRequested = true;
    return FenceAtBank{std::move(wishing)};
}

std::optional<KeyRecord> settled(const KeyRecord& record, const BankRow& row, values::WallTime now)
{
    if (values::isTerminal(record.state))
        return {};
    KeyRecord result = record;
    result.settledAt = now;
    switch (row.state) {
    case BankState::Approved:
        result.state = RecordState::Succeeded;
        result.chargeId = row.chargeId;
        return result;
    case BankState::Declined:
        result.state = RecordState::Failed;
        result.declineCode = row.declineCode;
        return result;
    case BankState::Fenced:
        result.state = RecordState::Abandoned;
        result.reason = record.cancelRequested ? AbandonReason::Cancelled : AbandonReason::Expired;
        return result;
    case BankState::Running:
    case BankState::NeverSeen: return {};
    }
    return {};
}

ReconcileStep nextStep(const KeyRecord& record, const BankRow& row, values::WallTime now)
{
    switch (row.state) {
    case BankState::Approved:
    case BankState::Declined:
    case BankState::Fenced: return ReconcileStep::Settle;
    case BankState::Running: return ReconcileStep::AskLater;
    case BankState::NeverSeen: return mustNotBeCharged(record, now) ? ReconcileStep::Fence : ReconcileStep::Charge;
    }
    return ReconcileStep::AskLater;
}

std::string_view homeOf(std::string_view owner)
{
    return owner.substr(0, owner.find('/') == std::string_view::npos ? owner.size() : owner.find('/') + 1);
}

std::chrono::milliseconds leaseBelievedMost(const LedgerNumbers& numbers)
{
    // Servers read the clock a little apart; a lease must not look wrong for that.
    return numbers.lease + numbers.askAgainMost;
}

bool mayWrite(const KeyRecord& record, std::string_view owner, FenceNumber fence)
{
    return !values::isTerminal(record.state) && record.owner == owner && record.fence == fence;
}

bool mayTakeOver(const KeyRecord& record, const AskPlan& plan, std::string_view owner, values::WallTime now,
                 const LedgerNumbers& numbers)
{
    if (values::isTerminal(record.state))
        return false;
    if (isEarlierLife(record.owner, owner))
        return true;
    const bool isLapsed = record.leaseUntil <= now || record.leaseUntil > now + leaseBelievedMost(numbers);
    const bool isIdle = isLapsed || (record.owner == owner && record.state == RecordState::Unknown);
    const bool isDue = plan.nextAt <= now || plan.nextAt > now + numbers.askAgainMost;
    return isIdle && isDue;
}

AskPlan planAfterTakeOver(const KeyRecord& record, const AskPlan& plan, std::string_view owner, values::WallTime now,
                          const LedgerNumbers& numbers)
{
    // More doublings than any askAgainMost needs would only overflow.
    constexpr int kDoublingsMost = 20;
    const int before = isEarlierLife(record.owner, owner) ? 0 : std::min(plan.asked, kDoublingsMost);
    const auto wait = std::min(numbers.askAgainFirst * (std::int64_t{1} << before), numbers.askAgainMost);
    return {before + 1, now + wait};
}

KeyRecord takenOver(const KeyRecord& record, const std::string& owner, FenceNumber nextFence, values::WallTime now,
                    const LedgerNumbers& numbers)
{
    CHECK(!values::isTerminal(record.state));
    KeyRecord result = record;
    result.state = RecordState::Unknown;
    result.owner = owner;
    result.fence = nextFence;
    result.leaseUntil = now + numbers.lease;
    return result;
}

} // namespace payonce::idempotency
