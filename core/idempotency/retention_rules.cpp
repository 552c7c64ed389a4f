#include "idempotency/retention_rules.h"

#include "values/check.h"

namespace payonce::idempotency {

bool liesBelow(const values::ActionId& id, values::WallTime watermark)
{
    const auto madeAt = id.madeAt();
    return madeAt && *madeAt < watermark;
}

bool mayPurge(const KeyRecord& record, values::WallTime watermark)
{
    return values::isTerminal(record.state) && record.settledAt && *record.settledAt < watermark &&
           liesBelow(record.id, watermark);
}

bool mayDropAnswer(const KeyRecord& record, values::WallTime watermark, const LedgerNumbers& numbers)
{
    if (!record.answer || !record.settledAt || mayPurge(record, watermark))
        return false;
    if (record.kind == RecordKind::Account)
        return *record.settledAt < accountAnswersFrom(watermark, numbers);
    return record.id.madeAt() && *record.settledAt < watermark;
}

values::WallTime accountAnswersFrom(values::WallTime watermark, const LedgerNumbers& numbers)
{
    return watermark + numbers.recordRetention - numbers.accountAnswers;
}

KeyRecord keptByOrder(const KeyRecord& record)
{
    CHECK(values::isTerminal(record.state) && record.terms.has_value() && !record.orderId.empty());
    KeyRecord kept{.account = record.account,
                   .id = record.id,
                   .policyId = record.policyId,
                   .fingerprint = record.fingerprint,
                   .terms = PaymentTerms{record.terms->cartId, record.terms->amount, {}, {}, {}}};
    kept.state = record.state;
    kept.firstSeen = record.firstSeen;
    kept.settledAt = record.settledAt;
    kept.paymentId = record.paymentId;
    kept.orderId = record.orderId;
    kept.orderNumber = record.orderNumber;
    kept.chargeId = record.chargeId;
    kept.declineCode = record.declineCode;
    kept.reason = record.reason;
    return kept;
}

std::optional<KeyRecord> wordOfPurged(const RecordKey& key, values::WallTime watermark, const std::optional<KeyRecord>& kept)
{
    if (!liesBelow(key.id, watermark))
        return {};
    if (kept)
        return kept;
    KeyRecord gone{.account = key.account, .id = key.id};
    gone.state = RecordState::Abandoned;
    gone.reason = AbandonReason::Expired;
    return gone;
}

bool wasMoved(const ClockReading& last, const ClockReading& now, const LedgerNumbers& numbers)
{
    const auto apart = (now.wall - last.wall) - (now.uptime - last.uptime);
    return std::chrono::abs(apart) > numbers.clockDriftMost;
}

bool isAheadOfClock(values::WallTime watermark, values::WallTime now, const LedgerNumbers& numbers)
{
    return watermark > now - numbers.recordRetention + numbers.clockDriftMost;
}

} // namespace payonce::idempotency
