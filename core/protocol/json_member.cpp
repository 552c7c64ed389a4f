#include "protocol/json_member.h"

#include <limits>

namespace payonce::protocol {

const Json* memberOf(const Json& object, std::string_view name)
{
    if (!object.is_object())
        return nullptr;
    const auto member = object.find(name);
    return member == object.end() ? nullptr : &*member;
}

std::optional<std::string> textMember(const Json& object, std::string_view name)
{
    const auto* member = memberOf(object, name);
    if (member == nullptr || !member->is_string())
        return {};
    return member->get<std::string>();
}

std::optional<std::int64_t> integerOf(const Json& value)
{
    if (!value.is_number_integer())
        return {};
    if (value.is_number_unsigned() &&
        value.get<std::uint64_t>() > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()))
        return {};
    return value.get<std::int64_t>();
}

std::optional<std::int64_t> integerMember(const Json& object, std::string_view name)
{
    const auto* member = memberOf(object, name);
    return member == nullptr ? std::nullopt : integerOf(*member);
}

std::optional<int> intMember(const Json& object, std::string_view name)
{
    const auto value = integerMember(object, name);
    if (!value || *value < std::numeric_limits<int>::min() || *value > std::numeric_limits<int>::max())
        return {};
    return static_cast<int>(*value);
}

std::optional<bool> boolMember(const Json& object, std::string_view name)
{
    const auto* member = memberOf(object, name);
    if (member == nullptr || !member->is_boolean())
        return {};
    return member->get<bool>();
}

} // namespace payonce::protocol
