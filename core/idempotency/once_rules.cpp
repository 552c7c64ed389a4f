#include "idempotency/once_rules.h"

#include "values/check.h"

#include <utility>

namespace payonce::idempotency {

namespace {

KeyRecord newRecord(const OnceRequest& request, const WriterStamp& stamp)
{
    KeyRecord record{.account = request.account,
                     .id = request.id,
                     .kind = request.kind,
                     .policyId = request.policyId,
                     .fingerprint = request.fingerprint};
    record.owner = stamp.owner;
    record.leaseUntil = stamp.now;
    record.firstSeen = stamp.now;
    record.settledAt = stamp.now;
    return record;
}

OnceDecision decidePurged(const KeyRecord& purged)
{
    if (purged.fingerprint)
        return Mismatch{};
    return TooOld{purged};
}

OnceDecision closeAsExpired(KeyRecord record, const KeyFacts& facts, const LedgerNumbers& numbers)
{
    if (facts.newTombstones >= numbers.tombstonesMost)
        return tooManyTombstones(facts, record.firstSeen);
    record.state = RecordState::Abandoned;
    record.reason = AbandonReason::Expired;
    return WriteTombstone{std::move(record)};
}

} // namespace

OnceDecision decideOnce(const OnceRequest& request, const KeyFacts& facts, const WriterStamp& stamp,
                        const LedgerNumbers& numbers)
{
    CHECK(request.kind != RecordKind::Payment);
    if (facts.record)
        return answeredBy<OnceDecision>(*facts.record, request);
    if (facts.purged)
        return decidePurged(*facts.purged);
    if (request.validUntil && *request.validUntil <= stamp.now)
        return closeAsExpired(newRecord(request, stamp), facts, numbers);
    if (request.validUntil && *request.validUntil > stamp.now + numbers.validUntilMost)
        return tooFarAhead();
    return RunOnce{newRecord(request, stamp)};
}

KeyRecord settledOnce(const KeyRecord& record, StoredAnswer answer)
{
    constexpr int kFirstError = 400;
    KeyRecord result = record;
    result.state = answer.status < kFirstError ? RecordState::Succeeded : RecordState::Failed;
    result.answer = std::move(answer);
    return result;
}

} // namespace payonce::idempotency
