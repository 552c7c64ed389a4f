// The bank of this program: BankLedger on its own thread, calls that wait together share one durable commit.
#pragma once

#include "bank/bank.h"
#include "bank/bank_ledger.h"
#include "bank/bank_reader.h"
#include "batch/batch_thread.h"

#include <functional>
#include <optional>
#include <vector>

namespace payonce::bank {

using Clock = std::function<values::WallTime()>;

class LedgerBank final : public Bank, public Evidence
{
public:
    /// `clock` is read on the caller's thread.
    LedgerBank(const storage::Location& location, Clock clock);

    /// Opens the database and waits for that; once, before anything else. Not empty: why it could not be opened.
    [[nodiscard]] batch::Failed start();
    /// The name this bank was given when its database was made.
    [[nodiscard]] const std::string& bankId() const { return m_bankId; }

    void charge(const ChargeOrder& order, Answered done) override;
    void lookup(const values::BankKey& key, Answered done) override;
    void fence(const values::BankKey& key, Answered done) override;
    void exchange(const std::string& number, std::function<void(std::optional<ExchangedCard>)> done) override;

    void rows(const EvidenceQuery& query, std::function<void(std::optional<std::vector<EvidenceRow>>)> done) override;

    /// Approved and declined rows in the order they were made. Empty: the database could not be read.
    void charges(std::function<void(std::optional<std::vector<ChargeEntry>>)> done);
    /// A page of them, newest first, below the place `before`: those that are committed, without waiting for one that is not.
    /// Empty: the database could not be read.
    void newestCharges(std::int64_t before, int limit, std::function<void(std::optional<std::vector<ChargeEntry>>)> done);
    /// Events that are due, none where the database failed (see BankEvents), and how the delivery of one ended; an end that
    /// cannot be kept makes it come again.
    void takeEvents(std::chrono::milliseconds lease, int limit, std::function<void(std::vector<WaitingEvent>)> done);
    void endEvent(const WaitingEvent& event, EventEnd how);
    /// Forgets every card, event and charge that was asked for before. False: the database failed, nothing is forgotten.
    void clear(std::function<void(bool)> done);

private:
    using Row = idempotency::BankRow;
    void ask(std::function<batch::Outcome<Row>(BankLedger&)> work, Answered done);

    Clock m_clock;
    std::string m_bankId;
    batch::BatchThread<BankLedger> m_thread;
    batch::BatchThread<BankReader> m_reader; // a charge may stand in its transaction for long
};

} // namespace payonce::bank
