#include "protocol/json_text.h"

#include "protocol/utf8.h"

#include <algorithm>
#include <string_view>

namespace payonce::protocol {

namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD"; // U+FFFD

/// No noncharacter begins with a smaller byte.
bool mayBeginOne(char c)
{
    constexpr unsigned char kSmallestLead = 0xEF;
    return static_cast<unsigned char>(c) >= kSmallestLead;
}

} // namespace

std::string textOf(const OrderedJson& value)
{
    auto text = value.dump(-1, ' ', false, OrderedJson::error_handler_t::replace);
    if (std::none_of(text.begin(), text.end(), mayBeginOne))
        return text;
    std::string clean;
    clean.reserve(text.size());
    for (std::size_t at = 0; at < text.size();) {
        const auto point = codePointAt(text, at);
        const bool isGood = point && !isNoncharacter(point->value);
        const std::size_t length = point ? point->length : 1;
        clean += isGood ? std::string_view(text).substr(at, length) : kReplacement;
        at += length;
    }
    return clean;
}

} // namespace payonce::protocol
