#include "protocol/canonical_json.h"

#include "protocol/number_text.h"
#include "protocol/utf8.h"
#include "values/check.h"

#include <algorithm>
#include <vector>

namespace payonce::protocol {

namespace {

/// Number::toString of ECMAScript for the digits `d` with the decimal point after `n` of them (n may lie outside).
std::string ecmaScriptText(const std::string& d, int n)
{
    constexpr int kMostPlainDigits = 21;
    constexpr int kMostLeadingZeros = -6;
    const auto k = static_cast<int>(d.size());
    if (k <= n && n <= kMostPlainDigits)
        return d + std::string(static_cast<std::size_t>(n - k), '0');
    if (0 < n && n <= kMostPlainDigits)
        return d.substr(0, static_cast<std::size_t>(n)) + '.' + d.substr(static_cast<std::size_t>(n));
    if (kMostLeadingZeros < n && n <= 0)
        return "0." + std::string(static_cast<std::size_t>(-n), '0') + d;
    const std::string exponent = (n > 0 ? "e+" : "e-") + std::to_string(n > 0 ? n - 1 : 1 - n);
    return k == 1 ? d + exponent : d.substr(0, 1) + '.' + d.substr(1) + exponent;
}

void writeString(const std::string& text, std::string& out)
{
    constexpr std::string_view kHex = "0123456789abcdef";
    constexpr std::string_view kShort = "\b\t\n\f\r\"\\";
    constexpr std::string_view kShortNames = "btnfr\"\\";
    out += '"';
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if (const auto at = kShort.find(c); at != std::string_view::npos) {
            out += '\\';
            out += kShortNames[at];
        } else if (byte < 0x20U) {
            out += "\\u00";
            out += kHex[byte >> 4U];
            out += kHex[byte & 0x0FU];
        } else {
            out += c;
        }
    }
    out += '"';
}

void writeValue(const Json& value, std::string& out);

void writeObject(const Json& object, std::string& out)
{
    std::vector<Json::const_iterator> members;
    members.reserve(object.size());
    for (auto member = object.begin(); member != object.end(); ++member)
        members.push_back(member);
    std::sort(members.begin(), members.end(), [](const auto& a, const auto& b) { return lessByUtf16(a.key(), b.key()); });
    out += '{';
    bool first = true;
    for (const auto& member : members) {
        if (!first)
            out += ',';
        first = false;
        writeString(member.key(), out);
        out += ':';
        writeValue(member.value(), out);
    }
    out += '}';
}

void writeArray(const Json& array, std::string& out)
{
    out += '[';
    bool first = true;
    for (const auto& element : array) {
        if (!first)
            out += ',';
        first = false;
        writeValue(element, out);
    }
    out += ']';
}

void writeValue(const Json& value, std::string& out)
{
    switch (value.type()) {
    case Json::value_t::null: out += "null"; return;
    case Json::value_t::boolean: out += value.get<bool>() ? "true" : "false"; return;
    case Json::value_t::string: writeString(value.get_ref<const std::string&>(), out); return;
    case Json::value_t::number_integer:
    case Json::value_t::number_unsigned:
    case Json::value_t::number_float: out += canonicalNumber(value.get<double>()); return;
    case Json::value_t::array: writeArray(value, out); return;
    case Json::value_t::object: writeObject(value, out); return;
    case Json::value_t::binary:
    case Json::value_t::discarded: break;
    }
    CHECK(value.is_structured()); // binary and discarded values never come out of parseStrict
}

} // namespace

std::string canonicalNumber(double number)
{
    const auto decimal = shortestDecimal(number);
    if (decimal.digits.empty())
        return "0";
    const std::string text = ecmaScriptText(decimal.digits, decimal.exponent);
    return number < 0 ? '-' + text : text;
}

std::string canonicalJson(const Json& value)
{
    std::string out;
    writeValue(value, out);
    return out;
}

} // namespace payonce::protocol
