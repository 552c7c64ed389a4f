// The order as the screen shows it: plain values, filled by whoever fetched the cart.
#pragma once

#include "values/money.h"

#include <QtCore/QString>

#include <optional>
#include <vector>

namespace payonce::viewmodels {

struct CartLine
{
    QString name;
    int quantity = 1;
    values::Money amount; ///< of the whole line, before tax
};

struct Cart
{
    QString id;
    std::vector<CartLine> lines;
    values::Money tax;
    values::Money total; ///< what is charged
};

/// Why there is no cart to show.
enum class CartProblem {
    ShopUnreachable,
    ShopNotTrusted, ///< its certificate
    SignInRefused,
    BadAnswer, ///< the shop answered, but not with an order that can be paid
};

/// True if it can be paid as it is: an ID, one currency, every amount in range, lines + tax = total.
[[nodiscard]] bool isPayable(const Cart& cart);

} // namespace payonce::viewmodels
