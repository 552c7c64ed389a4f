#include "protocol/structured_field.h"

#include <algorithm>
#include <charconv>

namespace payonce::protocol {

namespace {

constexpr std::size_t kMostIntegerDigits = 15;

char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

bool isParameterName(std::string_view name)
{
    constexpr std::string_view kFirst = "abcdefghijklmnopqrstuvwxyz*";
    constexpr std::string_view kRest = "abcdefghijklmnopqrstuvwxyz0123456789_-.*";
    return !name.empty() && kFirst.find(name.front()) != std::string_view::npos &&
           name.find_first_not_of(kRest) == std::string_view::npos;
}

} // namespace

std::string_view trimmed(std::string_view text)
{
    const auto first = text.find_first_not_of(" \t");
    if (first == std::string_view::npos)
        return {};
    return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

bool sameIgnoringCase(std::string_view left, std::string_view right)
{
    return std::equal(left.begin(), left.end(), right.begin(), right.end(),
                      [](char a, char b) { return lower(a) == lower(b); });
}

std::vector<std::string_view> splitOutsideQuotes(std::string_view text, char separator)
{
    std::vector<std::string_view> parts;
    bool quoted = false;
    std::size_t start = 0;
    for (std::size_t at = 0; at < text.size(); ++at) {
        if (quoted && text[at] == '\\')
            ++at;
        else if (text[at] == '"')
            quoted = !quoted;
        else if (!quoted && text[at] == separator) {
            parts.push_back(text.substr(start, at - start));
            start = at + 1;
        }
    }
    parts.push_back(text.substr(start));
    return parts;
}

std::optional<std::string> wholeString(std::string_view text)
{
    if (text.size() < 2 || text.front() != '"' || text.back() != '"')
        return {};
    std::string value;
    const auto inner = text.substr(1, text.size() - 2);
    for (std::size_t at = 0; at < inner.size(); ++at) {
        char c = inner[at];
        if (c == '\\') {
            ++at;
            if (at == inner.size() || (inner[at] != '"' && inner[at] != '\\'))
                return {};
            c = inner[at];
        } else if (c == '"' || c < ' ' || c > '~') {
            return {};
        }
        value += c;
    }
    return value;
}

std::optional<std::int64_t> wholeInteger(std::string_view text)
{
    const std::size_t sign = !text.empty() && text.front() == '-' ? 1 : 0;
    if (text.size() == sign || text.size() > kMostIntegerDigits + sign)
        return {};
    std::int64_t value = 0;
    const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
    if (read.ec != std::errc() || read.ptr != text.data() + text.size())
        return {};
    return value;
}

bool isToken(std::string_view text)
{
    const auto isLetter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
    const auto isInner = [&isLetter](char c) {
        return isLetter(c) || (c >= '0' && c <= '9') ||
               (c != '\0' && std::string_view("!#$%&'*+-.^_`|~:/").find(c) != std::string_view::npos);
    };
    return !text.empty() && (isLetter(text.front()) || text.front() == '*') && std::all_of(text.begin(), text.end(), isInner);
}

std::optional<Item> itemOf(std::string_view text)
{
    const auto parts = splitOutsideQuotes(text, ';');
    Item item{std::string(parts.front()), {}};
    for (std::size_t i = 1; i < parts.size(); ++i) {
        const auto part = trimmed(parts[i]);
        const auto equals = std::min(part.find('='), part.size());
        const auto name = part.substr(0, equals);
        if (!isParameterName(name))
            return {};
        item.parameters.push_back({std::string(name), equals == part.size() ? "?1" : std::string(part.substr(equals + 1))});
    }
    return item;
}

} // namespace payonce::protocol
