// Asks the bank for its rows, for support, with a time limit: a bank that is silent must not make support so.
#pragma once

#include "bank/evidence.h"

#include <QtCore/QObject>

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <vector>

namespace payonce::shop {

using EvidenceRows = std::vector<bank::EvidenceRow>;

class SupportEvidence
{
public:
    /// Empty: the bank does not answer.
    using Told = std::function<void(std::optional<EvidenceRows>)>;

    /// `evidence` outlives it.
    SupportEvidence(bank::Evidence* evidence, std::chrono::milliseconds limit) : m_evidence(evidence), m_limit(limit) {}
    SupportEvidence(const SupportEvidence&) = delete;
    SupportEvidence& operator=(const SupportEvidence&) = delete;
    SupportEvidence(SupportEvidence&&) = delete;
    SupportEvidence& operator=(SupportEvidence&&) = delete;
    ~SupportEvidence() = default;

    /// Told exactly once, later than the call; rows that come after the limit are dropped.
    void ask(const bank::EvidenceQuery& query, Told told);

private:
    void end(std::uint64_t number, std::optional<EvidenceRows> rows);

    bank::Evidence* m_evidence;
    std::chrono::milliseconds m_limit;
    std::map<std::uint64_t, Told> m_calls;
    std::uint64_t m_lastCall = 0;
    std::unique_ptr<QObject> m_home = std::make_unique<QObject>(); // timers and late rows end with it
};

} // namespace payonce::shop
