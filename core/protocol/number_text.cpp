#include "protocol/number_text.h"

#include "values/check.h"

#include <array>
#include <charconv>
#include <cmath>

namespace payonce::protocol {

namespace {

constexpr int kMantissaBits = 53;
constexpr int kLargestExponent = 999'999'999;

int exponentOf(std::string_view token, std::size_t mark)
{
    if (mark == std::string_view::npos)
        return 0;
    auto digits = token.substr(mark + 1);
    const bool negative = digits.starts_with('-');
    if (negative || digits.starts_with('+'))
        digits.remove_prefix(1);
    int value = 0;
    const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (read.ec != std::errc() || value > kLargestExponent)
        value = kLargestExponent;
    return negative ? -value : value;
}

Decimal normalised(const std::string& digits, int exponent)
{
    const auto first = digits.find_first_not_of('0');
    if (first == std::string::npos)
        return {};
    const auto last = digits.find_last_not_of('0');
    return {digits.substr(first, last - first + 1), exponent - static_cast<int>(first)};
}

} // namespace

Decimal decimalOf(std::string_view token)
{
    const auto mark = token.find_first_of("eE");
    std::string digits;
    int pointPlace = -1;
    for (const char c : token.substr(0, mark)) {
        if (c == '.')
            pointPlace = static_cast<int>(digits.size());
        else if (c != '-')
            digits += c;
    }
    if (pointPlace < 0)
        pointPlace = static_cast<int>(digits.size());
    return normalised(digits, pointPlace + exponentOf(token, mark));
}

Decimal shortestDecimal(double number)
{
    CHECK(std::isfinite(number));
    std::array<char, 40> text{};
    const auto written =
        std::to_chars(text.data(), text.data() + text.size(), std::fabs(number), std::chars_format::scientific);
    CHECK(written.ec == std::errc());
    return decimalOf(std::string_view(text.data(), static_cast<std::size_t>(written.ptr - text.data())));
}

bool isExact(std::uint64_t number)
{
    while (number != 0 && (number & 1U) == 0)
        number >>= 1U;
    return number >> static_cast<unsigned>(kMantissaBits) == 0;
}

bool isExact(std::int64_t number)
{
    const auto bits = static_cast<std::uint64_t>(number);
    return isExact(number < 0 ? ~bits + 1 : bits);
}

bool isHeld(std::string_view token, double number)
{
    return std::isfinite(number) && decimalOf(token) == shortestDecimal(number);
}

} // namespace payonce::protocol
