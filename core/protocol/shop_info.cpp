#include "protocol/shop_info.h"

#include "protocol/duration_text.h"
#include "protocol/money_json.h"

#include <utility>

namespace payonce::protocol {

namespace {

constexpr int kMostOfOneLine = 1'000'000;

std::optional<CartLine> lineOf(const Json& json)
{
    auto name = textMember(json, "name");
    const auto quantity = intMember(json, "quantity");
    const auto amount = moneyMember(json, "amount", 0);
    if (!name || !quantity || *quantity < 1 || *quantity > kMostOfOneLine || !amount)
        return {};
    return CartLine{std::move(*name), *quantity, *amount};
}

std::optional<std::vector<CartLine>> linesOf(const Json* json)
{
    if (json == nullptr || !json->is_array())
        return {};
    std::vector<CartLine> lines;
    for (const auto& element : *json) {
        auto line = lineOf(element);
        if (!line)
            return {};
        lines.push_back(std::move(*line));
    }
    return lines;
}

bool addsUp(const Cart& cart)
{
    std::int64_t sum = cart.tax.minorUnits;
    bool oneCurrency = cart.tax.currency == cart.total.currency;
    for (const auto& line : cart.lines) {
        oneCurrency = oneCurrency && line.amount.currency == cart.total.currency;
        sum += line.amount.minorUnits; // bounded: a body of 256 KiB holds no 10^8 lines
    }
    return oneCurrency && sum == cart.total.minorUnits;
}

} // namespace

std::string renderPolicy(const Policy& policy)
{
    const OrderedJson retention = {{"payment", daysText(policy.paymentRetention)},
                                   {"account", daysText(policy.accountRetention)}};
    return textOf({{"server_id", policy.serverId},
                   {"account", policy.account},
                   {"retention", retention},
                   {"in_progress_max", secondsText(policy.inProgressMax)},
                   {"keys", policy.keys},
                   {"time", values::toRfc3339(policy.time)}});
}

std::string renderCart(const Cart& cart)
{
    auto lines = OrderedJson::array();
    for (const auto& line : cart.lines)
        lines.push_back(OrderedJson{{"name", line.name}, {"quantity", line.quantity}, {"amount", moneyJson(line.amount)}});
    return textOf({{"cart_id", cart.cartId}, {"lines", lines}, {"tax", moneyJson(cart.tax)}, {"total", moneyJson(cart.total)}});
}

std::optional<Policy> parsePolicy(std::string_view body)
{
    const auto json = parseStrict(body);
    const auto* retention = json ? memberOf(*json, "retention") : nullptr;
    if (retention == nullptr)
        return {};
    auto serverId = textMember(*json, "server_id");
    auto account = textMember(*json, "account");
    auto keys = textMember(*json, "keys");
    const auto payment = daysOf(textMember(*retention, "payment").value_or(""));
    const auto accounts = daysOf(textMember(*retention, "account").value_or(""));
    const auto inProgressMax = secondsOf(textMember(*json, "in_progress_max").value_or(""));
    const auto time = values::fromRfc3339(textMember(*json, "time").value_or(""));
    if (!serverId || serverId->empty() || !account || account->empty() || !keys || !payment || !accounts || !inProgressMax ||
        !time)
        return {};
    return Policy{std::move(*serverId), std::move(*account), *payment, *accounts, *inProgressMax, std::move(*keys), *time};
}

std::optional<Cart> parseCart(std::string_view body)
{
    const auto json = parseStrict(body);
    if (!json)
        return {};
    auto cartId = textMember(*json, "cart_id");
    auto lines = linesOf(memberOf(*json, "lines"));
    const auto tax = moneyMember(*json, "tax", 0);
    const auto total = moneyMember(*json, "total");
    if (!cartId || cartId->empty() || !lines || !tax || !total)
        return {};
    Cart cart{std::move(*cartId), std::move(*lines), *tax, *total};
    return addsUp(cart) ? std::optional(std::move(cart)) : std::nullopt;
}

} // namespace payonce::protocol
