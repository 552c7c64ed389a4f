// Canonical JSON (RFC 8785, JCS): one byte sequence for one JSON value.
#pragma once

#include "protocol/strict_json.h"

#include <string>

namespace payonce::protocol {

/// Members sorted by UTF-16 code units, ECMAScript number text, no white space. `value` came out of parseStrict.
[[nodiscard]] std::string canonicalJson(const Json& value);

/// A finite number as ECMAScript writes it: `1e+21`, `0.000001`, `4.5`, `0` for negative zero.
[[nodiscard]] std::string canonicalNumber(double number);

} // namespace payonce::protocol
