#include "values/time.h"

#include <array>
#include <charconv>

namespace payonce::values {

namespace {

using std::chrono::days;
using std::chrono::hours;
using std::chrono::milliseconds;
using std::chrono::minutes;
using std::chrono::seconds;

/// Takes digits from the front of `rest`; fails on anything that is not exactly `count` digits.
std::optional<int> takeDigits(std::string_view& rest, std::size_t count)
{
    if (rest.size() < count)
        return {};
    int value = 0;
    for (const char c : rest.substr(0, count)) {
        if (c < '0' || c > '9')
            return {};
        value = value * 10 + (c - '0');
    }
    rest.remove_prefix(count);
    return value;
}

bool takeChar(std::string_view& rest, char wanted)
{
    if (rest.empty() || rest.front() != wanted)
        return false;
    rest.remove_prefix(1);
    return true;
}

std::optional<milliseconds> takeFraction(std::string_view& rest)
{
    if (!takeChar(rest, '.'))
        return milliseconds(0);
    int value = 0;
    int digits = 0;
    while (!rest.empty() && rest.front() >= '0' && rest.front() <= '9') {
        if (digits < 3)
            value = value * 10 + (rest.front() - '0');
        ++digits;
        rest.remove_prefix(1);
    }
    if (digits == 0)
        return {};
    for (; digits < 3; ++digits)
        value *= 10;
    return milliseconds(value);
}

std::optional<minutes> takeOffset(std::string_view& rest)
{
    if (takeChar(rest, 'Z') || takeChar(rest, 'z'))
        return minutes(0);
    const bool west = !rest.empty() && rest.front() == '-';
    if (!takeChar(rest, '+') && !takeChar(rest, '-'))
        return {};
    const auto offsetHours = takeDigits(rest, 2);
    if (!offsetHours || *offsetHours > 23 || !takeChar(rest, ':'))
        return {};
    const auto offsetMinutes = takeDigits(rest, 2);
    if (!offsetMinutes || *offsetMinutes > 59)
        return {};
    const minutes offset = hours(*offsetHours) + minutes(*offsetMinutes);
    return west ? -offset : offset;
}

std::optional<std::chrono::sys_days> takeDate(std::string_view& rest)
{
    const auto year = takeDigits(rest, 4);
    if (!year || !takeChar(rest, '-'))
        return {};
    const auto month = takeDigits(rest, 2);
    if (!month || !takeChar(rest, '-'))
        return {};
    const auto day = takeDigits(rest, 2);
    if (!day)
        return {};
    const std::chrono::year_month_day date(std::chrono::year(*year), std::chrono::month(static_cast<unsigned>(*month)),
                                           std::chrono::day(static_cast<unsigned>(*day)));
    if (!date.ok())
        return {};
    return std::chrono::sys_days(date);
}

std::optional<seconds> takeTimeOfDay(std::string_view& rest)
{
    const auto hour = takeDigits(rest, 2);
    if (!hour || *hour > 23 || !takeChar(rest, ':'))
        return {};
    const auto minute = takeDigits(rest, 2);
    if (!minute || *minute > 59 || !takeChar(rest, ':'))
        return {};
    const auto second = takeDigits(rest, 2);
    if (!second || *second > 60) // 60: a leap second
        return {};
    return hours(*hour) + minutes(*minute) + seconds(*second);
}

/// At least `width` digits of a number that is not negative.
void appendDigits(std::string& text, int number, std::size_t width)
{
    std::array<char, 12> digits{};
    const auto [end, error] = std::to_chars(digits.data(), digits.data() + digits.size(), number);
    const auto length = static_cast<std::size_t>(end - digits.data());
    text.append(width > length ? width - length : 0, '0').append(digits.data(), length);
}

} // namespace

std::string toRfc3339(WallTime time)
{
    const auto date = std::chrono::floor<days>(time);
    const std::chrono::year_month_day ymd(date);
    const std::chrono::hh_mm_ss clock(time - date);
    std::string text;
    text.reserve(sizeof("2026-11-30T10:00:00.000Z"));
    const int year = static_cast<int>(ymd.year());
    if (year < 0)
        text += '-';
    appendDigits(text, year < 0 ? -year : year, year < 0 ? 3 : 4);
    appendDigits(text += '-', static_cast<int>(static_cast<unsigned>(ymd.month())), 2);
    appendDigits(text += '-', static_cast<int>(static_cast<unsigned>(ymd.day())), 2);
    appendDigits(text += 'T', static_cast<int>(clock.hours().count()), 2);
    appendDigits(text += ':', static_cast<int>(clock.minutes().count()), 2);
    appendDigits(text += ':', static_cast<int>(clock.seconds().count()), 2);
    appendDigits(text += '.', static_cast<int>(clock.subseconds().count()), 3);
    return text += 'Z';
}

std::optional<WallTime> fromRfc3339(std::string_view text)
{
    const auto date = takeDate(text);
    if (!date || (!takeChar(text, 'T') && !takeChar(text, 't')))
        return {};
    const auto timeOfDay = takeTimeOfDay(text);
    if (!timeOfDay)
        return {};
    const auto fraction = takeFraction(text);
    if (!fraction)
        return {};
    const auto offset = takeOffset(text);
    if (!offset || !text.empty())
        return {};
    return WallTime(date->time_since_epoch()) + *timeOfDay + *fraction - *offset;
}

} // namespace payonce::values
