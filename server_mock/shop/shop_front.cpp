#include "shop/shop_front.h"

#include "protocol/shop_info.h"
#include "shop/replies.h"
#include "values/check.h"

#include <vector>

namespace payonce::shop {

namespace {

values::Money euros(std::int64_t cents)
{
    const auto currency = values::Currency::fromCode("EUR");
    CHECK(currency);
    return {cents, *currency};
}

// What every new cart holds: 25.00 + 10.29 + 6.71 tax = 42.00.
std::vector<storage::CartLine> goods()
{
    return {{"Field notebook", 2, euros(2500)}, {"Fountain pen ink", 1, euros(1029)}};
}
constexpr std::int64_t kTax = 671;

protocol::Cart onTheWire(const storage::Cart& cart)
{
    protocol::Cart result{cart.id, {}, cart.tax, cart.total};
    for (const storage::CartLine& line : cart.lines)
        result.lines.push_back({line.name, line.quantity, line.amount});
    return result;
}

} // namespace

void ShopFront::policy(const std::shared_ptr<Incoming>& incoming)
{
    protocol::Policy policy;
    policy.serverId = m_parts.serverId;
    policy.account = incoming->arrival.account;
    policy.inProgressMax = std::chrono::ceil<std::chrono::seconds>(m_parts.numbers.lease);
    policy.keys = m_parts.keys == protocol::KeyForm::Any ? "any" : "uuidv7";
    policy.time = m_parts.clock();
    m_parts.faults.answer(incoming->arrival, okResponse(protocol::renderPolicy(policy), incoming->echo()));
}

void ShopFront::cart(const std::shared_ptr<Incoming>& incoming)
{
    m_parts.records.work<storage::Cart>(
        [account = incoming->arrival.account](ShopStore& store) {
            return store.tables().openCart(account, goods(), euros(kTax));
        },
        [this, incoming](const Outcome<storage::Cart>& cart) {
            m_parts.faults.answer(incoming->arrival, cart ? okResponse(protocol::renderCart(onTheWire(*cart)), incoming->echo())
                                                          : storeUnavailable(*incoming, m_parts.numbers.retryAfter));
        });
}

} // namespace payonce::shop
