// Carries out what a rule does, but for the bytes of an answer and the end of the process.
#pragma once

#include "console/fault_rule.h"
#include "faults/fault_points.h"
#include "faults/held_work.h"
#include "faults/surroundings.h"

namespace payonce::faults {

class FaultDeeds
{
public:
    using Proceed = FaultPoints::Proceed;

    void actOn(Surroundings around);
    [[nodiscard]] const Surroundings& around() const { return m_around; }
    [[nodiscard]] HeldWork& held() { return m_held; }

    /// False: the action is none that waits. Otherwise `proceed` runs when the wait is over.
    [[nodiscard]] bool waits(const console::Rule& rule, Arrival& arrival, const Proceed& proceed);
    /// False: the action is one on the connection. Otherwise the work goes on, at once or when it is done.
    [[nodiscard]] bool actsAround(const console::FaultAction& action, Arrival& arrival, const Proceed& proceed);
    /// Ends, silences or answers the connection. The arrival has one.
    void endConnection(const console::FaultAction& action, Arrival& arrival);
    /// What arrives now is a copy that the simulator made: it is not copied again.
    [[nodiscard]] bool isDeliveringCopy() const { return m_isDeliveringCopy; }

private:
    void deliverCopy(http::Request request);

    Surroundings m_around;
    HeldWork m_held;
    bool m_isDeliveringCopy = false;
};

} // namespace payonce::faults
