// DatabaseClock: the time of the database, for leases and deadlines that several servers share.
#pragma once

#include "values/time.h"

#include <chrono>
#include <mutex>
#include <optional>

namespace payonce::storage {

/// Monotonic time of this machine that goes on while it sleeps, as wall clocks do: otherwise every night would look like a
/// moved clock.
[[nodiscard]] std::chrono::milliseconds uptime();

/// This machine's clock until the database's was read; from then on that one, carried on by this machine's monotonic time, so
/// that a wall clock that is wrong or moved here ends no lease early. Any thread.
class DatabaseClock
{
public:
    [[nodiscard]] values::WallTime now() const;
    /// What Database::readClock() just said; empty: the database is on this machine.
    void observe(const std::optional<values::WallTime>& atDatabase);

private:
    struct Anchor
    {
        values::WallTime wall;
        std::chrono::milliseconds uptime;
    };

    mutable std::mutex m_mutex;
    std::optional<Anchor> m_anchor;
};

} // namespace payonce::storage
