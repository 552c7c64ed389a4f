// SteppedEnvironment: a clock that the action `clock_step` moves.
#pragma once

#include "points/fault_points.h"
#include "runner/environment.h"

#include <memory>

namespace payonce::points {

/// `inner` must outlive this.
class SteppedEnvironment : public runner::Environment
{
public:
    SteppedEnvironment(runner::Environment& inner, std::shared_ptr<FaultPoints> points);

    [[nodiscard]] values::Now now() override;
    [[nodiscard]] std::uint64_t draw() override;

private:
    runner::Environment& m_inner;
    std::shared_ptr<FaultPoints> m_points;
};

} // namespace payonce::points
