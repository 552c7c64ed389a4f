#include "protocol/duration_text.h"

#include <charconv>

namespace payonce::protocol {

namespace {

constexpr std::size_t kMostDigits = 7;

std::optional<int> between(std::string_view text, std::string_view before, char after)
{
    if (text.size() < before.size() + 2 || text.size() > before.size() + kMostDigits + 1)
        return {};
    if (text.substr(0, before.size()) != before || text.back() != after || text[before.size()] == '-')
        return {};
    const auto digits = text.substr(before.size(), text.size() - before.size() - 1);
    int value = 0;
    const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (read.ec != std::errc() || read.ptr != digits.data() + digits.size())
        return {};
    return value;
}

} // namespace

std::string daysText(std::chrono::days days)
{
    return 'P' + std::to_string(days.count()) + 'D';
}

std::string secondsText(std::chrono::seconds seconds)
{
    return "PT" + std::to_string(seconds.count()) + 'S';
}

std::optional<std::chrono::days> daysOf(std::string_view text)
{
    const auto value = between(text, "P", 'D');
    return value ? std::optional(std::chrono::days(*value)) : std::nullopt;
}

std::optional<std::chrono::seconds> secondsOf(std::string_view text)
{
    const auto value = between(text, "PT", 'S');
    return value ? std::optional(std::chrono::seconds(*value)) : std::nullopt;
}

} // namespace payonce::protocol
