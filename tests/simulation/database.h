// Database: what the servers of the shop share: the real ledger, the outbox, and the clock that purges. Faults of the store are
// planted here, around it.
#pragma once

#include "idempotency/memory_ledger_store.h"
#include "simulation/world.h"

#include <map>
#include <memory>
#include <set>

namespace payonce::simulation {

/// A mail that waits to be sent.
struct OutboxMail
{
    std::string fact;       ///< `receipt:ACTION`
    std::string deliveryId; ///< the mail system knows one it has had
    Micros takenUntil{};    ///< some server is at it
    bool isSent = false;
};

class Database
{
public:
    explicit Database(World& world);

    void begin();
    void commit();
    /// What is left of a batch that is open, after a crash.
    void lose();

    [[nodiscard]] idempotency::ClaimDecision claim(idempotency::ClaimRequest request, const idempotency::ClaimStamp& stamp);
    [[nodiscard]] idempotency::AbandonDecision abandon(const values::ActionId& id, const idempotency::WriterStamp& stamp);
    idempotency::KeyRecord settle(const idempotency::KeyRecord& mine, const idempotency::BankRow& row);
    idempotency::KeyRecord markUnknown(const idempotency::KeyRecord& mine);
    void takeOverAndSettle(const values::ActionId& id, const std::string& owner, const idempotency::BankRow& row);
    [[nodiscard]] std::vector<idempotency::KeyRecord> takeOverOpen(const std::string& owner,
                                                                   const std::vector<values::ActionId>& busy);
    values::WallTime raiseWatermark(values::WallTime to);
    int purge();
    /// The record, or what is left of it below the watermark.
    [[nodiscard]] std::optional<idempotency::KeyRecord> known(const values::ActionId& id);

    /// A mail that is due, taken for a while.
    [[nodiscard]] std::optional<OutboxMail> takeMail();
    [[nodiscard]] bool hasUnsentMail() const;
    void markSent(const std::string& deliveryId);
    /// For the fault of a mail that is not part of the transaction.
    void putReceipt(const values::ActionId& id);

    /// No record is open, so nobody need look.
    [[nodiscard]] bool isQuiet() const { return m_open.empty(); }
    /// Until then nobody is signed in.
    void signOut(Micros until) { m_signedOutUntil = until; }
    [[nodiscard]] bool isSignedOut() const { return m_world.now() < m_signedOutUntil; }

    /// A charge under this key can still come: it is open, or a late copy would be claimed.
    [[nodiscard]] bool mayStillCharge(const values::ActionId& id);
    [[nodiscard]] bool isPaid(const values::ActionId& id);
    /// A crash that loses everything.
    void forgetEverything();

    [[nodiscard]] const idempotency::LedgerNumbers& numbers() const { return m_numbers; }

private:
    [[nodiscard]] values::ActionId stored(const values::ActionId& id) const;
    [[nodiscard]] values::ActionId storedForClaim(const values::ActionId& id);
    [[nodiscard]] idempotency::KeyRecord original(idempotency::KeyRecord record) const;
    void settled(const idempotency::KeyRecord& after, bool wasOpen);

    World& m_world;
    idempotency::LedgerNumbers m_numbers;
    std::unique_ptr<idempotency::MemoryLedgerStore> m_ledger;
    std::vector<OutboxMail> m_outbox;
    std::vector<OutboxMail> m_outboxAtBegin;
    Micros m_signedOutUntil{};
    std::set<values::ActionId> m_open;
    std::set<values::ActionId> m_openAtBegin;
    std::map<values::ActionId, values::ActionId> m_aliases; ///< of PurgeWithoutWatermark: the key that is claimed as if new
    bool m_isInBatch = false;
    bool m_losesBatch = false; ///< of a tombstone that is not written
};

} // namespace payonce::simulation
