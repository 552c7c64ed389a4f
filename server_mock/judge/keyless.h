// The key layer off (`--naive`): the shop as it would be if it did not know what an Idempotency-Key is.
#pragma once

#include "http/message.h"
#include "values/time.h"

#include <cstdint>

namespace payonce::judge {

enum class KeyLayer {
    On,
    Off, ///< every request is a new action, whatever key it carries
};

/// The same request under an ID of its own. A payment also gets a cart of its own (named by `number`), because one cart is
/// never charged twice either; one whose body is no JSON object stays as it is.
[[nodiscard]] http::Request withoutKey(const http::Request& request, std::uint64_t number, values::WallTime now);

} // namespace payonce::judge
