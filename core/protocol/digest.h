// SHA-256 and the Content-Digest field (RFC 9530).
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace payonce::protocol {

using Sha256 = std::array<std::uint8_t, 32>;

[[nodiscard]] Sha256 sha256(std::string_view bytes);
/// 64 lower-case hex digits.
[[nodiscard]] std::string sha256Hex(std::string_view bytes);

/// The field value for a body: `sha-256=:BASE64:`.
[[nodiscard]] std::string contentDigest(std::string_view body);
/// True only if the field has a well-formed sha-256 member and it is the body's. Other algorithms beside it are ignored.
[[nodiscard]] bool contentDigestMatches(std::string_view field, std::string_view body);

} // namespace payonce::protocol
