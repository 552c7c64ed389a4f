#include "viewmodels/cart.h"

namespace payonce::viewmodels {

namespace {

bool isInRange(std::int64_t amount)
{
    return amount >= -values::kLargestAmount && amount <= values::kLargestAmount;
}

} // namespace

bool isPayable(const Cart& cart)
{
    const auto& currency = cart.total.currency;
    const bool totalFits = cart.total.minorUnits >= values::kSmallestAmount && cart.total.minorUnits <= values::kLargestAmount;
    if (cart.id.isEmpty() || cart.lines.empty() || !totalFits || cart.tax.currency != currency ||
        !isInRange(cart.tax.minorUnits))
        return false;
    std::int64_t sum = cart.tax.minorUnits;
    for (const auto& line : cart.lines) {
        if (line.amount.currency != currency || line.quantity < 1 || !isInRange(line.amount.minorUnits))
            return false;
        sum += line.amount.minorUnits;
        if (!isInRange(sum))
            return false;
    }
    return sum == cart.total.minorUnits;
}

} // namespace payonce::viewmodels
