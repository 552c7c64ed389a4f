// The figures of the server: payments through HTTP beside bare durable steps, replays beside bare answers, and what grows.
#pragma once

#include "bench/figures.h"

namespace payonce::bench {

struct ServerBench
{
    int payments = 20'000;      ///< of each kind of load, after a warm-up
    int stored = 1'000'000;     ///< records behind the claims that are compared with those of a small ledger
    int memoryOver = 1'000'000; ///< payments over which memory is watched
};

/// Fresh payments at 50 connections, keys as the app makes them and with shuffled times, beside the bare steps on the same
/// files.
[[nodiscard]] std::vector<Figure> benchFreshPayments(const ServerBench& bench);
/// Replays at 50 connections beside the health answer.
[[nodiscard]] std::vector<Figure> benchReplays(const ServerBench& bench);
/// One claim with many stored records beside one with ten thousand.
[[nodiscard]] std::vector<Figure> benchStoredRecords(const ServerBench& bench);
/// The server's resident memory after the last payment beside that after the first tenth.
[[nodiscard]] std::vector<Figure> benchMemory(const ServerBench& bench);

} // namespace payonce::bench
