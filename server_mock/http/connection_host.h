// What a connection needs from its listener.
#pragma once

#include "http/exchange.h"
#include "http/limits.h"
#include "http/request_reader.h"
#include "machine/machine_clock.h"
#include "values/time.h"

#include <functional>
#include <memory>

namespace payonce::http {

/// Given each complete request, on the listener's thread. May answer at once or keep the exchange and answer later.
using Handler = std::function<void(std::shared_ptr<Exchange>)>;
/// Writes the answer to a request that the listener refuses by itself; `head` holds what was understood of it.
using ProblemRenderer = std::function<Response(const Refusal& refusal, const Request& head)>;

/// Stands between a connection and its requests, for the simulator. Where `isWatched` says so, each connection as it is
/// accepted, or each request whose head was read, waits for resume() of the exchange given to `reached`, which has a number of
/// its own.
struct Gate
{
    std::function<bool()> isWatched;
    std::function<void(std::shared_ptr<Exchange>)> reached;
};
/// What `Date` says.
using Clock = std::function<values::WallTime()>;
/// Of a complete request: is it answered at once, whatever waits?
using AtOnce = std::function<bool(const Request& request)>;

/// Shared by the connections of one listener, which owns it.
struct ConnectionHost
{
    Limits limits;
    Handler handler;
    ProblemRenderer problem;
    Gate accepted{}; ///< its request says only which connection it is
    Gate headRead{}; ///< its request may be without its body
    AtOnce atOnce{};
    Clock clock = machine::wallTime;
    int held = 0;            ///< requests waiting for their answer now
    quint64 lastRequest = 0; ///< number of the newest request
};

} // namespace payonce::http
