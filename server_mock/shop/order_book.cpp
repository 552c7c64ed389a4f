#include "shop/order_book.h"

#include "protocol/order_json.h"
#include "shop/replies.h"

namespace payonce::shop {

using idempotency::Order;

void OrderBook::list(const std::shared_ptr<Incoming>& incoming)
{
    using Orders = std::vector<Order>;
    m_parts.records.work<Orders>([account = incoming->arrival.account](
                                     ShopStore& store) { return store.tables().ordersOf(account, kOrdersToldMost + 1); },
                                 [this, incoming](const Outcome<Orders>& orders) {
                                     if (!orders)
                                         return m_parts.faults.answer(incoming->arrival,
                                                                      storeUnavailable(*incoming, m_parts.numbers.retryAfter));
                                     protocol::OrderPage page{*orders, orders->size() > kOrdersToldMost};
                                     if (page.hasMore)
                                         page.orders.pop_back();
                                     tell(incoming, protocol::renderOrders(page));
                                 });
}

void OrderBook::look(const std::shared_ptr<Incoming>& incoming)
{
    m_parts.records.work<std::optional<Order>>(
        [account = incoming->arrival.account, id = incoming->orderId](ShopStore& store) {
            return store.tables().findOrder(account, id);
        },
        [this, incoming](const Outcome<std::optional<Order>>& order) {
            if (!order)
                return m_parts.faults.answer(incoming->arrival, storeUnavailable(*incoming, m_parts.numbers.retryAfter));
            if (*order)
                return tell(incoming, protocol::renderOrder(**order));
            protocol::Problem problem{idempotency::ProblemCode::NotFound, "This account has no such order.", incoming->echo()};
            problem.instance = incoming->request().path.toStdString();
            m_parts.faults.answer(incoming->arrival, responseOf(problem));
        });
}

void OrderBook::tell(const std::shared_ptr<Incoming>& incoming, const std::string& body)
{
    m_parts.faults.answer(incoming->arrival, okResponse(body, incoming->echo()));
}

} // namespace payonce::shop
