#include "console/fault_action.h"

#include <array>

namespace payonce::console {

namespace {

// In the order of FaultAction's alternatives.
constexpr std::array<std::string_view, std::variant_size_v<FaultAction>> kNames = {
    "delay",         "hang",  "pause",    "fin",     "rst",        "halfclose",  "cut",
    "chunked_cut",   "drip",  "reply",    "garbage", "double",     "swap",       "hold_then_process",
    "process_twice", "stale", "redirect", "refuse",  "store_fail", "clock_step", "crash",
    "forget"};

} // namespace

std::string_view nameOf(const FaultAction& action)
{
    return kNames.at(action.index());
}

} // namespace payonce::console
