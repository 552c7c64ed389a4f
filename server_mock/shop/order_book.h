// GET /v1/orders and /v1/orders/{id}: the account's own orders; another account's do not exist.
#pragma once

#include "shop/incoming.h"
#include "shop/shop_parts.h"

#include <memory>

namespace payonce::shop {

/// Orders in one answer, the newest ones.
inline constexpr int kOrdersToldMost = 50;

class OrderBook
{
public:
    explicit OrderBook(ShopParts& parts) : m_parts(parts) {}

    /// Both: the request is authenticated.
    void list(const std::shared_ptr<Incoming>& incoming);
    void look(const std::shared_ptr<Incoming>& incoming);

private:
    void tell(const std::shared_ptr<Incoming>& incoming, const std::string& body);

    ShopParts& m_parts;
};

} // namespace payonce::shop
