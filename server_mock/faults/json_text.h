// JSON out, with the members in the order they are written.
#pragma once

#include <nlohmann/json.hpp>

#include <string>

namespace payonce::faults {

using OrderedJson = nlohmann::ordered_json;

/// On one line; bytes that are no UTF-8 become U+FFFD.
[[nodiscard]] inline std::string textOf(const OrderedJson& value)
{
    return value.dump(-1, ' ', false, OrderedJson::error_handler_t::replace);
}

} // namespace payonce::faults
