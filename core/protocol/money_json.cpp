#include "protocol/money_json.h"

namespace payonce::protocol {

OrderedJson moneyJson(const values::Money& money)
{
    return {{"value", money.minorUnits}, {"currency", std::string(money.currency.code())}};
}

std::optional<values::Money> moneyOf(const Json& value, std::int64_t smallest)
{
    const auto minorUnits = integerMember(value, "value");
    const auto code = textMember(value, "currency");
    if (!minorUnits || !code || *minorUnits < smallest || *minorUnits > values::kLargestAmount)
        return {};
    const auto currency = values::Currency::fromCode(*code);
    if (!currency)
        return {};
    return values::Money{*minorUnits, *currency};
}

std::optional<values::Money> moneyMember(const Json& object, std::string_view name, std::int64_t smallest)
{
    const auto* member = memberOf(object, name);
    return member == nullptr ? std::nullopt : moneyOf(*member, smallest);
}

} // namespace payonce::protocol
