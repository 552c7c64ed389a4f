// The order of a payment: what holds the cart while the payment is open and for ever once it is paid.
#pragma once

#include "idempotency/key_record.h"

namespace payonce::idempotency {

/// Open and Paid hold the cart: one such order per (account, cart). Closed frees it.
enum class OrderStatus { Open, Paid, Closed };

struct Order
{
    std::string id;
    std::string number;
    std::string account;
    values::ActionId actionId;
    std::string cartId;
    values::Money amount;
    OrderStatus status = OrderStatus::Open;
    values::WallTime createdAt;
    friend bool operator==(const Order&, const Order&) = default;
};

/// Open while the record is, Paid when it succeeded, Closed when it failed or was abandoned.
[[nodiscard]] OrderStatus orderStatusFor(RecordState state);
/// The order of a record that has a bank key; a tombstone has none.
[[nodiscard]] Order orderOf(const KeyRecord& record);

/// `open`, `paid`, `closed`.
[[nodiscard]] const char* nameOf(OrderStatus status);
[[nodiscard]] std::optional<OrderStatus> orderStatusOf(std::string_view name);

} // namespace payonce::idempotency
