// Card numbers in what people write, however they are written: such a text must not be kept.
#pragma once

#include <string_view>

namespace payonce::protocol {

/// Is there a Luhn-valid number of 13 to 19 digits in `text` (valid UTF-8)? Its digits may be of any script and in groups, with
/// spaces, dashes, dots, commas, slashes and invisible characters between them. In a longer row of digits it may begin
/// anywhere.
[[nodiscard]] bool holdsCardNumber(std::string_view text);

} // namespace payonce::protocol
