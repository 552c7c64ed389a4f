#include "bench/figures.h"

#include "values/check.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

namespace payonce::bench {

Microseconds Samples::percentile(int percent) const
{
    CHECK(!m_samples.empty());
    auto sorted = m_samples;
    std::sort(sorted.begin(), sorted.end());
    const std::size_t rank = (sorted.size() * static_cast<std::size_t>(percent) + 99) / 100;
    return sorted.at(std::max<std::size_t>(rank, 1) - 1);
}

std::string inRate(double perSecond)
{
    return std::to_string(std::lround(perSecond)) + "/s";
}

std::string inPercent(double part)
{
    return std::to_string(std::lround(100 * part)) + " %";
}

std::string inMilliseconds(Microseconds time)
{
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "%.2f ms", static_cast<double>(time.count()) / 1000.0);
    return text.data();
}

std::string asRatio(Microseconds time, Microseconds beside)
{
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "%.2f x", static_cast<double>(time.count()) / static_cast<double>(beside.count()));
    return text.data();
}

Figure heldAgainst(const std::string& what, const Samples& samples, int percent, Microseconds limit)
{
    Figure figure{.what = what, .measured = "p50 ", .against = {}, .target = "p", .met = samples.percentile(percent) <= limit};
    figure.what.append(" (").append(std::to_string(samples.count())).append(" runs)");
    figure.measured.append(inMilliseconds(samples.median())).append(", p99 ").append(inMilliseconds(samples.percentile(99)));
    figure.target.append(std::to_string(percent)).append(" <= ").append(inMilliseconds(limit));
    return figure;
}

void print(const std::vector<Figure>& figures)
{
    for (const auto& figure : figures) {
        std::printf("%s\n    %s", figure.what.c_str(), figure.measured.c_str());
        if (!figure.against.empty())
            std::printf(" | %s", figure.against.c_str());
        std::printf("\n    target %s: %s\n", figure.target.c_str(), figure.met ? "met" : "NOT MET");
    }
}

} // namespace payonce::bench
