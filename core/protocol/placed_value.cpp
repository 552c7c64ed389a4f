#include "protocol/placed_value.h"

#include "protocol/json_member.h"
#include "protocol/strict_reader.h"
#include "values/check.h"

#include <algorithm>

namespace payonce::protocol {

PlacedValue::PlacedValue(const PlacedJson& document, std::optional<ScenarioError>& error)
    : m_document(&document), m_error(&error), m_value(&document.value)
{
}

PlacedValue::PlacedValue(const PlacedValue& parent, const Json& value, const std::string& step)
    : m_document(parent.m_document), m_error(parent.m_error), m_value(&value), m_path(parent.m_path + step)
{
}

void PlacedValue::fail(ScenarioErrorKind kind, const std::string& what)
{
    if (*m_error)
        return;
    const auto place = m_document->places.find(m_path);
    CHECK(place != m_document->places.end());
    *m_error = ScenarioError{kind, place->second, what + " at " + wordsOf(place->second)};
}

void PlacedValue::allowOnly(std::initializer_list<std::string_view> names)
{
    if (!m_value->is_object()) {
        fail(ScenarioErrorKind::WrongType, "not an object");
        return;
    }
    for (auto member = m_value->begin(); member != m_value->end(); ++member)
        if (std::find(names.begin(), names.end(), member.key()) == names.end()) {
            PlacedValue(*this, *member, pointerStep(member.key()))
                .fail(ScenarioErrorKind::UnknownMember, "unknown member \"" + member.key() + '"');
        }
}

std::optional<PlacedValue> PlacedValue::member(std::string_view name)
{
    const auto* value = memberOf(*m_value, name);
    if (value == nullptr)
        return {};
    return PlacedValue(*this, *value, pointerStep(std::string(name)));
}

std::optional<PlacedValue> PlacedValue::needed(std::string_view name)
{
    auto value = member(name);
    if (!value)
        fail(ScenarioErrorKind::MissingMember, "no \"" + std::string(name) + '"');
    return value;
}

std::vector<PlacedValue> PlacedValue::elements(std::size_t most)
{
    std::vector<PlacedValue> elements;
    if (!m_value->is_array())
        fail(ScenarioErrorKind::WrongType, "not an array");
    else if (m_value->size() > most)
        fail(ScenarioErrorKind::OutOfRange, "more than " + std::to_string(most) + " elements");
    else
        for (const auto& element : *m_value)
            elements.push_back(PlacedValue(*this, element, '/' + std::to_string(elements.size())));
    return elements;
}

std::string PlacedValue::onlyName()
{
    if (m_value->is_object() && m_value->size() == 1)
        return m_value->begin().key();
    fail(ScenarioErrorKind::WrongType, "not an object with exactly one member");
    return {};
}

std::string PlacedValue::text()
{
    constexpr std::size_t kLongestText = 65'536;
    const auto* text = m_value->get_ptr<const std::string*>();
    if (text == nullptr)
        fail(ScenarioErrorKind::WrongType, "not a string");
    else if (text->size() > kLongestText)
        fail(ScenarioErrorKind::OutOfRange, "text longer than " + std::to_string(kLongestText) + " bytes");
    else
        return *text;
    return {};
}

std::int64_t PlacedValue::integer(std::int64_t smallest, std::int64_t largest)
{
    const auto value = integerOf(*m_value);
    if (!value && !m_value->is_number_integer())
        fail(ScenarioErrorKind::WrongType, "not an integer");
    else if (!value || *value < smallest || *value > largest)
        fail(ScenarioErrorKind::OutOfRange, "not between " + std::to_string(smallest) + " and " + std::to_string(largest));
    else
        return *value;
    return smallest;
}

double PlacedValue::number(double smallest, double largest)
{
    if (!m_value->is_number()) {
        fail(ScenarioErrorKind::WrongType, "not a number");
        return smallest;
    }
    const auto value = m_value->get<double>();
    if (value >= smallest && value <= largest)
        return value;
    fail(ScenarioErrorKind::OutOfRange, "not between " + Json(smallest).dump() + " and " + Json(largest).dump());
    return smallest;
}

} // namespace payonce::protocol
