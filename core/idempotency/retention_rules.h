// How long records are kept, and what a key still says when its record is gone (docs/contract.md, Retention).
#pragma once

#include "idempotency/ledger_rules.h"

namespace payonce::idempotency {

/// The key tells when it was made, and that is below the watermark. Never of a key of another form: it may come at any time.
[[nodiscard]] bool liesBelow(const values::ActionId& id, values::WallTime watermark);

/// A terminal record goes when both its server time and its key's own time lie below the watermark. An open one never goes.
[[nodiscard]] bool mayPurge(const KeyRecord& record, values::WallTime watermark);
/// The record stays (its key is younger than the watermark), but what was answered is not kept any longer. The answer to a
/// sign-up goes earlier than its record: LedgerNumbers::accountAnswers.
[[nodiscard]] bool mayDropAnswer(const KeyRecord& record, values::WallTime watermark, const LedgerNumbers& numbers);
/// Answers to sign-ups of before this time are not kept any longer, where records of before `watermark` are not.
[[nodiscard]] values::WallTime accountAnswersFrom(values::WallTime watermark, const LedgerNumbers& numbers);

/// All that is left of a purged record in its order row, which is never purged. The answer is left to the caller.
[[nodiscard]] KeyRecord keptByOrder(const KeyRecord& record);

/// What a key without a record says: empty at or above the watermark, where it may still be claimed. Below it the word of
/// its order row (`kept`) or, without one, Abandoned: no claim is made below the watermark, and every claim writes an order.
/// That one has no fingerprint, which tells it from every other one with the reason Expired.
[[nodiscard]] std::optional<KeyRecord> wordOfPurged(const RecordKey& key, values::WallTime watermark,
                                                    const std::optional<KeyRecord>& kept);

/// One look at both clocks.
struct ClockReading
{
    values::WallTime wall;
    std::chrono::milliseconds uptime{0}; ///< monotonic
};

/// Wall and monotonic time went on by different amounts: the wall clock was moved, so nothing may be purged by it.
[[nodiscard]] bool wasMoved(const ClockReading& last, const ClockReading& now, const LedgerNumbers& numbers);

/// The watermark lies where this clock could not have put it: it was raised by one that was ahead, or this one is behind. Keys
/// made now are refused as too old until the clock has caught up.
[[nodiscard]] bool isAheadOfClock(values::WallTime watermark, values::WallTime now, const LedgerNumbers& numbers);

} // namespace payonce::idempotency
