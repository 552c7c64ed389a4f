#include "protocol/utf8.h"

#include "values/check.h"

#include <algorithm>

namespace payonce::protocol {

namespace {

constexpr char32_t kFirstBeyondBmp = 0x10000;

unsigned char byteAt(std::string_view text, std::size_t at)
{
    return static_cast<unsigned char>(text[at]);
}

/// How many bytes the sequence has, and the smallest code point that may be written so.
struct Lead
{
    std::size_t length;
    char32_t bits;
    char32_t smallest;
};

std::optional<Lead> leadOf(unsigned char byte)
{
    if (byte < 0x80U)
        return Lead{1, byte, 0};
    if (byte >= 0xC0U && byte < 0xE0U)
        return Lead{2, byte & 0x1FU, 0x80};
    if (byte >= 0xE0U && byte < 0xF0U)
        return Lead{3, byte & 0x0FU, 0x800};
    if (byte >= 0xF0U && byte < 0xF8U)
        return Lead{4, byte & 0x07U, kFirstBeyondBmp};
    return {};
}

/// Surrogates come first where UTF-16 puts them: between U+D7FF and U+E000.
char32_t utf16Rank(char32_t value)
{
    constexpr char32_t kFirstAboveSurrogates = 0xE000;
    if (value >= kFirstBeyondBmp)
        return value - kFirstBeyondBmp + kFirstAboveSurrogates;
    return value >= kFirstAboveSurrogates ? value + 0x110000 : value;
}

} // namespace

std::optional<CodePoint> codePointAt(std::string_view text, std::size_t at)
{
    const auto lead = leadOf(byteAt(text, at));
    if (!lead || lead->length > text.size() - at)
        return {};
    char32_t value = lead->bits;
    for (std::size_t i = 1; i < lead->length; ++i) {
        const auto byte = byteAt(text, at + i);
        if ((byte & 0xC0U) != 0x80U)
            return {};
        value = (value << 6U) | (byte & 0x3FU);
    }
    const bool surrogate = value >= 0xD800 && value < 0xE000;
    if (value < lead->smallest || value > 0x10FFFF || surrogate)
        return {};
    return CodePoint{value, lead->length};
}

std::optional<std::size_t> firstInvalidUtf8(std::string_view text)
{
    for (std::size_t at = 0; at < text.size();) {
        const auto point = codePointAt(text, at);
        if (!point)
            return at;
        at += point->length;
    }
    return {};
}

std::size_t codePointsIn(std::string_view valid)
{
    // Every byte but those that go on with a code point.
    const auto begins = [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; };
    return static_cast<std::size_t>(std::count_if(valid.begin(), valid.end(), begins));
}

bool isNoncharacter(char32_t value)
{
    return (value >= 0xFDD0 && value <= 0xFDEF) || (value & 0xFFFEU) == 0xFFFEU;
}

bool lessByUtf16(std::string_view left, std::string_view right)
{
    std::size_t at = 0;
    while (at < left.size() && at < right.size()) {
        const auto a = codePointAt(left, at);
        const auto b = codePointAt(right, at);
        CHECK(a && b);
        if (a->value != b->value)
            return utf16Rank(a->value) < utf16Rank(b->value);
        at += a->length;
    }
    return left.size() < right.size();
}

} // namespace payonce::protocol
