// POST /v1/actions/{id}/abandon: two durable steps, the wish in the ledger and the fence at the bank (docs/contract.md,
// Abandon).
#pragma once

#include "shop/incoming.h"
#include "shop/shop_parts.h"

#include <memory>

namespace payonce::shop {

class Abandonment
{
public:
    explicit Abandonment(ShopParts& parts) : m_parts(parts) {}

    /// The request is authenticated and its path names an action ID.
    void abandon(const std::shared_ptr<Incoming>& incoming);
    /// The second step for an open record that wishes to be cancelled: the bank fences, and the record is settled by its
    /// answer.
    void fenceAtBank(const idempotency::KeyRecord& record);

private:
    void lookedUp(const std::shared_ptr<Incoming>& incoming, const idempotency::AbandonDecision& decision);
    void decided(const std::shared_ptr<Incoming>& incoming, const idempotency::AbandonDecision& decision);
    void awaitEnd(const std::shared_ptr<Incoming>& incoming, const idempotency::KeyRecord& record);
    void tellPresent(const std::shared_ptr<Incoming>& incoming, const idempotency::KeyRecord& record);
    void tell(const std::shared_ptr<Incoming>& incoming, const idempotency::KeyRecord& record);

    ShopParts& m_parts;
};

} // namespace payonce::shop
