// Names nobody can guess: `ch_`, `pm_`, `bank_` and 26 letters and digits (130 bits) from the system's generator.
#pragma once

#include <string>
#include <string_view>

namespace payonce::bank {

[[nodiscard]] std::string randomName(std::string_view prefix);

} // namespace payonce::bank
