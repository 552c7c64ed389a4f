// Samples of one figure, and the table they end in.
#pragma once

#include <chrono>
#include <string>
#include <vector>

namespace payonce::bench {

using Microseconds = std::chrono::microseconds;
using BenchClock = std::chrono::steady_clock;

[[nodiscard]] inline Microseconds since(BenchClock::time_point start)
{
    return std::chrono::duration_cast<Microseconds>(BenchClock::now() - start);
}

class Samples
{
public:
    void add(Microseconds sample) { m_samples.push_back(sample); }
    [[nodiscard]] std::size_t count() const { return m_samples.size(); }
    /// The sample that `percent` of all do not exceed; there must be one.
    [[nodiscard]] Microseconds percentile(int percent) const;
    [[nodiscard]] Microseconds median() const { return percentile(50); }

private:
    std::vector<Microseconds> m_samples;
};

/// One line: what was measured, the figure, what it is to be held against, and whether it does. Nothing is asserted:
/// a figure past its target is printed so, and the run goes on.
struct Figure
{
    std::string what;
    std::string measured;
    std::string against;
    std::string target;
    bool met = false;
};

/// `2719/s`.
[[nodiscard]] std::string inRate(double perSecond);
/// Of a part of one: `27 %`.
[[nodiscard]] std::string inPercent(double part);
/// `1.23 ms`.
[[nodiscard]] std::string inMilliseconds(Microseconds time);
/// The ratio of two times, as `1.07 x`.
[[nodiscard]] std::string asRatio(Microseconds time, Microseconds beside);
/// `what`: p50 and p99 held against a fixed time at the given percentile.
[[nodiscard]] Figure heldAgainst(const std::string& what, const Samples& samples, int percent, Microseconds limit);

void print(const std::vector<Figure>& figures);

} // namespace payonce::bench
