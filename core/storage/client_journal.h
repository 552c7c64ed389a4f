// ClientJournal: the client's durable memory in one SQLite file (docs/client.md, invariants 1 to 3 and 11).
#pragma once

#include "retry/journal.h"
#include "storage/journal_owners.h"
#include "storage/transaction.h"

#include <memory>

namespace payonce::storage {

/// Opens its connection at the first call and keeps it; a failed opening is tried again at the next call. Used and
/// destroyed on the thread of the first call. Never writes a card number, a security code or a bearer token.
///
/// Beyond the port's contract: a row that cannot be what we wrote (fingerprint, ID, currency, names) is `Damaged`; nothing
/// is ever read as "not ready" because it could not be understood.
///
/// Without a membership it is for one process at a time: whatever is open is taken over from nobody.
class ClientJournal : public retry::Journal
{
public:
    using Opener = JournalOwners::Opener;

    /// More open actions than these are not read.
    static constexpr int kMostOpenActions = 1000;

    /// The file is made where it is missing (mode 0600); its directory must exist.
    [[nodiscard]] static Opener fileAt(const QString& path, const OpenOptions& options = {});

    explicit ClientJournal(Opener open);
    ClientJournal(const Opener& open, const Membership& membership);

    [[nodiscard]] values::Result<retry::LeaseNumber, retry::JournalError>
    saveAction(const retry::StoredAction& action) override;
    [[nodiscard]] values::Result<retry::AttemptBegun, retry::JournalError> saveReady(const values::ActionId& id,
                                                                                     retry::LeaseNumber lease,
                                                                                     const retry::PreparedRequest& ready,
                                                                                     const retry::AttemptStart& first) override;
    [[nodiscard]] values::Result<retry::AttemptBegun, retry::JournalError>
    beginAttempt(const values::ActionId& id, retry::LeaseNumber lease, int number, values::WallTime at) override;
    [[nodiscard]] values::Result<void, retry::JournalError> endAttempt(const values::ActionId& id, retry::LeaseNumber lease,
                                                                       int number, const retry::AttemptEnd& end) override;
    [[nodiscard]] values::Result<void, retry::JournalError> saveFinal(const values::ActionId& id, retry::LeaseNumber lease,
                                                                      const retry::FinalAnswer& answer) override;
    [[nodiscard]] values::Result<void, retry::JournalError> markToldNotStarted(const values::ActionId& id,
                                                                               retry::LeaseNumber lease) override;
    [[nodiscard]] values::Result<retry::WishKept, retry::JournalError>
    saveWish(const values::ActionId& id, retry::LeaseNumber lease, const retry::CancelWish& wish) override;
    [[nodiscard]] values::Result<void, retry::JournalError> saveConflict(const values::ActionId& id, retry::LeaseNumber lease,
                                                                         retry::Cause cause) override;
    [[nodiscard]] values::Result<retry::StoredAction, retry::JournalError>
    adopt(const values::ActionId& own, retry::LeaseNumber lease, const retry::StoredAction& holder) override;
    [[nodiscard]] values::Result<void, retry::JournalError> markSeen(const values::ActionId& id,
                                                                     retry::LeaseNumber lease) override;
    [[nodiscard]] values::Result<std::optional<retry::StoredAction>, retry::JournalError>
    read(const values::ActionId& id) override;
    [[nodiscard]] values::Result<std::vector<retry::StoredAction>, retry::JournalError> takeOverOpen() override;
    [[nodiscard]] values::Result<retry::Sight, retry::JournalError> look(const retry::Look& look) override;
    [[nodiscard]] values::Result<void, retry::JournalError> press(const values::ActionId& id, retry::Press what) override;

private:
    [[nodiscard]] values::Result<Database*, retry::JournalError> database();
    [[nodiscard]] values::Result<Transaction, retry::JournalError> begin();
    /// One statement that changes exactly one row, or says why not.
    [[nodiscard]] values::Result<void, retry::JournalError> changeOne(const QString& sql, const QVariantList& bound,
                                                                      const values::ActionId& id, retry::LeaseNumber lease);
    /// Why a conditioned statement changed nothing: another owner, or no such row in the state it needs.
    [[nodiscard]] retry::JournalError whyNothing(const values::ActionId& id, retry::LeaseNumber lease);
    [[nodiscard]] retry::JournalError whyRefused(const retry::StoredAction& action);

    /// Who owns what is saved here.
    [[nodiscard]] std::int64_t owner() const { return m_owners ? m_owners->instance() : 0; }
    /// In the transaction that saves it: nobody may take it for a dead owner's.
    [[nodiscard]] values::Result<void, retry::JournalError> tellOwner();

    Opener m_open;
    std::unique_ptr<Database> m_database;
    std::unique_ptr<JournalOwners> m_owners; ///< none: one process at a time
};

} // namespace payonce::storage
