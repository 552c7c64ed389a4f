#include "points/stepped_environment.h"

#include "values/check.h"

#include <utility>

namespace payonce::points {

SteppedEnvironment::SteppedEnvironment(runner::Environment& inner, std::shared_ptr<FaultPoints> points)
    : m_inner(inner), m_points(std::move(points))
{
    CHECK(m_points != nullptr);
}

values::Now SteppedEnvironment::now()
{
    auto now = m_inner.now();
    now.wall += m_points->clockOffset();
    return now;
}

std::uint64_t SteppedEnvironment::draw()
{
    return m_inner.draw();
}

} // namespace payonce::points
