// Money: integer minor units with the exponent of ISO 4217. No floating point anywhere.
#pragma once

#include "values/result.h"

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace payonce::values {

/// A currency of ISO 4217: three capital letters and the number of minor digits (EUR 2, JPY 0, KWD 3).
class Currency
{
public:
    /// Empty unless `code` is an active ISO 4217 code in capitals.
    [[nodiscard]] static std::optional<Currency> fromCode(std::string_view code);

    [[nodiscard]] std::string_view code() const { return m_code; }
    [[nodiscard]] int exponent() const { return m_exponent; }

    friend bool operator==(const Currency&, const Currency&) = default;

private:
    Currency(std::string_view code, int exponent) : m_code(code), m_exponent(exponent) {}

    std::string_view m_code; // points into the static table
    int m_exponent;
};

/// An amount in minor units: 42.00 EUR is {4200, EUR}, 80 JPY is {80, JPY}.
struct Money
{
    std::int64_t minorUnits;
    Currency currency;

    friend bool operator==(const Money&, const Money&) = default;
};

/// Bounds of an amount that can be paid (contract, Identity).
inline constexpr std::int64_t kSmallestAmount = 1;
inline constexpr std::int64_t kLargestAmount = 99'999'999'999;

enum class MoneyError { NotANumber, TooManyDecimals, OutOfRange };

/// Reads plain decimal text (`8.20`, `80`, `1.5`), exactly; no sign, no grouping, no exponent.
[[nodiscard]] Result<Money, MoneyError> parseDecimal(std::string_view text, Currency currency);

/// Plain decimal text with exactly the currency's digits: `42.00`, `80`, `1.500`.
[[nodiscard]] std::string toDecimal(const Money& money);

} // namespace payonce::values
