// Key records whose answers are the referee's fixtures.
#pragma once

#include "idempotency/key_record.h"
#include "protocol/answer.h"

namespace payonce::samples {

inline values::ActionId actionId()
{
    return values::ActionId::parse("0198c0de-7a11-7c3e-9f00-6b1f0a2c4d5e").value();
}

inline values::Money amount()
{
    return {4200, values::Currency::fromCode("EUR").value()};
}

inline values::WallTime time(const char* text)
{
    return values::fromRfc3339(text).value();
}

inline idempotency::KeyRecord openRecord(idempotency::RecordState state)
{
    idempotency::KeyRecord record{
        .account = "acct_1",
        .id = actionId(),
        .policyId = "v1",
        .fingerprint = idempotency::Fingerprint{},
        .terms = idempotency::PaymentTerms{"cart_1", amount(), "pm_9c41", "a@example.com", time("2026-12-01T10:00:00Z")},
        .leaseUntil = time("2026-11-30T10:00:16.250Z"),
        .firstSeen = time("2026-11-30T10:00:01.250Z"),
    };
    record.state = state;
    record.paymentId = "pay_5b20";
    record.orderId = "ord_33aa";
    record.orderNumber = "1001";
    return record;
}

inline idempotency::KeyRecord succeeded()
{
    auto record = openRecord(idempotency::RecordState::Succeeded);
    record.chargeId = "ch_81ff";
    record.answer = protocol::renderStored(record);
    return record;
}

inline idempotency::KeyRecord declined(const char* declineCode = "insufficient_funds")
{
    auto record = openRecord(idempotency::RecordState::Failed);
    record.declineCode = declineCode;
    record.answer = protocol::renderStored(record);
    return record;
}

inline idempotency::KeyRecord abandoned(idempotency::AbandonReason reason)
{
    auto record = openRecord(idempotency::RecordState::Abandoned);
    record.reason = reason;
    if (reason == idempotency::AbandonReason::CartTaken)
        record.heldBy = "0198c0de-0000-7000-8000-000000000001";
    return record;
}

} // namespace payonce::samples
