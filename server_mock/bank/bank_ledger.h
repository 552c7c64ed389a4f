// The bank's rows: one a key, for ever; the first charge or fence decides (docs/contract.md, "The bank").
#pragma once

#include "bank/bank.h"
#include "bank/bank_events.h"
#include "bank/card.h"
#include "bank/charge_entries.h"
#include "bank/evidence.h"
#include "idempotency/ledger_store.h"
#include "storage/database.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace payonce::bank {

/// A row of a charge that is about to be written.
struct ChargeStamp
{
    values::WallTime now;
    std::string chargeId; ///< fresh; used only if this call is the first of its key and the card is approved
};

/// One thread. A call that fails changes nothing; nothing is durable before commitBatch() succeeded.
class BankLedger
{
public:
    template <class T> using Outcome = values::Result<T, idempotency::StoreError>;

    /// Opens or creates it; a new bank takes `newBankId` for ever. Several processes may share one bank.
    [[nodiscard]] static Outcome<std::unique_ptr<BankLedger>> open(const storage::Location& location,
                                                                   const std::string& newBankId);

    [[nodiscard]] Outcome<void> beginBatch();
    [[nodiscard]] Outcome<void> commitBatch();
    /// As storage::Database.
    [[nodiscard]] std::optional<idempotency::StoreError> whyUnsaved() const;

    [[nodiscard]] const std::string& bankId() const { return m_bankId; }
    [[nodiscard]] Outcome<void> keepCard(const std::string& paymentMethod, const Card& card, values::WallTime now);
    [[nodiscard]] Outcome<idempotency::BankRow> charge(const ChargeOrder& order, const ChargeStamp& stamp);
    [[nodiscard]] Outcome<idempotency::BankRow> lookup(const values::BankKey& key);
    [[nodiscard]] Outcome<idempotency::BankRow> fence(const values::BankKey& key, values::WallTime now);
    /// In the order they were made.
    [[nodiscard]] ChargeEntries charges() { return chargesIn(*m_database); }
    /// Each row once, oldest first.
    [[nodiscard]] Outcome<std::vector<EvidenceRow>> evidence(const EvidenceQuery& query);
    /// As BankEvents.
    [[nodiscard]] Outcome<std::vector<WaitingEvent>> takeEvents(values::WallTime now, std::chrono::milliseconds lease,
                                                                int limit);
    [[nodiscard]] Outcome<void> endEvent(const WaitingEvent& event, EventEnd how, values::WallTime now);
    /// Forgets every card, charge and event.
    [[nodiscard]] Outcome<void> clear();

private:
    explicit BankLedger(std::unique_ptr<storage::Database> database) : m_database(std::move(database)), m_events(*m_database) {}

    [[nodiscard]] values::Result<void, storage::StorageError> readBankId(const std::string& newBankId);
    /// One statement, undone alone if it fails.
    [[nodiscard]] Outcome<void> change(const QString& sql, const QVariantList& values);
    [[nodiscard]] Outcome<std::string> declineCodeOf(const std::string& paymentMethod);

    std::unique_ptr<storage::Database> m_database;
    BankEvents m_events;
    std::string m_bankId;
};

/// What the file of a bank must be.
[[nodiscard]] storage::Schema bankSchema();

/// The statements of BankLedger::evidence(), for their query plans: by action, by bank key, by charge.
[[nodiscard]] QStringList evidenceQueries();

} // namespace payonce::bank
