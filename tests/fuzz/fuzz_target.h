// What every fuzz target is: one function that takes any bytes, and CHECKs what must hold for them.
#pragma once

#include <string_view>

namespace payonce::fuzz {

/// Defined once in each target. It ends the process where a belief is broken, and returns otherwise.
void tryOne(std::string_view input);

} // namespace payonce::fuzz
