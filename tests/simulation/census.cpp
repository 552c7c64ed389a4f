#include "simulation/census.h"

#include <algorithm>
#include <chrono>
#include <iostream>
#include <mutex>
#include <thread>

namespace payonce::simulation {

namespace {

/// Hands out seeds in blocks, collects what came of them, and tells how far everything is.
class Registry
{
public:
    explicit Registry(const Options& options) : m_options(options), m_next(options.firstSeed), m_toldAt(Clock::now()) {}

    struct Block
    {
        std::uint64_t first = 0;
        std::uint64_t end = 0;
    };
    /// Empty: no more.
    std::optional<Block> take();
    void done(const Block& block, const Totals& totals);
    void failed(std::uint64_t seed);
    [[nodiscard]] Census census() const { return m_census; }

private:
    using Clock = std::chrono::steady_clock;

    void tellProgress();

    const Options& m_options;
    std::mutex m_mutex;
    std::uint64_t m_next;
    std::vector<std::uint64_t> m_open; ///< first seeds of blocks under way
    Clock::time_point m_toldAt;
    Census m_census;
};

std::optional<Registry::Block> Registry::take()
{
    constexpr std::uint64_t kBlock = 500;
    const std::lock_guard lock(m_mutex);
    const std::uint64_t end = m_options.firstSeed + m_options.lives;
    if (m_census.failing || m_next >= end)
        return {};
    const Block block{m_next, std::min(m_next + kBlock, end)};
    m_next = block.end;
    m_open.push_back(block.first);
    return block;
}

void Registry::done(const Block& block, const Totals& totals)
{
    const std::lock_guard lock(m_mutex);
    m_open.erase(std::remove(m_open.begin(), m_open.end(), block.first), m_open.end());
    m_census.totals.add(totals);
    tellProgress();
}

void Registry::failed(std::uint64_t seed)
{
    const std::lock_guard lock(m_mutex);
    m_census.failing = std::min(seed, m_census.failing.value_or(seed));
}

void Registry::tellProgress()
{
    constexpr std::chrono::seconds kEvery{5};
    const auto now = Clock::now();
    if (!m_options.isProgressShown || now - m_toldAt < kEvery)
        return;
    m_toldAt = now;
    const auto resume = m_open.empty() ? m_next : *std::min_element(m_open.begin(), m_open.end());
    std::cerr << m_census.totals.lives << " of " << m_options.lives
              << " lives, every rule held; to go on from here: --first-seed " << resume << " --lives "
              << m_options.firstSeed + m_options.lives - resume << std::endl;
}

void work(Registry& registry, const Options& options)
{
    while (const auto block = registry.take()) {
        Totals totals;
        for (std::uint64_t seed = block->first; seed < block->end; ++seed) {
            const auto report = live({seed, options.planted, options.cuts}, World::Tracing::Off);
            totals.add(report);
            if (report.violation.empty())
                continue;
            registry.failed(seed);
            break;
        }
        registry.done(*block, totals);
    }
}

void printCounts(const char* title, const std::map<std::string, std::uint64_t>& counts)
{
    std::cout << title << ':';
    for (const auto& [state, count] : counts)
        std::cout << ' ' << state << ' ' << count;
    std::cout << '\n';
}

} // namespace

void Totals::add(const LifeReport& report)
{
    ++lives;
    ++ends[report.end];
    for (const auto& state : report.seen)
        ++seen[state];
    charges += static_cast<std::uint64_t>(report.charges);
    posts += static_cast<std::uint64_t>(report.posts);
    probes += static_cast<std::uint64_t>(report.probes);
    appCrashes += static_cast<std::uint64_t>(report.appCrashes);
    purchases += static_cast<std::uint64_t>(report.purchases);
}

void Totals::add(const Totals& more)
{
    lives += more.lives;
    for (const auto& [state, count] : more.ends)
        ends[state] += count;
    for (const auto& [state, count] : more.seen)
        seen[state] += count;
    charges += more.charges;
    posts += more.posts;
    probes += more.probes;
    appCrashes += more.appCrashes;
    purchases += more.purchases;
}

void Totals::print() const
{
    printCounts("lives ended", ends);
    printCounts("lives that showed", seen);
    std::cout << "purchases " << purchases << ", charges " << charges << ", POSTs " << posts << ", probes " << probes
              << ", crashes of the app " << appCrashes << '\n';
}

Census liveAll(const Options& options)
{
    Registry registry(options);
    std::vector<std::thread> workers;
    for (unsigned i = 1; i < options.jobs; ++i)
        workers.emplace_back([&registry, &options] { work(registry, options); });
    work(registry, options);
    for (auto& worker : workers)
        worker.join();
    return registry.census();
}

} // namespace payonce::simulation
