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

void appendNumber(std::string& line, std::integral auto number)
{
    std::array<char, 24> digits{};
    const auto [end, error] = std::to_chars(digits.data(), digits.data() + digits.size(), number);
    line.append(digits.data(), end);
}

/// Appends one object to a text that outlives it. Names are plain: nothing in them is escaped.
class JsonLine
{
public:
    explicit JsonLine(std::string& line);

    JsonLine& text(std::string_view name, std::string_view value);
    JsonLine& textOrNull(std::string_view name, std::string_view value); ///< null where it is empty
    JsonLine& number(std::string_view name, std::integral auto value)
    {
        begin(name);
        appendNumber(m_line, value);
        return *this;
    }
    /// For a value that the caller appends, which is JSON already.
    JsonLine& begin(std::string_view name);
    void end() { m_line += '}'; }

private:
    std::string& m_line;
    bool m_isFirst = true;
};

} // namespace payonce::faults
