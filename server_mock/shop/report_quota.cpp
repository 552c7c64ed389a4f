#include "shop/report_quota.h"

namespace payonce::shop {

std::optional<std::chrono::milliseconds> ReportQuota::waitFor(const std::string& account, std::int64_t bytes)
{
    const std::chrono::milliseconds now = m_uptime();
    const auto [entry, isNew] = m_newest.try_emplace(account, Span{now});
    Span& span = entry->second;
    if (!isNew && now >= span.start + m_numbers.reportSpan)
        span = {now};
    if (span.reports >= m_numbers.reportsMost || span.bytes + bytes > m_numbers.reportBytesMost)
        return span.start + m_numbers.reportSpan - now;
    ++span.reports;
    span.bytes += bytes;
    return {};
}

} // namespace payonce::shop
