#include "idempotency/delivery_schedule.h"

#include <algorithm>
#include <array>
#include <cstddef>

namespace payonce::idempotency {

namespace {

using std::chrono::milliseconds;
using std::chrono::minutes;
using std::chrono::seconds;

constexpr std::array<milliseconds, 6> kPauses{seconds(1), seconds(5), seconds(30), minutes(2), minutes(10), minutes(60)};

} // namespace

milliseconds pauseAfter(int failed)
{
    const auto last = static_cast<int>(kPauses.size());
    return kPauses.at(static_cast<std::size_t>(std::clamp(failed, 1, last) - 1));
}

} // namespace payonce::idempotency
