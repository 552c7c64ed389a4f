// UTF-8 as code points (RFC 3629), for the checks and the order that JSON needs.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace payonce::protocol {

struct CodePoint
{
    char32_t value = 0;
    std::size_t length = 1; ///< bytes
};

/// The code point at `at`; empty on anything RFC 3629 does not allow (overlong, surrogates, beyond U+10FFFF, cut off).
[[nodiscard]] std::optional<CodePoint> codePointAt(std::string_view text, std::size_t at);

/// The offset of the first byte that is not UTF-8, if any.
[[nodiscard]] std::optional<std::size_t> firstInvalidUtf8(std::string_view text);

/// Bytes of one.
inline constexpr std::size_t kLongestCodePoint = 4;

/// How many code points a valid text has.
[[nodiscard]] std::size_t codePointsIn(std::string_view valid);

/// U+FDD0 to U+FDEF and the last two of every plane.
[[nodiscard]] bool isNoncharacter(char32_t value);

/// Orders two valid UTF-8 texts by their UTF-16 code units (RFC 8785, 3.2.3).
[[nodiscard]] bool lessByUtf16(std::string_view left, std::string_view right);

} // namespace payonce::protocol
