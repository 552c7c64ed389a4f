// Port: what the bank's own ledger says of an action, for support. Reads only, and decides nothing.
#pragma once

#include "idempotency/key_record.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace payonce::bank {

/// A row of the bank: of a charge, a decline or a fence.
struct EvidenceRow
{
    std::string bankKey;
    std::string actionId; ///< empty of a fence
    idempotency::BankState state = idempotency::BankState::Approved;
    std::string chargeId;
    std::string declineCode;
    std::optional<values::Money> amount;
    values::WallTime at;
};

/// Rows that any of these names.
struct EvidenceQuery
{
    std::vector<std::string> actionIds;
    std::vector<std::string> bankKeys;
    std::string chargeId; ///< empty: none
};

/// Rows told of one name.
inline constexpr std::int64_t kEvidenceMost = 100;

class Evidence
{
public:
    Evidence() = default;
    Evidence(const Evidence&) = delete;
    Evidence& operator=(const Evidence&) = delete;
    Evidence(Evidence&&) = delete;
    Evidence& operator=(Evidence&&) = delete;
    virtual ~Evidence() = default;

    /// Later than the call, on the caller's thread; each row once, oldest first. Empty: the bank's database failed.
    virtual void rows(const EvidenceQuery& query, std::function<void(std::optional<std::vector<EvidenceRow>>)> done) = 0;
};

} // namespace payonce::bank
