// What a test card will do when it is charged (docs/contract.md, "The bank"). Pure.
#pragma once

#include <string>
#include <string_view>

namespace payonce::bank {

/// All that is kept of a card number.
struct Card
{
    std::string declineCode; ///< what a charge will answer; empty: approved
    std::string brand;       ///< `visa`, `mastercard`, `amex`, `discover` or `card`
    std::string lastFour;
};

/// `number`: 12 to 19 digits (ISO/IEC 7812), Luhn-valid.
[[nodiscard]] Card cardOf(std::string_view number);

} // namespace payonce::bank
