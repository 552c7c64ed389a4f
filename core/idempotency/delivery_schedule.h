// When something that is delivered at least once is tried again (docs/contract.md, Webhooks and mails).
#pragma once

#include <chrono>

namespace payonce::idempotency {

/// The pause after the `failed`-th failed try, from 1: 1, 5, 30 s, 2, 10 min, then an hour each time.
[[nodiscard]] std::chrono::milliseconds pauseAfter(int failed);

/// An event of the bank is given up after this many tries; a mail never is.
inline constexpr int kEventTriesMost = 7;

/// A plan further ahead than this was made by a clock that has since been set back, and does not count.
inline constexpr std::chrono::hours kPlanAheadMost{1};

} // namespace payonce::idempotency
