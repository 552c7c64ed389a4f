#include "core/storage/durable_bench.h"

#include "core/idempotency/ledger_fixture.h"

#include <algorithm>

using namespace payonce::samples;
using namespace std::chrono_literals;

namespace payonce::tests {

std::string DurableBench::addCart(const std::string& account, const values::Money& total)
{
    orFail(m_shop.ledger().beginBatch());
    const auto cart = valueOrFail(m_shop.tables().openCart(account, {{"Ink", 1, total}}, values::Money{0, total.currency}));
    orFail(m_shop.ledger().commitBatch());
    return cart.id;
}

void DurableBench::addPaymentMethod(const std::string& account, const std::string& id)
{
    orFail(m_shop.ledger().beginBatch());
    orFail(m_shop.tables().savePaymentMethod({id, account, "visa", "4242", kNow + 24h}, kNow));
    orFail(m_shop.ledger().commitBatch());
}

std::vector<idempotency::Order> DurableBench::orders()
{
    auto orders = valueOrFail(m_shop.tables().newestOrders(1000));
    std::reverse(orders.begin(), orders.end());
    return orders;
}

} // namespace payonce::tests
