// The part of RFC 9651 (structured fields) and of RFC 9110's lists that the contract's fields use.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace payonce::protocol {

/// Without spaces and tabs at both ends.
[[nodiscard]] std::string_view trimmed(std::string_view text);
[[nodiscard]] bool sameIgnoringCase(std::string_view left, std::string_view right);
/// The parts between `separator`; one inside a quoted string does not count. Parts are not trimmed.
[[nodiscard]] std::vector<std::string_view> splitOutsideQuotes(std::string_view text, char separator);

/// An RFC 9651 string (3.3.3) that is all of `text`, without its quotes and escapes.
[[nodiscard]] std::optional<std::string> wholeString(std::string_view text);
/// An RFC 9651 integer (3.3.1, at most 15 digits) that is all of `text`.
[[nodiscard]] std::optional<std::int64_t> wholeInteger(std::string_view text);

/// An RFC 9651 token (3.3.4) that is all of `text`.
[[nodiscard]] bool isToken(std::string_view text);

/// `name=value` after an item; a parameter without a value is the boolean `?1`. Values as written.
struct Parameter
{
    std::string name;
    std::string value;
};

struct Item
{
    std::string value;
    std::vector<Parameter> parameters; ///< in order; of doubled names the last counts
};

/// Splits an item from its parameters (RFC 9651, 4.2.3). Empty if a parameter has no well-formed name.
[[nodiscard]] std::optional<Item> itemOf(std::string_view text);

} // namespace payonce::protocol
