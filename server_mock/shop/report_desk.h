// POST /v1/actions/{id}/report: a client's own facts. Evidence for support, never read for a decision.
#pragma once

#include "protocol/strict_json.h"
#include "shop/incoming.h"
#include "shop/press_tally.h"
#include "shop/report_quota.h"
#include "shop/shop_parts.h"

#include <memory>

namespace payonce::shop {

/// Bytes of a report.
inline constexpr qsizetype kReportMost = 16 * 1024;

class ReportDesk
{
public:
    ReportDesk(ShopParts& parts, Uptime uptime) : m_parts(parts), m_quota(parts.numbers, std::move(uptime)) {}

    /// The request is authenticated, its path names an action ID, its body is JSON by its type.
    void take(const std::shared_ptr<Incoming>& incoming);

private:
    void refuse(const std::shared_ptr<Incoming>& incoming, idempotency::ProblemCode code, const char* detail);
    void refuseTooMany(const std::shared_ptr<Incoming>& incoming, std::chrono::milliseconds wait);
    void countPresses(const Incoming& incoming, const protocol::Json& report);

    ShopParts& m_parts;
    PressTally m_presses;
    ReportQuota m_quota;
};

} // namespace payonce::shop
