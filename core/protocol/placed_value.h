// A value in a scenario file that knows its place. Internal to core/protocol.
#pragma once

#include "protocol/scenario_json.h"

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace payonce::protocol {

/// Reads never fail at once: they give a default and keep the first error of the whole file in `error`.
class PlacedValue
{
public:
    /// All of `document`; it and `error` outlive every value made from this one.
    PlacedValue(const PlacedJson& document, std::optional<ScenarioError>& error);

    /// `WHAT at line 5, column 32 (/rules/0/at)`.
    void fail(ScenarioErrorKind kind, const std::string& what);
    /// Fails at the first member with another name, and where this is no object.
    void allowOnly(std::initializer_list<std::string_view> names);

    /// Empty if absent.
    [[nodiscard]] std::optional<PlacedValue> member(std::string_view name);
    /// Absent is an error.
    [[nodiscard]] std::optional<PlacedValue> needed(std::string_view name);
    /// The elements of an array; anything else is an error.
    [[nodiscard]] std::vector<PlacedValue> elements(std::size_t most);
    /// The name of the only member; an error (and empty) unless this is an object with exactly one.
    [[nodiscard]] std::string onlyName();

    [[nodiscard]] std::string text();
    [[nodiscard]] std::int64_t integer(std::int64_t smallest, std::int64_t largest);
    /// An integer or a fraction.
    [[nodiscard]] double number(double smallest, double largest);
    [[nodiscard]] bool isArray() const { return m_value->is_array(); }

private:
    PlacedValue(const PlacedValue& parent, const Json& value, const std::string& step);

    const PlacedJson* m_document;
    std::optional<ScenarioError>* m_error;
    const Json* m_value;
    std::string m_path;
};

} // namespace payonce::protocol
