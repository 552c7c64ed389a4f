// How much one account may report within an hour, so that evidence never fills the disk (docs/contract.md, Answers).
#pragma once

#include "shop/records.h"

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>

namespace payonce::shop {

struct ReportLimits
{
    std::int64_t reports = 1000;
    std::int64_t bytes = 4 * 1024 * 1024;
    std::chrono::milliseconds span{std::chrono::hours(1)};
};

/// Counts from the first report of an account on for one span, then anew. Of this process: nothing of it is stored.
class ReportQuota
{
public:
    explicit ReportQuota(Uptime uptime, const ReportLimits& limits = {}) : m_limits(limits), m_uptime(std::move(uptime)) {}

    /// Counts this report; else how long the account has to wait.
    [[nodiscard]] std::optional<std::chrono::milliseconds> waitFor(const std::string& account, std::int64_t bytes);

private:
    struct Span
    {
        std::chrono::milliseconds start{0};
        std::int64_t reports = 0;
        std::int64_t bytes = 0;
    };

    ReportLimits m_limits;
    Uptime m_uptime;
    std::map<std::string, Span> m_newest; // one an account
};

} // namespace payonce::shop
