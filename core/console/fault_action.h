// What a rule does where it fires (docs/faults.md, Actions).
#pragma once

#include <chrono>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace payonce::console {

enum class ConnectionEnd { Fin, Rst };
/// What the client sees of a request that is held to be processed later.
enum class Meanwhile { Hang, Fin, Rst };

// A table, one fault a line. "Ends the work": at `accept`, `head` and `received` the request is never processed; at every later
// point the work goes on behind the lost connection.
// clang-format off

/// The work waits, then goes on.
struct Delay { std::chrono::milliseconds time{0}; };
/// The connection stays open and silent for ever. Ends the work.
struct Hang {};
/// The work waits until POST /release lets it go on.
struct Pause {};
/// The connection is closed (FIN). Ends the work.
struct Fin {};
/// The connection is reset (RST). Ends the work.
struct Rst {};
/// The server's half is closed (FIN) and its other half goes on reading, for ever. Ends the work.
struct HalfClose {};
/// Only at `reply.head@n` and `reply.body@n`: exactly n bytes of that part leave, then the connection ends.
struct Cut { ConnectionEnd end = ConnectionEnd::Fin; };
/// Only at `reply.body@n`: the answer leaves without a length, in chunks; after n bytes of the body the connection ends without the last one.
struct ChunkedCut { ConnectionEnd end = ConnectionEnd::Fin; };
/// From here on the answer leaves `bytes` at a time, with `every` between.
struct Drip { int bytes = 1; std::chrono::milliseconds every{0}; };
/// This answer goes out instead of the real one. Ends the work.
struct Reply { int status = 500; std::string body; std::vector<std::pair<std::string, std::string>> headers; };
/// Bytes that are no HTTP go out instead of the answer, then a FIN. Ends the work.
struct Garbage {};
/// The answer goes out twice.
struct Double {};
/// Another action's answer goes out instead.
struct Swap {};
/// The zombie: the client sees `meanwhile`; after `time` the request is processed, and nobody hears the answer.
struct HoldThenProcess { std::chrono::milliseconds time{0}; Meanwhile meanwhile = Meanwhile::Hang; };
/// The request is processed, and `after` that its copy; nobody hears the copy's answer.
struct ProcessTwice { std::chrono::milliseconds after{0}; };
/// This look-up of the action and the next, `reads` in all, answer what was before.
struct Stale { int reads = 1; };
/// The client is sent elsewhere; without a location to where it is. Ends the work.
struct Redirect { int status = 307; std::string location; };
/// The port refuses connections for `time`, and idle ones are closed. The work goes on.
struct Refuse { std::chrono::milliseconds time{0}; };
/// The next save fails as with a full disk. At `bank.inside` the bank's.
struct StoreFail {};
/// The wall clock is moved, forward or back; monotonic time is not. The work goes on.
struct ClockStep { std::chrono::milliseconds by{0}; };
/// The process ends at once, with its files as they are.
struct Crash {};
/// The action's settled record is dropped and the watermark raised above it, as if its retention had passed.
struct Forget {};

// clang-format on

using FaultAction = std::variant<Delay, Hang, Pause, Fin, Rst, HalfClose, Cut, ChunkedCut, Drip, Reply, Garbage, Double, Swap,
                                 HoldThenProcess, ProcessTwice, Stale, Redirect, Refuse, StoreFail, ClockStep, Crash, Forget>;

/// `delay`, `hang`, …
[[nodiscard]] std::string_view nameOf(const FaultAction& action);

} // namespace payonce::console
