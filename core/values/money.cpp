#include "values/money.h"

#include "values/check.h"

#include <algorithm>
#include <array>
#include <utility>

namespace payonce::values {

namespace {

constexpr std::size_t kCodeLength = 3;

// ISO 4217, active codes by number of minor digits. Codes without minor units by nature (metals, tests) are left out.
constexpr std::string_view kTwoDigits =
    "AEDAFNALLAMDANGAOAARSAUDAWGAZNBAMBBDBDTBGNBMDBNDBOBBOVBRLBSDBTNBWPBYNBZDCADCDFCHECHFCHWCNYCOPCOUCRCCUPCVECZKDKKDOPDZD"
    "EGPERNETBEURFJDFKPGBPGELGHSGIPGMDGTQGYDHKDHNLHTGHUFIDRILSINRIRRJMDKESKGSKHRKPWKYDKZTLAKLBPLKRLRDLSLMADMDLMGAMKDMMKMNT"
    "MOPMRUMURMVRMWKMXNMXVMYRMZNNADNGNNIONOKNPRNZDPABPENPGKPHPPKRPLNQARRONRSDRUBSARSBDSCRSDGSEKSGDSHPSLESOSSRDSSPSTNSVCSYP"
    "SZLTHBTJSTMTTOPTRYTTDTWDTZSUAHUSDUSNUYUUZSVEDVESWSTXCDXCGYERZARZMWZWG";
constexpr std::string_view kNoDigits = "BIFCLPDJFGNFISKJPYKMFKRWPYGRWFUGXUYIVNDVUVXAFXOFXPF";
constexpr std::string_view kThreeDigits = "BHDIQDJODKWDLYDOMRTND";
constexpr std::string_view kFourDigits = "CLFUYW";

constexpr std::array kTables = {std::pair{kTwoDigits, 2}, std::pair{kNoDigits, 0}, std::pair{kThreeDigits, 3},
                                std::pair{kFourDigits, 4}};

std::optional<std::string_view> findCode(std::string_view table, std::string_view code)
{
    for (std::size_t at = 0; at < table.size(); at += kCodeLength)
        if (table.substr(at, kCodeLength) == code)
            return table.substr(at, kCodeLength);
    return {};
}

bool isDigits(std::string_view text)
{
    return std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

} // namespace

std::optional<Currency> Currency::fromCode(std::string_view code)
{
    if (code.size() != kCodeLength)
        return {};
    for (const auto& [table, exponent] : kTables)
        if (const auto found = findCode(table, code))
            return Currency(*found, exponent);
    return {};
}

Result<Money, MoneyError> parseDecimal(std::string_view text, Currency currency)
{
    const auto point = text.find('.');
    const auto whole = text.substr(0, point);
    const auto fraction = point == std::string_view::npos ? std::string_view() : text.substr(point + 1);
    const bool emptyFraction = point != std::string_view::npos && fraction.empty();
    if (whole.empty() || emptyFraction || !isDigits(whole) || !isDigits(fraction))
        return Failure(MoneyError::NotANumber);
    const auto digits = static_cast<std::size_t>(currency.exponent());
    if (fraction.size() > digits)
        return Failure(MoneyError::TooManyDecimals);
    std::string minor = std::string(whole) + std::string(fraction) + std::string(digits - fraction.size(), '0');
    std::int64_t value = 0;
    for (const char c : minor) {
        value = value * 10 + (c - '0');
        if (value > kLargestAmount)
            return Failure(MoneyError::OutOfRange);
    }
    return Money{value, currency};
}

std::string toDecimal(const Money& money)
{
    CHECK(money.minorUnits >= 0);
    const auto digits = static_cast<std::size_t>(money.currency.exponent());
    std::string text = std::to_string(money.minorUnits);
    if (text.size() <= digits)
        text.insert(0, digits + 1 - text.size(), '0');
    if (digits > 0)
        text.insert(text.size() - digits, 1, '.');
    return text;
}

} // namespace payonce::values
