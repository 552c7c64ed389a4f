#include "idempotency/order.h"

#include "values/check.h"

namespace payonce::idempotency {

OrderStatus orderStatusFor(RecordState state)
{
    switch (state) {
    case RecordState::InProgress:
    case RecordState::Unknown: return OrderStatus::Open;
    case RecordState::Succeeded: return OrderStatus::Paid;
    case RecordState::Failed:
    case RecordState::Abandoned: return OrderStatus::Closed;
    }
    return OrderStatus::Open;
}

Order orderOf(const KeyRecord& record)
{
    CHECK(record.terms.has_value() && !record.orderId.empty());
    return {record.orderId,       record.orderNumber,           record.account,  record.id, record.terms->cartId,
            record.terms->amount, orderStatusFor(record.state), record.firstSeen};
}

const char* nameOf(OrderStatus status)
{
    switch (status) {
    case OrderStatus::Open: return "open";
    case OrderStatus::Paid: return "paid";
    case OrderStatus::Closed: return "closed";
    }
    return "";
}

std::optional<OrderStatus> orderStatusOf(std::string_view name)
{
    for (const auto status : {OrderStatus::Open, OrderStatus::Paid, OrderStatus::Closed})
        if (name == nameOf(status))
            return status;
    return {};
}

} // namespace payonce::idempotency
