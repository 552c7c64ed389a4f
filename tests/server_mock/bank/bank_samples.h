// Keys and orders of the bank's tests.
#pragma once

#include "bank/bank.h"

namespace payonce::samples {

inline const values::WallTime kNoon = *values::fromRfc3339("2026-11-30T12:00:00Z");

[[nodiscard]] inline values::BankKey keyNumber(std::uint8_t n)
{
    return values::BankKey::mint(kNoon, {0, 0, 0, 0, 0, 0, 0, 0, 0, n});
}

[[nodiscard]] inline values::ActionId actionNumber(std::uint8_t n)
{
    return values::ActionId::mint(kNoon, {0, 0, 0, 0, 0, 0, 0, 0, 1, n});
}

/// Key and action have the same number.
[[nodiscard]] inline bank::ChargeOrder orderOf(std::uint8_t n, const std::string& paymentMethod, std::int64_t minorUnits = 4200)
{
    return {keyNumber(n), actionNumber(n), paymentMethod, {minorUnits, *values::Currency::fromCode("EUR")}};
}

} // namespace payonce::samples
