#include "console/step.h"

#include <array>

namespace payonce::console {

namespace {

// In the order of Step's alternatives.
constexpr std::array<std::string_view, std::variant_size_v<Step>> kSteps = {
    "pay",           "press",       "cancel",       "other_card", "wait",  "kill_app", "start_app",
    "second_window", "kill_server", "start_server", "cable",      "clock", "post"};

} // namespace

std::string_view nameOf(const Step& step)
{
    return kSteps.at(step.index());
}

} // namespace payonce::console
