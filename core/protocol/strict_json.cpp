#include "protocol/strict_json.h"

#include "protocol/strict_reader.h"
#include "protocol/utf8.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace payonce::protocol {

namespace {

const char* nameOf(JsonErrorKind kind)
{
    switch (kind) {
    case JsonErrorKind::Syntax: return "not JSON";
    case JsonErrorKind::InvalidUtf8: return "not UTF-8";
    case JsonErrorKind::LoneSurrogate: return "half of a surrogate pair";
    case JsonErrorKind::Noncharacter: return "a code point that is no character";
    case JsonErrorKind::DuplicateMember: return "member name used twice";
    case JsonErrorKind::InexactNumber: return "number that binary64 cannot hold exactly";
    case JsonErrorKind::TooDeep: return "nested too deeply";
    case JsonErrorKind::TooManyPlaces: return "member names too long for so many members";
    }
    return "";
}

JsonPlace placeAt(std::string_view text, std::size_t offset)
{
    const auto before = text.substr(0, offset);
    const auto lineStart = before.rfind('\n');
    const auto lines = std::count(before.begin(), before.end(), '\n');
    const auto column = lineStart == std::string_view::npos ? offset : offset - lineStart - 1;
    return {{}, static_cast<int>(lines) + 1, static_cast<int>(column) + 1};
}

/// nlohmann's parser takes a NUL for the end and skips a byte order mark; neither is JSON here.
std::optional<JsonError> checkBytes(std::string_view text)
{
    constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
    if (const auto bad = firstInvalidUtf8(text))
        return JsonError{JsonErrorKind::InvalidUtf8, placeAt(text, *bad)};
    if (text.substr(0, kByteOrderMark.size()) == kByteOrderMark)
        return JsonError{JsonErrorKind::Syntax, placeAt(text, 0)};
    if (const auto nul = text.find('\0'); nul != std::string_view::npos)
        return JsonError{JsonErrorKind::Syntax, placeAt(text, nul)};
    return {};
}

values::Result<PlacedJson, JsonError> read(std::string_view text, StrictReader::Places places)
{
    if (const auto error = checkBytes(text))
        return values::Failure(*error);
    StrictReader reader(text, places);
    Json::sax_parse(text.begin(), text.end(), &reader);
    return reader.take();
}

} // namespace

std::string wordsOf(const JsonPlace& place)
{
    std::string words = "line " + std::to_string(place.line) + ", column " + std::to_string(place.column);
    if (!place.path.empty())
        words += " (" + place.path + ')';
    return words;
}

std::string wordsOf(const JsonError& error)
{
    return std::string(nameOf(error.kind)) + " at " + wordsOf(error.place);
}

values::Result<Json, JsonError> parseStrict(std::string_view text)
{
    auto parsed = read(text, StrictReader::Places::Drop);
    if (!parsed)
        return values::Failure(parsed.error());
    return std::move(parsed->value);
}

values::Result<PlacedJson, JsonError> parseStrictWithPlaces(std::string_view text)
{
    return read(text, StrictReader::Places::Keep);
}

} // namespace payonce::protocol
