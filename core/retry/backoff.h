// How long to wait: pure functions of the numbers, a count and a random draw (docs/client.md, Numbers).
#pragma once

#include "retry/numbers.h"

#include <cstdint>

namespace payonce::retry {

/// Evenly drawn from [low, high]. `draw`: 64 random bits.
[[nodiscard]] Numbers::ms drawnBetween(Numbers::ms low, Numbers::ms high, std::uint64_t draw);

/// Before the next POST, after `posts` POSTs (1 or more): full jitter above the floor, so that the floor gathers nobody.
[[nodiscard]] Numbers::ms postDelay(const Numbers& numbers, int posts, std::uint64_t draw);

/// Before the next try of an unreachable shop, after `tries` tries in a row as Offline (1 or more).
[[nodiscard]] Numbers::ms offlineDelay(const Numbers& numbers, int tries);

/// Before probe `index` (0 is the first) after an unknown outcome: in [delay / 2, delay).
[[nodiscard]] Numbers::ms probeDelay(const Numbers& numbers, int index, std::uint64_t draw);

/// Before probe `index` (0 is the first) while Unresolved.
[[nodiscard]] Numbers::ms unresolvedProbeDelay(const Numbers& numbers, int index);

/// Before save `tries` + 1 of a final answer (`tries` 1 or more).
[[nodiscard]] Numbers::ms saveAgainDelay(const Numbers& numbers, int tries);

/// Server advice, never earlier than it says.
[[nodiscard]] Numbers::ms adviceDelay(const Numbers& numbers, Numbers::ms advice, std::uint64_t draw);

} // namespace payonce::retry
