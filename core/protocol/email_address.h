// E-mail addresses as people write them, and the one form in which two spellings are the same.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace payonce::protocol {

/// In bytes (RFC 5321, 4.5.3.1).
inline constexpr std::size_t kLongestEmailAddress = 254;
inline constexpr std::size_t kLongestLocalPart = 64;

/// A valid e-mail address of the HTML Standard (what `<input type=email>` takes), within the lengths of RFC 5321. ASCII only: a
/// domain of another script is written in its `xn--` form. Whether it exists is the mail's business.
[[nodiscard]] bool isEmailAddress(std::string_view text);

/// All of it in ASCII lower case. RFC 5321 lets a host tell `A@` from `a@`, but none does, and people write both. Dots and
/// `+tags` stay: whether they make another mailbox only the host knows.
[[nodiscard]] std::string emailKeyOf(std::string_view address);

} // namespace payonce::protocol
