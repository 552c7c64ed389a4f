#include "protocol/email_address.h"

#include "values/lower_case.h"

#include <algorithm>

namespace payonce::protocol {

namespace {

// Not std::isalnum: it follows the locale.
bool isLetterOrDigit(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

bool isLocalPart(std::string_view text)
{
    constexpr std::string_view kOthers = ".!#$%&'*+/=?^_`{|}~-";
    const auto isAllowed = [&](char c) { return isLetterOrDigit(c) || kOthers.find(c) != std::string_view::npos; };
    return !text.empty() && text.size() <= kLongestLocalPart && std::all_of(text.begin(), text.end(), isAllowed);
}

bool isLabel(std::string_view text)
{
    constexpr std::size_t kLongest = 63;
    const auto isAllowed = [](char c) { return isLetterOrDigit(c) || c == '-'; };
    return !text.empty() && text.size() <= kLongest && std::all_of(text.begin(), text.end(), isAllowed) &&
           text.front() != '-' && text.back() != '-';
}

bool isDomain(std::string_view text)
{
    for (auto dot = text.find('.'); dot != std::string_view::npos; dot = text.find('.')) {
        if (!isLabel(text.substr(0, dot)))
            return false;
        text.remove_prefix(dot + 1);
    }
    return isLabel(text);
}

} // namespace

bool isEmailAddress(std::string_view text)
{
    const auto at = text.find('@');
    return at != std::string_view::npos && text.size() <= kLongestEmailAddress && isLocalPart(text.substr(0, at)) &&
           isDomain(text.substr(at + 1));
}

std::string emailKeyOf(std::string_view address)
{
    return values::lowerCase(address);
}

} // namespace payonce::protocol
