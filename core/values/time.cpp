#include "values/time.h"

#include <array>
#include <cstdio>

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

} // namespace

std::string toRfc3339(WallTime time)
{
    const auto date = std::chrono::floor<days>(time);
    const std::chrono::year_month_day ymd(date);
    const std::chrono::hh_mm_ss clock(time - date);
    std::array<char, 40> text{};
    std::snprintf(text.data(), text.size(), "%04d-%02u-%02uT%02d:%02d:%02d.%03dZ", static_cast<int>(ymd.year()),
                  static_cast<unsigned>(ymd.month()), static_cast<unsigned>(ymd.day()), static_cast<int>(clock.hours().count()),
                  static_cast<int>(clock.minutes().count()), static_cast<int>(clock.seconds().count()),
                  static_cast<int>(clock.subseconds().count()));
    return text.data();
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
