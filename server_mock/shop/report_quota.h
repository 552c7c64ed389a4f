// How much one account may report within an hour, so that evidence never fills the disk (docs/contract.md, Answers).
#pragma once

#include "idempotency/ledger_rules.h"
#include "shop/records.h"

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>

namespace payonce::shop {

/// As many and as much as LedgerNumbers say. Counts from the first report of an account on for one span, then anew. Of this
/// process: nothing of it is stored.
class ReportQuota
{
public:
    ReportQuota(const idempotency::LedgerNumbers& numbers, Uptime uptime) : m_numbers(numbers), m_uptime(std::move(uptime)) {}

    /// Counts this report; else how long the account has to wait.
    [[nodiscard]] std::optional<std::chrono::milliseconds> waitFor(const std::string& account, std::int64_t bytes);

private:
    struct Span
    {
        std::chrono::milliseconds start{0};
        std::int64_t reports = 0;
        std::int64_t bytes = 0;
    };

    idempotency::LedgerNumbers m_numbers;
    Uptime m_uptime;
    std::map<std::string, Span> m_newest; // one an account
};

} // namespace payonce::shop
