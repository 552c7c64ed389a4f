// Card numbers and dates as text: grouping, the Luhn check (ISO/IEC 7812-1), brands by their leading digits.
#pragma once

#include <QtCore/QString>

#include <optional>

namespace payonce::viewmodels {

enum class CardBrand { Visa, Mastercard, Amex, Other };

/// Bounds of ISO/IEC 7812-1.
inline constexpr int kShortestNumber = 12;
inline constexpr int kLongestNumber = 19;

/// ASCII digits of `text`, at most `limit` of them.
[[nodiscard]] QString digitsOf(const QString& text, qsizetype limit);
/// By the leading digits; Other until they are known.
[[nodiscard]] CardBrand brandOf(const QString& digits);
/// As in the shop's answers: visa, mastercard, amex, other.
[[nodiscard]] QString nameOf(CardBrand brand);
/// `4242 4242 4242 4242`; Amex as `3782 822463 10005`.
[[nodiscard]] QString groupedNumber(const QString& text);
/// True if the check digit is right; needs at least two digits.
[[nodiscard]] bool luhnHolds(const QString& digits);
/// True if a number of this brand may have this many digits.
[[nodiscard]] bool isLengthOf(CardBrand brand, qsizetype length);
/// Digits of the security code of this brand, shortest and longest.
struct CodeLength
{
    int shortest;
    int longest;
};
[[nodiscard]] CodeLength codeLengthOf(CardBrand brand);

/// `12 / 31` from `1231`, `12/31`, `12 / 2031`.
[[nodiscard]] QString groupedExpiry(const QString& text);
struct Expiry
{
    int month;
    int year;
};
/// The month, and the year of this century, of a complete `MM / YY`; empty otherwise.
[[nodiscard]] std::optional<Expiry> expiryOf(const QString& text);

/// Where the cursor belongs after `typed` (cursor at `cursor`) became `grouped`: after the same digit.
[[nodiscard]] qsizetype cursorAfterGrouping(const QString& typed, qsizetype cursor, const QString& grouped);

} // namespace payonce::viewmodels
