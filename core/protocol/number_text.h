// JSON number tokens against binary64: what a double can hold, and how ECMAScript writes it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace payonce::protocol {

/// The digits of a decimal number without leading or trailing zeros: value = 0.DIGITS x 10^exponent. Zero has no digits.
struct Decimal
{
    std::string digits;
    int exponent = 0;
    friend bool operator==(const Decimal&, const Decimal&) = default;
};

/// The shortest digits that read back as `number` (finite; its sign is left out).
[[nodiscard]] Decimal shortestDecimal(double number);
/// The digits of a JSON number token, sign left out. An exponent of more than nine digits counts as the largest.
[[nodiscard]] Decimal decimalOf(std::string_view token);

/// Integers: exact in binary64.
[[nodiscard]] bool isExact(std::int64_t number);
[[nodiscard]] bool isExact(std::uint64_t number);
/// Fractions and exponents: reading the token and writing it again gives the same number.
[[nodiscard]] bool isHeld(std::string_view token, double number);

} // namespace payonce::protocol
