// UUIDs (RFC 9562) and the typed IDs made of them.
#pragma once

#include "values/time.h"

#include <array>
#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace payonce::values {

/// 16 bytes in network order.
using UuidBytes = std::array<std::uint8_t, 16>;

/// The random part of a UUIDv7; the version and variant bits in it are overwritten.
using UuidRandom = std::array<std::uint8_t, 10>;

/// A UUIDv7 (RFC 9562, 5.7) with a tag, so that an action ID and a bank key cannot be mixed up.
template <class Tag> class UuidV7
{
public:
    /// `time` fills the 48-bit millisecond field; `random` the rest.
    [[nodiscard]] static UuidV7 mint(WallTime time, const UuidRandom& random);
    /// Reads the 36-character form, either case. Empty unless it is a version 7 UUID of the RFC variant.
    [[nodiscard]] static std::optional<UuidV7> parse(std::string_view text);

    /// Lower case, with dashes.
    [[nodiscard]] std::string toString() const;
    /// The millisecond the ID says it was made in.
    [[nodiscard]] WallTime time() const;
    [[nodiscard]] const UuidBytes& bytes() const { return m_bytes; }

    friend auto operator<=>(const UuidV7&, const UuidV7&) = default; // NOLINT(modernize-use-nullptr): an error of clang-tidy 14

private:
    explicit UuidV7(const UuidBytes& bytes) : m_bytes(bytes) {}

    UuidBytes m_bytes{};
};

struct ActionIdTag;
struct BankKeyTag;

/// One user action; also its idempotency key.
using ActionId = UuidV7<ActionIdTag>;
/// The one key under which the shop asks the bank about a record.
using BankKey = UuidV7<BankKeyTag>;

/// What people read and say: the last 8 hex digits, upper case, as `0A2C-4D5E`.
[[nodiscard]] std::string reference(const ActionId& id);

} // namespace payonce::values
