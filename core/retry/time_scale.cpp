#include "retry/time_scale.h"

#include "values/check.h"

#include <algorithm>
#include <cmath>

namespace payonce::retry {

namespace {

using ms = Numbers::ms;

constexpr int kLongestWaitSeconds = 25;

void scale(ms& time, double factor)
{
    if (time > ms::zero())
        time = std::max(ms(1), ms(std::llround(static_cast<double>(time.count()) * factor)));
}

template <std::size_t Count> void scale(std::array<ms, Count>& times, double factor)
{
    for (auto& time : times)
        scale(time, factor);
}

int scaledWait(int seconds, double factor)
{
    return std::clamp(static_cast<int>(std::lround(seconds * factor)), 1, kLongestWaitSeconds);
}

} // namespace

Numbers scaled(const Numbers& numbers, double factor)
{
    CHECK(factor > 0);
    Numbers result = numbers;
    scale(result.backoff, factor);
    scale(result.offlineRetry, factor);
    scale(result.probe, factor);
    scale(result.unresolvedProbe, factor);
    scale(result.saveAgain, factor);
    for (auto* time : {&result.backoffFloor, &result.probeLimit, &result.softDeadline, &result.hardLimit, &result.connectLimit,
                       &result.frozenAfter, &result.unresolvedAfter, &result.longWait, &result.freshFor, &result.tokeniseLimit,
                       &result.lookEvery, &result.heartbeat, &result.ownerLasts})
        scale(*time, factor);
    result.postWaitSeconds = scaledWait(numbers.postWaitSeconds, factor);
    result.probeWaitSeconds = scaledWait(numbers.probeWaitSeconds, factor);
    // A probe that the shop may hold that long needs time for the answer behind it.
    const ms behind = numbers.probeLimit - ms(std::chrono::seconds(numbers.probeWaitSeconds));
    const ms answer = std::max(ms(100), ms(std::llround(static_cast<double>(behind.count()) * factor)));
    result.probeLimit = std::max(result.probeLimit, ms(std::chrono::seconds(result.probeWaitSeconds)) + answer);
    return result;
}

} // namespace payonce::retry
