// Asks the bank about records, with the time limit of one bank call (docs/contract.md, Numbers).
#pragma once

#include "bank/bank.h"
#include "faults/held_work.h"
#include "idempotency/key_record.h"

#include <QtCore/QObject>

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <vector>

namespace payonce::shop {

/// What the bank said; empty: unknown (it did not answer in time, or its database failed).
using Told = std::function<void(const std::optional<idempotency::BankRow>&)>;

/// Every call carries the record's one bank key. `told` runs exactly once, later than the call; an answer after the
/// limit is dropped, because whoever owns the record then looks the key up again.
class BankDesk
{
public:
    BankDesk(bank::Bank& bank, std::chrono::milliseconds limit, faults::After after = faults::afterOnThisMachine());
    BankDesk(const BankDesk&) = delete;
    BankDesk& operator=(const BankDesk&) = delete;
    BankDesk(BankDesk&&) = delete;
    BankDesk& operator=(BankDesk&&) = delete;
    ~BankDesk() = default;

    /// `inside`: see bank::ChargeOrder.
    void charge(const idempotency::KeyRecord& record, Told told, std::function<bool()> inside = {});
    void lookup(const idempotency::KeyRecord& record, Told told);
    void fence(const idempotency::KeyRecord& record, Told told);
    /// Is the bank being asked to fence this record's key now?
    [[nodiscard]] bool isFencing(const idempotency::KeyRecord& record) const;

    /// The actions the bank is being asked about now.
    [[nodiscard]] std::vector<values::ActionId> asking() const;
    /// Drops every call under way; none of them is told anything.
    void forgetAll() { m_calls.clear(); }

private:
    enum class Verb { Charge, Lookup, Fence };
    struct Call
    {
        Verb verb;
        values::BankKey key;
        values::ActionId action;
        Told told;
    };

    [[nodiscard]] bank::Answered begin(Verb verb, const idempotency::KeyRecord& record, Told told);
    void end(std::uint64_t number, const std::optional<idempotency::BankRow>& row);

    bank::Bank& m_bank;
    std::chrono::milliseconds m_limit;
    faults::After m_after;
    std::map<std::uint64_t, Call> m_calls;
    std::uint64_t m_lastCall = 0;
    std::unique_ptr<QObject> m_home = std::make_unique<QObject>(); // timers and late answers end with it
};

} // namespace payonce::shop
