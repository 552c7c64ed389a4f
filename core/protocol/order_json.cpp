#include "protocol/order_json.h"

#include "protocol/money_json.h"

namespace payonce::protocol {

namespace {

OrderedJson orderJson(const idempotency::Order& order)
{
    return {{"id", order.id},
            {"number", order.number},
            {"status", idempotency::nameOf(order.status)},
            {"action_id", order.actionId.toString()},
            {"cart_id", order.cartId},
            {"amount", moneyJson(order.amount)},
            {"created_at", values::toRfc3339(order.createdAt)}};
}

} // namespace

std::string renderOrder(const idempotency::Order& order)
{
    return textOf(orderJson(order));
}

std::string renderOrders(const OrderPage& page)
{
    OrderedJson orders = OrderedJson::array();
    for (const idempotency::Order& order : page.orders)
        orders.push_back(orderJson(order));
    return textOf({{"orders", std::move(orders)}, {"more", page.hasMore}});
}

} // namespace payonce::protocol
