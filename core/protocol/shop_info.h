// The answers of GET /v1/policy and GET /v1/cart.
#pragma once

#include "values/money.h"
#include "values/time.h"

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace payonce::protocol {

/// What this server promises, and to whom.
struct Policy
{
    std::string serverId;
    std::string account;
    std::chrono::days paymentRetention{30};
    std::chrono::days accountRetention{7};
    std::chrono::seconds inProgressMax{15};
    std::string keys = "uuidv7"; ///< or `any`
    values::WallTime time;       ///< the server's clock
    friend bool operator==(const Policy&, const Policy&) = default;
};

struct CartLine
{
    std::string name;
    int quantity = 1;
    values::Money amount; ///< the line's total before tax
    friend bool operator==(const CartLine&, const CartLine&) = default;
};

/// Lines and tax add up to the total, all in one currency.
struct Cart
{
    std::string cartId;
    std::vector<CartLine> lines;
    values::Money tax;
    values::Money total;
    friend bool operator==(const Cart&, const Cart&) = default;
};

[[nodiscard]] std::string renderPolicy(const Policy& policy);
[[nodiscard]] std::string renderCart(const Cart& cart);
/// Empty if it is not strict JSON of this form; a cart's sum must be right too.
[[nodiscard]] std::optional<Policy> parsePolicy(std::string_view body);
[[nodiscard]] std::optional<Cart> parseCart(std::string_view body);

} // namespace payonce::protocol
