// What the simulator does to the server around the work: the port, the clock, the store, copies of requests.
#pragma once

#include "faults/held_work.h"
#include "http/exchange.h"
#include "machine/machine_clock.h"
#include "values/time.h"

#include <chrono>
#include <functional>
#include <memory>
#include <string>

namespace payonce::faults {

/// Every function is set; the defaults do nothing.
struct Surroundings
{
    using ms = std::chrono::milliseconds;
    using Done = std::function<void()>;

    /// The port refuses connections for so long.
    std::function<void(ms)> refuse = [](ms) {};
    /// A request arrives that came over no connection.
    std::function<void(std::shared_ptr<http::Exchange>)> deliver = [](const auto&) {};
    /// Drops the settled record of an action and raises the watermark above it; then `done`, whatever came of it.
    std::function<void(const std::string& account, const std::string& actionId, Done done)> forget =
        [](const auto&, const auto&, const Done& done) { done(); };
    std::function<values::WallTime()> wall = machine::wallTime;
    /// The wall clock jumps.
    std::function<void(ms)> stepClock = [](ms) {};
    /// Monotonic time, and timers by it.
    std::function<ms()> uptime = [] { return std::chrono::floor<ms>(machine::monotonicTime().time_since_epoch()); };
    After after = afterOnThisMachine();
};

} // namespace payonce::faults
