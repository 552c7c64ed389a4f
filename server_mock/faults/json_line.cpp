#include "faults/json_line.h"

#include "faults/json_text.h"

#include <algorithm>
#include <utility>

namespace payonce::faults {

namespace {

bool isPlain(char c)
{
    return c >= ' ' && c <= '~' && c != '"' && c != '\\';
}

} // namespace

void appendQuoted(std::string& line, std::string_view text)
{
    if (std::all_of(text.begin(), text.end(), isPlain))
        line.append(1, '"').append(text).append(1, '"');
    else
        line += textOf(OrderedJson(std::string(text)));
}

JsonLine::JsonLine(std::string& line) : m_line(line)
{
    m_line += '{';
}

JsonLine& JsonLine::text(std::string_view name, std::string_view value)
{
    begin(name);
    appendQuoted(m_line, value);
    return *this;
}

JsonLine& JsonLine::textOrNull(std::string_view name, std::string_view value)
{
    begin(name);
    if (value.empty())
        m_line += "null";
    else
        appendQuoted(m_line, value);
    return *this;
}

JsonLine& JsonLine::begin(std::string_view name)
{
    if (!std::exchange(m_isFirst, false))
        m_line += ',';
    m_line.append(1, '"').append(name).append("\":");
    return *this;
}

} // namespace payonce::faults
