#include "protocol/strict_reader.h"

#include "protocol/number_text.h"
#include "protocol/utf8.h"
#include "values/check.h"

#include <algorithm>
#include <utility>

namespace payonce::protocol {

namespace {

constexpr std::string_view kBetweenTokens = " \t\r\n,:";

std::size_t stringEnd(std::string_view text, std::size_t start)
{
    for (std::size_t at = start + 1; at < text.size(); ++at) {
        if (text[at] == '\\')
            ++at;
        else if (text[at] == '"')
            return at + 1;
    }
    return text.size();
}

std::size_t tokenEnd(std::string_view text, std::size_t start)
{
    constexpr std::string_view kStructure = "{}[]";
    if (text[start] == '"')
        return stringEnd(text, start);
    if (kStructure.find(text[start]) != std::string_view::npos)
        return start + 1;
    const auto end = text.find_first_of(" \t\r\n,:{}[]\"", start);
    return std::min(end, text.size());
}

std::optional<unsigned> escapedUnit(std::string_view text, std::size_t at)
{
    constexpr std::size_t kLength = 6; // \uXXXX
    if (text.size() - at < kLength || text[at] != '\\' || text[at + 1] != 'u')
        return {};
    unsigned value = 0;
    for (const char c : text.substr(at + 2, 4)) {
        constexpr std::string_view kDigits = "0123456789abcdef0123456789ABCDEF";
        const auto digit = kDigits.find(c);
        if (digit == std::string_view::npos)
            return {};
        value = value * 16 + static_cast<unsigned>(digit % 16);
    }
    return value;
}

/// A \u escape of a surrogate without its other half.
bool hasLoneSurrogate(std::string_view text)
{
    constexpr unsigned kSurrogateMask = 0xFC00U;
    constexpr unsigned kHigh = 0xD800U;
    constexpr unsigned kLow = 0xDC00U;
    for (std::size_t at = 0; at < text.size(); ++at) {
        if (text[at] != '\\')
            continue;
        const auto unit = escapedUnit(text, at).value_or(0);
        if ((unit & kSurrogateMask) == kLow)
            return true;
        if ((unit & kSurrogateMask) != kHigh) {
            ++at;
            continue;
        }
        const auto next = at + 6 < text.size() ? escapedUnit(text, at + 6).value_or(0) : 0;
        if ((next & kSurrogateMask) != kLow)
            return true;
        at += 11;
    }
    return false;
}

bool hasNoncharacter(const std::string& text)
{
    for (std::size_t at = 0; at < text.size();) {
        const auto point = codePointAt(text, at);
        CHECK(point.has_value());
        if (isNoncharacter(point->value))
            return true;
        at += point->length;
    }
    return false;
}

} // namespace

std::string pointerStep(const std::string& name)
{
    std::string token = "/";
    for (const char c : name) {
        if (c == '~')
            token += "~0";
        else if (c == '/')
            token += "~1";
        else
            token += c;
    }
    return token;
}

std::size_t StrictReader::tokenStart() const
{
    return std::min(m_text.find_first_not_of(kBetweenTokens, m_at), m_text.size());
}

std::string_view StrictReader::tokenText() const
{
    const auto start = tokenStart();
    return start < m_text.size() ? m_text.substr(start, tokenEnd(m_text, start) - start) : std::string_view();
}

/// The place of the next token. Places are only asked for forwards, so lines are counted once.
JsonPlace StrictReader::here()
{
    const auto start = tokenStart();
    for (auto end = m_text.find('\n', m_lineStart); end < start; end = m_text.find('\n', m_lineStart)) {
        m_lineStart = end + 1;
        ++m_line;
    }
    return {path(), m_line, static_cast<int>(start - m_lineStart) + 1};
}

void StrictReader::passToken()
{
    const auto start = tokenStart();
    CHECK(start < m_text.size());
    m_at = tokenEnd(m_text, start);
}

std::string StrictReader::path() const
{
    std::string path;
    for (const auto& level : m_levels) {
        if (level.value.is_array())
            path += '/' + std::to_string(level.value.size());
        else if (level.name)
            path += pointerStep(*level.name);
    }
    return path;
}

bool StrictReader::fail(JsonErrorKind kind)
{
    m_error = JsonError{kind, here()};
    return false;
}

bool StrictReader::keepPlace()
{
    if (m_places == Places::Drop)
        return true;
    auto place = here();
    m_placeBytes += place.path.size();
    if (m_placeBytes > kMostPlaceBytes)
        return fail(JsonErrorKind::TooManyPlaces);
    m_result.places.try_emplace(place.path, place); // a member keeps the place of its name
    return true;
}

void StrictReader::add(Json value)
{
    if (m_levels.empty())
        m_result.value = std::move(value);
    else if (m_levels.back().value.is_array())
        m_levels.back().value.push_back(std::move(value));
    else
        m_levels.back().value[*m_levels.back().name] = std::move(value);
}

bool StrictReader::scalar(Json value)
{
    if (!keepPlace())
        return false;
    add(std::move(value));
    passToken();
    return true;
}

bool StrictReader::open(Json value)
{
    if (m_levels.size() == static_cast<std::size_t>(kDeepestNesting))
        return fail(JsonErrorKind::TooDeep);
    if (!keepPlace())
        return false;
    passToken();
    m_levels.push_back({std::move(value), {}});
    return true;
}

bool StrictReader::close()
{
    passToken();
    Json done = std::move(m_levels.back().value);
    m_levels.pop_back();
    add(std::move(done));
    return true;
}

bool StrictReader::number_integer(Json::number_integer_t value)
{
    return isExact(value) ? scalar(Json(value)) : fail(JsonErrorKind::InexactNumber);
}

bool StrictReader::number_unsigned(Json::number_unsigned_t value)
{
    return isExact(value) ? scalar(Json(value)) : fail(JsonErrorKind::InexactNumber);
}

// Not nlohmann's token: before version 3.12 it has the decimal point of the process's locale.
bool StrictReader::number_float(Json::number_float_t value, const std::string& /*token*/)
{
    const auto token = tokenText(); // what stands right behind it is no part of the number, and refused after it
    const auto number = token.substr(0, token.find_first_not_of("+-.0123456789Ee"));
    return isHeld(number, value) ? scalar(Json(value)) : fail(JsonErrorKind::InexactNumber);
}

bool StrictReader::string(std::string& value)
{
    return hasNoncharacter(value) ? fail(JsonErrorKind::Noncharacter) : scalar(Json(std::move(value)));
}

bool StrictReader::binary(Json::binary_t& /*value*/)
{
    return fail(JsonErrorKind::Syntax);
}

bool StrictReader::start_object(std::size_t /*size*/)
{
    return open(Json::object());
}

bool StrictReader::key(std::string& name)
{
    auto& level = m_levels.back();
    const bool known = level.value.contains(name);
    level.name = std::move(name);
    if (known)
        return fail(JsonErrorKind::DuplicateMember);
    if (hasNoncharacter(*level.name))
        return fail(JsonErrorKind::Noncharacter);
    if (!keepPlace())
        return false;
    passToken();
    return true;
}

bool StrictReader::end_object()
{
    return close();
}

bool StrictReader::start_array(std::size_t /*size*/)
{
    return open(Json::array());
}

bool StrictReader::end_array()
{
    return close();
}

bool StrictReader::parse_error(std::size_t /*position*/, const std::string& /*token*/, const Json::exception& error)
{
    const auto token = tokenText();
    constexpr int kOutOfRange = 406; // nlohmann's "number overflow"
    if (error.id == kOutOfRange)
        return fail(JsonErrorKind::InexactNumber);
    return fail(!token.empty() && token.front() == '"' && hasLoneSurrogate(token) ? JsonErrorKind::LoneSurrogate
                                                                                  : JsonErrorKind::Syntax);
}

values::Result<PlacedJson, JsonError> StrictReader::take()
{
    if (m_error)
        return values::Failure(*m_error);
    return std::move(m_result);
}

} // namespace payonce::protocol
