#include "faults/json_line.h"

#include "faults/json_text.h"

#include <algorithm>
#include <utility>

namespace payonce::faults {

namespace {

constexpr std::size_t kUsualLine = 512;

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

JsonLine::JsonLine()
{
    m_line.reserve(kUsualLine);
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
    return value.empty() ? json(name, "null") : text(name, value);
}

JsonLine& JsonLine::json(std::string_view name, std::string_view value)
{
    begin(name);
    m_line += value;
    return *this;
}

std::string JsonLine::take()
{
    m_line += '}';
    return std::move(m_line);
}

void JsonLine::begin(std::string_view name)
{
    if (m_line.size() > 1)
        m_line += ',';
    m_line.append(1, '"').append(name).append("\":");
}

} // namespace payonce::faults
