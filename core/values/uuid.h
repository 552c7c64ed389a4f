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

    friend auto operator<=>(const UuidV7&, const UuidV7&) = default; // NOLINT(modernize-use-nullptr): an error of clang-tidy 14

private:
    explicit UuidV7(const UuidBytes& bytes) : m_bytes(bytes) {}

    UuidBytes m_bytes{};
};

struct ActionUuidTag;
struct BankKeyTag;

/// The one key under which the shop asks the bank about a record.
using BankKey = UuidV7<BankKeyTag>;

/// An action ID of another form than UUIDv7 has at most this many characters.
inline constexpr std::size_t kLongestActionId = 255;

/// One user action; also its idempotency key. A client of ours mints UUIDv7 and reads nothing else; a shop that takes keys of
/// any form meets others, which do not tell when they were made.
class ActionId
{
public:
    using Uuid = UuidV7<ActionUuidTag>;

    [[nodiscard]] static ActionId mint(WallTime time, const UuidRandom& random) { return ActionId(Uuid::mint(time, random)); }
    /// Of a UUIDv7 only, as UuidV7::parse().
    [[nodiscard]] static std::optional<ActionId> parse(std::string_view text);
    /// Also of any other text an RFC 9651 string can hold: 1 to kLongestActionId characters of %x20-7E, compared byte by byte.
    [[nodiscard]] static std::optional<ActionId> parseAnyForm(std::string_view text);

    /// Of a UUIDv7 lower case, with dashes; of another form as it came.
    [[nodiscard]] std::string toString() const;
    /// The millisecond a UUIDv7 says it was made in; empty for another form.
    [[nodiscard]] std::optional<WallTime> madeAt() const;

    friend auto operator<=>(const ActionId&,
                            const ActionId&) = default; // NOLINT(modernize-use-nullptr): an error of clang-tidy 14

private:
    explicit ActionId(const Uuid& uuid) : m_uuid(uuid) {}
    explicit ActionId(std::string_view otherForm) : m_otherForm(otherForm) {}

    std::optional<Uuid> m_uuid{}; ///< or else:
    std::string m_otherForm{};
};

/// What people read and say: the last 8 letters or digits, upper case, as `0A2C-4D5E`; of a text with fewer than 8 of them
/// those there are, and of one with none the text.
[[nodiscard]] std::string reference(const ActionId& id);

} // namespace payonce::values
