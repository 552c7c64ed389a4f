// Strict JSON in: I-JSON (RFC 7493) over nlohmann's SAX interface, which sees what a DOM parser hides.
//
// Refused: syntax errors, invalid UTF-8, lone surrogates and noncharacters, duplicate member names, numbers that
// binary64 cannot hold, nesting deeper than kDeepestNesting. A fraction is held if writing it again (RFC 8785) gives
// the same number; an integer if it is exact.
#pragma once

#include "values/result.h"

#include <nlohmann/json.hpp>

#include <cstddef>
#include <map>
#include <string>
#include <string_view>

namespace payonce::protocol {

using Json = nlohmann::json;

/// Arrays and objects inside each other; the outermost counts as one.
inline constexpr int kDeepestNesting = 32;
/// All the pointers of one PlacedJson together: a long name with many members below it would take gigabytes.
inline constexpr std::size_t kMostPlaceBytes = 8U * 1024 * 1024;

enum class JsonErrorKind {
    Syntax,
    InvalidUtf8,
    LoneSurrogate,
    Noncharacter,
    DuplicateMember,
    InexactNumber,
    TooDeep,
    TooManyPlaces, ///< only of parseStrictWithPlaces: beyond kMostPlaceBytes
};

/// Where something is: lines and columns (bytes) count from 1; `path` is a JSON pointer, empty for the whole text.
struct JsonPlace
{
    std::string path;
    int line = 1;
    int column = 1;
};

struct JsonError
{
    JsonErrorKind kind = JsonErrorKind::Syntax;
    JsonPlace place;
};

/// "member name used twice at line 3, column 5 (/amount/value)". English, for problem details and load errors.
[[nodiscard]] std::string wordsOf(const JsonError& error);
/// "line 3, column 5 (/amount/value)".
[[nodiscard]] std::string wordsOf(const JsonPlace& place);

/// A parsed text that still knows where each member stood.
// NOLINTNEXTLINE(bugprone-exception-escape): the check does not see that Json moves without throwing.
struct PlacedJson
{
    Json value;
    std::map<std::string, JsonPlace> places; ///< by JSON pointer; a member's place is that of its name
};

/// The whole text must be one JSON value.
[[nodiscard]] values::Result<Json, JsonError> parseStrict(std::string_view text);
[[nodiscard]] values::Result<PlacedJson, JsonError> parseStrictWithPlaces(std::string_view text);

} // namespace payonce::protocol
