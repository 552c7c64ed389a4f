// What a person typed into support's one box, and what of a customer is shown there (docs/contract.md, Support).
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace payonce::console {

/// Longest text that is looked at, in bytes; no ID and no address is longer.
inline constexpr std::size_t kLongestSearch = 254;

enum class SearchKind {
    ActionId,
    Reference,
    OtherReference, ///< of an ID that is no UUIDv7, upper case, without a dash
    OrderId,
    OrderNumber,
    PaymentId,
    ChargeId,
    BankKey,
    CartId,
    Email,
    LastFour
};

/// Which action IDs the shop takes.
enum class IdForms { UuidV7, Any };

/// One thing the text may be, in the form in which it is stored.
struct SearchTerm
{
    SearchKind kind = SearchKind::ActionId;
    std::string value;
    friend bool operator==(const SearchTerm&, const SearchTerm&) = default;
};

/// Everything the text may mean: `1001` is an order's number and the last four digits of a card. Spaces and `#` do not count,
/// nor do dashes in what is hexadecimal; case counts in the names of carts only. Those, and IDs of any form, are meant as typed
/// as well. Empty where it can be none of our IDs; a card number is none of them either.
[[nodiscard]] std::vector<SearchTerm> searchTermsOf(std::string_view text, IdForms forms);

/// `reference 0a2c4d5e`, `e-mail a***@example.com`, for the audit: never what we do not know as an ID, so that a card number
/// that somebody pasted is written nowhere.
[[nodiscard]] std::string wordsOf(const std::vector<SearchTerm>& terms);

/// `a***@example.com`: the first letter and the domain. Empty stays empty.
[[nodiscard]] std::string maskedEmail(std::string_view email);

} // namespace payonce::console
