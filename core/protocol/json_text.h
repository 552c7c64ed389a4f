// JSON out, with the members in the order they are written.
#pragma once

#include <nlohmann/json.hpp>

#include <string>

namespace payonce::protocol {

/// Keeps members in the order they are written.
using OrderedJson = nlohmann::ordered_json;

/// The text of a value on one line, always I-JSON (RFC 7493): bytes that are no UTF-8 and code points that are no characters
/// (quoted from a request, say) become U+FFFD.
[[nodiscard]] std::string textOf(const OrderedJson& value);

} // namespace payonce::protocol
