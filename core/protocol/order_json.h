// The answers of GET /v1/orders and GET /v1/orders/{id}.
#pragma once

#include "idempotency/order.h"

#include <string>
#include <vector>

namespace payonce::protocol {

/// Orders of one account, newest first.
struct OrderPage
{
    std::vector<idempotency::Order> orders;
    bool hasMore = false; ///< there are older ones that are not told
};

[[nodiscard]] std::string renderOrder(const idempotency::Order& order);
[[nodiscard]] std::string renderOrders(const OrderPage& page);

} // namespace payonce::protocol
