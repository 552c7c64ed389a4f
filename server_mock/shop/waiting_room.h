// Requests that are held until a record settles or their time has passed (`Prefer: wait=N`).
#pragma once

#include "faults/held_work.h"
#include "idempotency/ledger_rules.h"

#include <QtCore/QObject>

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace payonce::shop {

/// At most this many requests are held at once.
inline constexpr std::size_t kHeldMost = 256;

/// The settled record; empty: the time has passed first.
using Woken = std::function<void(const std::optional<idempotency::KeyRecord>&)>;

class WaitingRoom
{
public:
    explicit WaitingRoom(faults::After after = faults::afterOnThisMachine()) : m_after(std::move(after)) {}

    /// False: the room is full, and `woken` never runs. Otherwise it runs once, later than this call.
    [[nodiscard]] bool hold(const std::string& account, const values::ActionId& action, std::chrono::milliseconds most,
                            Woken woken);
    /// Wakes everybody who waits for this record.
    void wake(const idempotency::KeyRecord& settled);
    /// Sends everybody away; none of them is woken.
    void empty() { m_held.clear(); }
    /// The records somebody waits for.
    [[nodiscard]] std::vector<idempotency::RecordKey> awaited() const;
    [[nodiscard]] std::size_t heldCount() const { return m_held.size(); }

private:
    struct Guest
    {
        std::string account;
        values::ActionId action;
        Woken woken;
    };

    void end(std::uint64_t number, const std::optional<idempotency::KeyRecord>& record);

    std::map<std::uint64_t, Guest> m_held; // at most kHeldMost, so a search through all is cheap
    std::uint64_t m_lastGuest = 0;
    faults::After m_after;
    QObject m_home; // timers end with it
};

} // namespace payonce::shop
