#include "viewmodels/card_number.h"

#include <algorithm>

namespace payonce::viewmodels {

namespace {

constexpr qsizetype kBlock = 4;
constexpr qsizetype kAmexFirstGap = 4;
constexpr qsizetype kAmexSecondGap = 10;
constexpr qsizetype kExpiryDigits = 4;
constexpr qsizetype kExpiryDigitsLong = 6;
constexpr int kCentury = 2000;
constexpr int kYearsInCentury = 100;

bool isAsciiDigit(QChar c)
{
    return c >= QLatin1Char('0') && c <= QLatin1Char('9');
}

int leading(const QString& digits, qsizetype count)
{
    return digits.size() < count ? -1 : digits.left(count).toInt();
}

bool isBetween(int value, int low, int high)
{
    return value >= low && value <= high;
}

bool hasGapBefore(CardBrand brand, qsizetype index)
{
    if (brand == CardBrand::Amex)
        return index == kAmexFirstGap || index == kAmexSecondGap;
    return index > 0 && index % kBlock == 0;
}

qsizetype longestOf(CardBrand brand)
{
    qsizetype length = kLongestNumber;
    while (!isLengthOf(brand, length))
        --length;
    return length;
}

} // namespace

QString digitsOf(const QString& text, qsizetype limit)
{
    QString digits;
    for (const QChar c : text)
        if (isAsciiDigit(c) && digits.size() < limit)
            digits += c;
    return digits;
}

CardBrand brandOf(const QString& digits)
{
    if (digits.startsWith(QLatin1Char('4')))
        return CardBrand::Visa;
    if (isBetween(leading(digits, 2), 51, 55) || isBetween(leading(digits, 4), 2221, 2720))
        return CardBrand::Mastercard;
    if (leading(digits, 2) == 34 || leading(digits, 2) == 37)
        return CardBrand::Amex;
    return CardBrand::Other;
}

QString nameOf(CardBrand brand)
{
    switch (brand) {
    case CardBrand::Visa: return QStringLiteral("visa");
    case CardBrand::Mastercard: return QStringLiteral("mastercard");
    case CardBrand::Amex: return QStringLiteral("amex");
    case CardBrand::Other: return QStringLiteral("other");
    }
    return {};
}

QString groupedNumber(const QString& text)
{
    const QString digits = digitsOf(text, kLongestNumber);
    const CardBrand brand = brandOf(digits);
    const qsizetype length = std::min(digits.size(), longestOf(brand));
    QString grouped;
    for (qsizetype i = 0; i < length; ++i) {
        if (hasGapBefore(brand, i))
            grouped += QLatin1Char(' ');
        grouped += digits.at(i);
    }
    return grouped;
}

bool luhnHolds(const QString& digits)
{
    if (digits.size() < 2 || !std::all_of(digits.begin(), digits.end(), isAsciiDigit))
        return false;
    int sum = 0;
    bool doubled = false;
    for (qsizetype i = digits.size() - 1; i >= 0; --i) {
        const int digit = digits.at(i).digitValue() * (doubled ? 2 : 1);
        sum += digit > 9 ? digit - 9 : digit;
        doubled = !doubled;
    }
    return sum % 10 == 0;
}

bool isLengthOf(CardBrand brand, qsizetype length)
{
    switch (brand) {
    case CardBrand::Visa: return length == 13 || length == 16 || length == 19;
    case CardBrand::Mastercard: return length == 16;
    case CardBrand::Amex: return length == 15;
    case CardBrand::Other: return length >= kShortestNumber && length <= kLongestNumber;
    }
    return false;
}

CodeLength codeLengthOf(CardBrand brand)
{
    switch (brand) {
    case CardBrand::Visa:
    case CardBrand::Mastercard: return {3, 3};
    case CardBrand::Amex: return {4, 4};
    case CardBrand::Other: return {3, 4};
    }
    return {3, 4};
}

QString groupedExpiry(const QString& text)
{
    QString digits = digitsOf(text, kExpiryDigitsLong);
    // A single digit above 1, or one followed by a slash, can only be a month of its own.
    const bool slashAfterOne = digits.size() >= 1 && text.trimmed().indexOf(QLatin1Char('/')) == 1;
    if ((digits.size() == 1 && digits.at(0) > QLatin1Char('1')) || slashAfterOne)
        digits.prepend(QLatin1Char('0'));
    if (digits.size() == kExpiryDigitsLong && digits.mid(2, 2) == QStringLiteral("20"))
        digits.remove(2, 2);
    digits.truncate(kExpiryDigits);
    if (digits.size() <= 2)
        return digits;
    return digits.left(2) + QStringLiteral(" / ") + digits.mid(2);
}

std::optional<Expiry> expiryOf(const QString& text)
{
    const QString digits = digitsOf(text, kExpiryDigitsLong);
    if (digits.size() != kExpiryDigits)
        return {};
    const int month = digits.left(2).toInt();
    if (!isBetween(month, 1, 12))
        return {};
    return Expiry{month, kCentury + digits.mid(2).toInt() % kYearsInCentury};
}

qsizetype cursorAfterGrouping(const QString& typed, qsizetype cursor, const QString& grouped)
{
    if (cursor >= typed.size())
        return grouped.size();
    const qsizetype digitsBefore = digitsOf(typed.left(cursor), typed.size()).size();
    qsizetype place = 0;
    for (qsizetype seen = 0; place < grouped.size() && seen < digitsBefore; ++place)
        if (isAsciiDigit(grouped.at(place)))
            ++seen;
    return place;
}

} // namespace payonce::viewmodels
