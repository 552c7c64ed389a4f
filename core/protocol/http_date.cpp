#include "protocol/http_date.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <vector>

namespace payonce::protocol {

namespace {

using std::chrono::days;
using std::chrono::hours;
using std::chrono::minutes;
using std::chrono::seconds;

constexpr std::array<std::string_view, 7> kDays = {"Sunday",   "Monday", "Tuesday", "Wednesday",
                                                   "Thursday", "Friday", "Saturday"};
constexpr std::array<std::string_view, 12> kMonths = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                                      "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};

std::vector<std::string_view> split(std::string_view text, char separator)
{
    std::vector<std::string_view> parts;
    while (true) {
        const auto end = std::min(text.find(separator), text.size());
        if (end > 0)
            parts.push_back(text.substr(0, end));
        if (end == text.size())
            return parts;
        text.remove_prefix(end + 1);
    }
}

std::optional<int> number(std::string_view text, std::size_t digits)
{
    if (text.size() != digits)
        return {};
    int value = 0;
    for (const char c : text) {
        if (c < '0' || c > '9')
            return {};
        value = value * 10 + (c - '0');
    }
    return value;
}

bool isDayName(std::string_view name, std::size_t length)
{
    return std::any_of(kDays.begin(), kDays.end(), [&](std::string_view day) { return day.substr(0, length) == name; });
}

/// Text as it stands in the three forms; which form it was is forgotten here.
struct DateParts
{
    std::optional<int> day;
    std::string_view month;
    std::optional<int> year;
    std::string_view clock;
};

std::optional<seconds> clockOf(std::string_view text)
{
    const auto parts = split(text, ':');
    if (parts.size() != 3 || text.size() != 8)
        return {};
    const auto hour = number(parts[0], 2);
    const auto minute = number(parts[1], 2);
    const auto second = number(parts[2], 2);
    if (!hour || !minute || !second || *hour > 23 || *minute > 59 || *second > 60) // 60: a leap second
        return {};
    return hours(*hour) + minutes(*minute) + seconds(*second);
}

std::optional<values::WallTime> timeOf(const DateParts& parts)
{
    const auto month = std::find(kMonths.begin(), kMonths.end(), parts.month);
    const auto clock = clockOf(parts.clock);
    if (!parts.day || !parts.year || month == kMonths.end() || !clock)
        return {};
    const std::chrono::year_month_day date(std::chrono::year(*parts.year),
                                           std::chrono::month(static_cast<unsigned>(month - kMonths.begin()) + 1),
                                           std::chrono::day(static_cast<unsigned>(*parts.day)));
    if (!date.ok())
        return {};
    return values::WallTime(std::chrono::sys_days(date).time_since_epoch()) + *clock;
}

/// `Mon, 30 Nov 2026 10:00:00 GMT`
std::optional<values::WallTime> imfFixdate(const std::vector<std::string_view>& words)
{
    if (words.size() != 6 || words[0].size() != 4 || words[0].back() != ',' || !isDayName(words[0].substr(0, 3), 3) ||
        words[5] != "GMT")
        return {};
    return timeOf({number(words[1], 2), words[2], number(words[3], 4), words[4]});
}

/// `Mon Nov 30 10:00:00 2026`, the day padded with a space
std::optional<values::WallTime> asctime(const std::vector<std::string_view>& words)
{
    if (words.size() != 5 || !isDayName(words[0], 3))
        return {};
    return timeOf({number(words[2], words[2].size() == 1 ? 1 : 2), words[1], number(words[4], 4), words[3]});
}

/// `Monday, 30-Nov-26 10:00:00 GMT`; more than 50 years ahead means the century before.
std::optional<values::WallTime> rfc850(const std::vector<std::string_view>& words, values::WallTime now)
{
    if (words.size() != 4 || words[0].back() != ',' || words[3] != "GMT")
        return {};
    const auto date = split(words[1], '-');
    if (date.size() != 3 || std::find(kDays.begin(), kDays.end(), words[0].substr(0, words[0].size() - 1)) == kDays.end())
        return {};
    const std::chrono::year_month_day today(std::chrono::floor<days>(now));
    const int thisYear = static_cast<int>(today.year());
    auto year = number(date[2], 2);
    if (year) {
        *year += thisYear - thisYear % 100;
        if (*year > thisYear + 50)
            *year -= 100;
    }
    return timeOf({number(date[0], 2), date[1], year, words[2]});
}

} // namespace

std::string toHttpDate(values::WallTime time)
{
    const auto date = std::chrono::floor<days>(time);
    const std::chrono::year_month_day ymd(date);
    const std::chrono::hh_mm_ss clock(std::chrono::floor<seconds>(time - date));
    const auto day = kDays.at(std::chrono::weekday(date).c_encoding()).substr(0, 3);
    const auto month = kMonths.at(static_cast<unsigned>(ymd.month()) - 1);
    std::array<char, 48> text{};
    std::snprintf(text.data(), text.size(), "%.3s, %02u %.3s %04d %02d:%02d:%02d GMT", day.data(),
                  static_cast<unsigned>(ymd.day()), month.data(), static_cast<int>(ymd.year()),
                  static_cast<int>(clock.hours().count()), static_cast<int>(clock.minutes().count()),
                  static_cast<int>(clock.seconds().count()));
    return text.data();
}

std::optional<values::WallTime> fromHttpDate(std::string_view text, values::WallTime now)
{
    const auto words = split(text, ' ');
    if (const auto time = imfFixdate(words))
        return time;
    if (const auto time = asctime(words))
        return time;
    return rfc850(words, now);
}

std::optional<std::chrono::milliseconds> parseRetryAfter(std::string_view text, values::WallTime now)
{
    constexpr std::size_t kMostDigits = 9; // more than any int of seconds that means something
    const bool digits = !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
    if (digits && text.size() > kMostDigits)
        return kLongestRetryAfter;
    if (digits)
        return std::min(kLongestRetryAfter, seconds(*number(text, text.size())));
    const auto date = fromHttpDate(text, now);
    if (!date)
        return {};
    return std::clamp(*date - now, std::chrono::milliseconds(0), std::chrono::milliseconds(kLongestRetryAfter));
}

} // namespace payonce::protocol
