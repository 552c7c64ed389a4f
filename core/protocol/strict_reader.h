// The SAX handler behind parseStrict. Internal to core/protocol.
#pragma once

#include "protocol/strict_json.h"

#include <optional>
#include <vector>

namespace payonce::protocol {

/// A member name as a step of a JSON pointer (RFC 6901): `/` and `~` escaped, `/` in front.
[[nodiscard]] std::string pointerStep(const std::string& name);

/// Builds the value and follows the text token by token, so that an error can name its place. The method names are
/// those nlohmann's json_sax asks for.
class StrictReader
{
public:
    enum class Places { Keep, Drop };

    /// `text` outlives the reader.
    StrictReader(std::string_view text, Places places) : m_text(text), m_places(places) {}

    bool null() { return scalar(Json()); }
    bool boolean(bool value) { return scalar(Json(value)); }
    bool number_integer(Json::number_integer_t value);                       // NOLINT(readability-identifier-naming)
    bool number_unsigned(Json::number_unsigned_t value);                     // NOLINT(readability-identifier-naming)
    bool number_float(Json::number_float_t value, const std::string& token); // NOLINT(readability-identifier-naming)
    bool string(std::string& value);
    bool binary(Json::binary_t& value);
    bool start_object(std::size_t size); // NOLINT(readability-identifier-naming)
    bool key(std::string& name);
    bool end_object();                  // NOLINT(readability-identifier-naming)
    bool start_array(std::size_t size); // NOLINT(readability-identifier-naming)
    bool end_array();                   // NOLINT(readability-identifier-naming)
    bool parse_error(std::size_t position, const std::string& token, const Json::exception& error); // NOLINT

    /// Call once, after the parse.
    [[nodiscard]] values::Result<PlacedJson, JsonError> take();

private:
    /// One open array or object: the value under construction, and the name of the member that comes next.
    struct Level
    {
        Json value;
        std::optional<std::string> name;
    };

    [[nodiscard]] std::size_t tokenStart() const;
    [[nodiscard]] std::string_view tokenText() const;
    void passToken();
    JsonPlace here();
    [[nodiscard]] std::string path() const;
    bool fail(JsonErrorKind kind);
    bool scalar(Json value);
    bool open(Json value);
    bool close();
    void add(Json value);
    /// False where that would be too much.
    [[nodiscard]] bool keepPlace();

    std::string_view m_text;
    Places m_places;
    std::size_t m_at = 0;        ///< just after the last token
    std::size_t m_lineStart = 0; ///< of the line that here() was last in
    int m_line = 1;
    std::vector<Level> m_levels;
    std::size_t m_placeBytes = 0;
    PlacedJson m_result;
    std::optional<JsonError> m_error;
};

} // namespace payonce::protocol
