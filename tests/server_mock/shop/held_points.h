// Fault points of a test: no faults, but the work can be stopped at one point and let go later.
#pragma once

#include "faults/fault_points.h"

#include <optional>
#include <utility>
#include <vector>

namespace payonce::shop {

class HeldPoints final : public faults::FaultPoints
{
public:
    /// From now on work stops at `point`.
    void holdAt(console::Point point) { m_heldPoint = point; }
    [[nodiscard]] std::size_t heldCount() const { return m_held.size(); }
    /// Lets everything go on and holds nothing any more.
    void release()
    {
        m_heldPoint.reset();
        for (const auto& proceed : std::exchange(m_held, {}))
            proceed();
    }
    /// What is held never goes on, as in a process that ended.
    void drop()
    {
        m_heldPoint.reset();
        m_held.clear();
    }
    /// The next `times` mails or requests that come to `point` are hit: their connection ends there.
    void hitAt(console::Point point, int times)
    {
        m_hitPoint = point;
        m_hits = times;
    }
    /// How often `point` was reached.
    [[nodiscard]] int reached(console::Point point) const { return m_reached[static_cast<std::size_t>(point)]; }
    [[nodiscard]] int answered() const { return m_answered; }
    /// The last request that was received, as it was then.
    [[nodiscard]] const faults::Arrival& lastArrival() const { return m_lastArrival; }

    void reach(console::Point point, faults::Arrival& arrival, std::function<void()> proceed) override
    {
        ++m_reached[static_cast<std::size_t>(point)];
        if (point == console::Point::Received)
            m_lastArrival = {nullptr, arrival.operation, arrival.account, arrival.actionId, arrival.attempt, arrival.nth};
        if (point == m_hitPoint && m_hits > 0) {
            --m_hits;
            arrival.isHit = true;
            if (arrival.exchange)
                arrival.exchange->end(http::End::Rst);
        }
        if (point == m_heldPoint)
            m_held.push_back(std::move(proceed));
        else
            proceed();
    }

    void answer(faults::Arrival& arrival, const http::Response& response) override
    {
        ++m_answered;
        arrival.exchange->answer(response);
    }

private:
    std::optional<console::Point> m_heldPoint;
    std::vector<std::function<void()>> m_held;
    std::array<int, console::kPoints.size()> m_reached{};
    std::optional<console::Point> m_hitPoint;
    int m_hits = 0;
    int m_answered = 0;
    faults::Arrival m_lastArrival;
};

} // namespace payonce::shop
