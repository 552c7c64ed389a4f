#include "retry/backoff.h"

#include "values/check.h"

#include <algorithm>
#include <array>

namespace payonce::retry {

namespace {

using ms = Numbers::ms;

/// Entry `index`; the last one repeats.
template <std::size_t Size> ms entry(const std::array<ms, Size>& delays, int index)
{
    CHECK(index >= 0);
    return delays.at(std::min(static_cast<std::size_t>(index), Size - 1));
}

} // namespace

ms drawnBetween(ms low, ms high, std::uint64_t draw)
{
    CHECK(low.count() >= 0);
    if (high <= low)
        return low;
    const auto span = static_cast<std::uint64_t>((high - low).count()) + 1;
    return low + ms(static_cast<ms::rep>(draw % span));
}

ms postDelay(const Numbers& numbers, int posts, std::uint64_t draw)
{
    return drawnBetween(numbers.backoffFloor, entry(numbers.backoff, posts - 1), draw);
}

ms offlineDelay(const Numbers& numbers, int tries)
{
    return entry(numbers.offlineRetry, tries - 1);
}

ms probeDelay(const Numbers& numbers, int index, std::uint64_t draw)
{
    const ms delay = entry(numbers.probe, index);
    return drawnBetween(delay / 2, delay - ms(1), draw);
}

ms unresolvedProbeDelay(const Numbers& numbers, int index)
{
    return entry(numbers.unresolvedProbe, index);
}

ms saveAgainDelay(const Numbers& numbers, int tries)
{
    return entry(numbers.saveAgain, tries - 1);
}

ms adviceDelay(const Numbers& numbers, ms advice, std::uint64_t draw)
{
    return advice + drawnBetween(ms(0), std::min(advice, numbers.retryAfterLimit) / 10, draw);
}

} // namespace payonce::retry
