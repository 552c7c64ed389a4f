#include "protocol/card_text.h"

#include "protocol/card_request.h"
#include "protocol/utf8.h"

#include <QtCore/QChar>

#include <string>
#include <vector>

namespace payonce::protocol {

namespace {

constexpr std::size_t kShortest = 13;
constexpr std::size_t kLongest = 19;
/// Separators in a row that do not part two groups of one number: ` - `.
constexpr int kSeparatorsMost = 3;

/// Groups of digits that stand near each other.
using Groups = std::vector<std::string>;

bool isCard(std::string_view digits)
{
    return digits.size() >= kShortest && digits.size() <= kLongest && isLuhnValid(digits);
}

bool isSeparator(char32_t point)
{
    switch (QChar::category(point)) {
    case QChar::Separator_Space:
    case QChar::Separator_Line:
    case QChar::Separator_Paragraph:
    case QChar::Punctuation_Dash:
    case QChar::Punctuation_Connector:
    case QChar::Other_Format: return true;
    default: break;
    }
    constexpr std::u32string_view kOthers = U".,/\\*|\u00B7\u2022\u2024\u2027\u2212\u3002\uFF0E\uFF0C\uFF0F";
    return kOthers.find(point) != std::u32string_view::npos;
}

/// Any part of a row of digits that is too long for one card.
bool holdsCard(std::string_view row)
{
    for (std::size_t at = 0; at + kShortest <= row.size(); ++at)
        for (std::size_t length = kShortest; length <= kLongest; ++length)
            if (isCard(row.substr(at, length)))
                return true;
    return false;
}

/// Any groups one after the other, so that a number is seen before the date that follows it.
bool hasCard(const Groups& groups)
{
    for (std::size_t first = 0; first < groups.size(); ++first) {
        if (groups[first].size() > kLongest && holdsCard(groups[first]))
            return true;
        std::string digits;
        for (std::size_t next = first; next < groups.size() && digits.size() <= kLongest; ++next) {
            digits += groups[next];
            if (isCard(digits))
                return true;
        }
    }
    return false;
}

} // namespace

bool holdsCardNumber(std::string_view text)
{
    Groups groups;
    int separators = 1; // since the last digit
    for (std::size_t at = 0; at < text.size();) {
        const auto point = codePointAt(text, at).value_or(CodePoint{});
        at += point.length;
        if (const int digit = QChar::digitValue(point.value); digit >= 0) {
            if (groups.empty() || separators > 0)
                groups.emplace_back();
            groups.back() += static_cast<char>('0' + digit);
            separators = 0;
        } else if (!isSeparator(point.value) || ++separators > kSeparatorsMost) {
            if (hasCard(groups))
                return true;
            groups.clear();
        }
    }
    return hasCard(groups);
}

} // namespace payonce::protocol
