#include "values/uuid.h"

#include <algorithm>
#include <cctype>

namespace payonce::values {

namespace {

constexpr std::string_view kHexDigits = "0123456789abcdef";
constexpr std::size_t kTextLength = 36;

bool isDashPlace(std::size_t index)
{
    return index == 8 || index == 13 || index == 18 || index == 23;
}

std::optional<std::uint8_t> hexValue(char c)
{
    const auto at = kHexDigits.find(static_cast<char>(std::tolower(static_cast<unsigned char>(c))));
    if (at == std::string_view::npos)
        return {};
    return static_cast<std::uint8_t>(at);
}

std::optional<UuidBytes> parseBytes(std::string_view text)
{
    if (text.size() != kTextLength)
        return {};
    UuidBytes bytes{};
    std::size_t nibble = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (isDashPlace(i)) {
            if (text[i] != '-')
                return {};
            continue;
        }
        const auto value = hexValue(text[i]);
        if (!value)
            return {};
        auto& byte = bytes.at(nibble / 2);
        byte = static_cast<std::uint8_t>(byte << 4U | *value);
        ++nibble;
    }
    return bytes;
}

} // namespace

template <class Tag> UuidV7<Tag> UuidV7<Tag>::mint(WallTime time, const UuidRandom& random)
{
    UuidBytes bytes{};
    const auto millis = static_cast<std::uint64_t>(time.time_since_epoch().count());
    for (std::size_t i = 0; i < 6; ++i)
        bytes.at(i) = static_cast<std::uint8_t>(millis >> (40U - 8U * i));
    std::copy(random.begin(), random.end(), bytes.begin() + 6);
    bytes[6] = static_cast<std::uint8_t>(0x70U | (bytes[6] & 0x0FU));
    bytes[8] = static_cast<std::uint8_t>(0x80U | (bytes[8] & 0x3FU));
    return UuidV7(bytes);
}

template <class Tag> std::optional<UuidV7<Tag>> UuidV7<Tag>::parse(std::string_view text)
{
    const auto bytes = parseBytes(text);
    if (!bytes || ((*bytes)[6] & 0xF0U) != 0x70U || ((*bytes)[8] & 0xC0U) != 0x80U)
        return {};
    return UuidV7(*bytes);
}

template <class Tag> std::string UuidV7<Tag>::toString() const
{
    std::string text;
    text.reserve(kTextLength);
    for (const auto byte : m_bytes) {
        if (isDashPlace(text.size()))
            text += '-';
        text += kHexDigits[byte >> 4U];
        text += kHexDigits[byte & 0x0FU];
    }
    return text;
}

template <class Tag> WallTime UuidV7<Tag>::time() const
{
    std::uint64_t millis = 0;
    for (std::size_t i = 0; i < 6; ++i)
        millis = millis << 8U | m_bytes.at(i);
    return WallTime(std::chrono::milliseconds(millis));
}

template class UuidV7<ActionUuidTag>;
template class UuidV7<BankKeyTag>;

std::optional<ActionId> ActionId::parse(std::string_view text)
{
    const auto uuid = Uuid::parse(text);
    return uuid ? std::optional(ActionId(*uuid)) : std::nullopt;
}

std::optional<ActionId> ActionId::parseAnyForm(std::string_view text)
{
    if (auto id = parse(text))
        return id;
    const bool isReadable = std::all_of(text.begin(), text.end(), [](char c) { return c >= ' ' && c <= '~'; });
    if (text.empty() || text.size() > kLongestActionId || !isReadable)
        return {};
    return ActionId(text);
}

std::string ActionId::toString() const
{
    return m_uuid ? m_uuid->toString() : m_otherForm;
}

std::optional<WallTime> ActionId::madeAt() const
{
    return m_uuid ? std::optional(m_uuid->time()) : std::nullopt;
}

std::string reference(const ActionId& id)
{
    constexpr std::size_t kDigits = 8;
    std::string text = id.toString();
    std::string digits;
    for (auto c = text.rbegin(); c != text.rend() && digits.size() < kDigits; ++c)
        if (std::isalnum(static_cast<unsigned char>(*c)) != 0)
            digits.insert(digits.begin(), static_cast<char>(std::toupper(static_cast<unsigned char>(*c))));
    if (digits.empty())
        return text;
    return digits.size() < kDigits ? digits : digits.substr(0, kDigits / 2) + '-' + digits.substr(kDigits / 2);
}

} // namespace payonce::values
