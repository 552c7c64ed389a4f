// JSON out, as core/protocol writes it.
#pragma once

#include "protocol/json_text.h"

namespace payonce::faults {

using protocol::OrderedJson;
using protocol::textOf;

} // namespace payonce::faults
