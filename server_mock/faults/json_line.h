// JsonLine: the text of one JSON object, written member by member. For what is written with every request, where the values
// that OrderedJson would make in between cost more than all the rest.
#pragma once

#include <array>
#include <charconv>
#include <concepts>
#include <string>
#include <string_view>

namespace payonce::faults {

/// Appends `text` as a JSON string, as textOf() would write it.
void appendQuoted(std::string& line, std::string_view text);

class JsonLine
{
public:
    JsonLine();

    /// Names are plain: nothing in them is escaped.
    JsonLine& text(std::string_view name, std::string_view value);
    JsonLine& textOrNull(std::string_view name, std::string_view value); ///< null where it is empty
    JsonLine& json(std::string_view name, std::string_view value);       ///< is JSON already
    JsonLine& number(std::string_view name, std::integral auto value)
    {
        std::array<char, 24> digits{};
        const auto [end, error] = std::to_chars(digits.data(), digits.data() + digits.size(), value);
        return json(name, {digits.data(), static_cast<std::size_t>(end - digits.data())});
    }

    /// Ends it; nothing may be added any more.
    [[nodiscard]] std::string take();

private:
    void begin(std::string_view name);

    std::string m_line;
};

} // namespace payonce::faults
