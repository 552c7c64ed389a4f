#include "bank/card.h"

#include "values/check.h"

#include <array>
#include <utility>

namespace payonce::bank {

namespace {

using Outcome = std::pair<std::string_view, std::string_view>;

// Every number that is not here is approved.
constexpr std::array<Outcome, 5> kDeclined{{
    {"4000000000000002", "generic_decline"},
    {"4000000000009995", "insufficient_funds"},
    {"4000000000000069", "expired_card"},
    {"4000000000000127", "incorrect_cvc"},
    {"4000000000000119", "processing_error"},
}};

int leadingDigits(std::string_view number, std::size_t count)
{
    int value = 0;
    for (const char digit : number.substr(0, count))
        value = value * 10 + (digit - '0');
    return value;
}

bool isWithin(int value, int first, int last)
{
    return first <= value && value <= last;
}

std::string_view brandOf(std::string_view number)
{
    const int two = leadingDigits(number, 2);
    const int four = leadingDigits(number, 4);
    if (number.front() == '4')
        return "visa";
    if (isWithin(two, 51, 55) || isWithin(four, 2221, 2720))
        return "mastercard";
    if (two == 34 || two == 37)
        return "amex";
    if (four == 6011 || two == 65)
        return "discover";
    return "card";
}

} // namespace

Card cardOf(std::string_view number)
{
    CHECK(number.size() >= 12 && number.size() <= 19);
    Card card{"", std::string(brandOf(number)), std::string(number.substr(number.size() - 4))};
    for (const auto& [declined, code] : kDeclined)
        if (number == declined)
            card.declineCode = code;
    return card;
}

} // namespace payonce::bank
