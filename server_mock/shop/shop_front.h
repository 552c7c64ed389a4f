// GET /v1/policy and GET /v1/cart: what the shop promises and what it sells.
#pragma once

#include "shop/incoming.h"
#include "shop/shop_parts.h"

#include <memory>

namespace payonce::shop {

class ShopFront
{
public:
    explicit ShopFront(ShopParts& parts) : m_parts(parts) {}

    /// Both: the request is authenticated.
    void policy(const std::shared_ptr<Incoming>& incoming);
    void cart(const std::shared_ptr<Incoming>& incoming);

private:
    ShopParts& m_parts;
};

} // namespace payonce::shop
