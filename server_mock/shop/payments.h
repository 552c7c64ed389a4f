// POST /v1/payments (docs/contract.md, Requests and Answers): form, claim, then run, replay, wait or refuse.
#pragma once

#include "shop/incoming.h"
#include "shop/shop_parts.h"

#include <memory>

namespace payonce::shop {

inline constexpr const char* kPaymentRoute = "POST /v1/payments";

class Payments
{
public:
    explicit Payments(ShopParts& parts) : m_parts(parts) {}

    /// The request is authenticated, its key and head are well-formed, its body is JSON by its type.
    void pay(const std::shared_ptr<Incoming>& incoming);

private:
    void lookedUp(const std::shared_ptr<Incoming>& incoming, const idempotency::ClaimDecision& decision);
    void decided(const std::shared_ptr<Incoming>& incoming, const idempotency::ClaimDecision& decision);
    void tellOnceLookedUp(const std::shared_ptr<Incoming>& incoming, const http::Response& response);
    void repeatOpen(const std::shared_ptr<Incoming>& incoming, const idempotency::KeyRecord& record);
    void tell(const std::shared_ptr<Incoming>& incoming, const http::Response& response);

    ShopParts& m_parts;
};

} // namespace payonce::shop
