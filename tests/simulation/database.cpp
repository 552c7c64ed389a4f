#include "simulation/database.h"

#include "values/check.h"

#include <algorithm>
#include <utility>

namespace payonce::simulation {

using namespace std::chrono_literals;
using idempotency::AbandonReason;
using idempotency::BankRow;
using idempotency::BankState;
using idempotency::ClaimDecision;
using idempotency::KeyRecord;
using idempotency::WriteTombstone;

namespace {

constexpr const char* kAccount = "acct_1";
constexpr int kMost = 100;

idempotency::LedgerNumbers shortRetention()
{
    idempotency::LedgerNumbers numbers;
    // Shorter than a life, so that records go while copies of their requests are still under way.
    numbers.recordRetention = 2min;
    numbers.clockDriftMost = 5s;
    return numbers;
}

std::unique_ptr<idempotency::MemoryLedgerStore> emptyLedger(const idempotency::LedgerNumbers& numbers)
{
    const auto render = [](const KeyRecord& record) {
        return idempotency::StoredAnswer{record.state == values::RecordState::Succeeded ? 201 : 402, {}};
    };
    auto ledger = std::make_unique<idempotency::MemoryLedgerStore>(render, numbers);
    for (const char* const card : {"pm_good", "pm_other", "pm_declined"})
        ledger->addPaymentMethod(kAccount, card);
    return ledger;
}

std::string factOf(const values::ActionId& id)
{
    return "receipt:" + reference(id);
}

} // namespace

Database::Database(World& world) : m_world(world), m_numbers(shortRetention()), m_ledger(emptyLedger(m_numbers)) {}

void Database::begin()
{
    m_outboxAtBegin = m_outbox;
    m_losesBatch = false;
    m_openAtBegin = m_open;
    m_isInBatch = true;
    CHECK(m_ledger->beginBatch().has_value());
}

void Database::commit()
{
    if (m_losesBatch)
        return lose();
    CHECK(m_ledger->commitBatch().has_value());
    m_isInBatch = false;
}

void Database::lose()
{
    if (!std::exchange(m_isInBatch, false))
        return;
    m_outbox = m_outboxAtBegin;
    m_open = m_openAtBegin;
    m_ledger->loseBatch();
}

void Database::forgetEverything()
{
    m_ledger = emptyLedger(m_numbers);
    m_open.clear();
}

ClaimDecision Database::claim(idempotency::ClaimRequest request, const idempotency::ClaimStamp& stamp)
{
    const values::ActionId id = request.id;
    request.account = kAccount;
    request.id = storedForClaim(id);
    if (m_world.has(Planted::NoCartIndex))
        request.terms.cartId.append("#").append(reference(id));
    ClaimDecision decision = m_ledger->claim(request, stamp).value();
    if (auto* execute = std::get_if<idempotency::Execute>(&decision)) {
        execute->record = original(execute->record);
        m_open.insert(id);
    }
    auto* tombstone = std::get_if<WriteTombstone>(&decision);
    if (tombstone != nullptr)
        tombstone->record = original(tombstone->record);
    const bool isExpired = tombstone != nullptr && tombstone->record.reason == AbandonReason::Expired;
    m_losesBatch = tombstone != nullptr &&
                   m_world.has(isExpired ? Planted::ExpiredLeavesNoTombstone : Planted::CartTakenLeavesNoTombstone);
    return decision;
}

idempotency::AbandonDecision Database::abandon(const values::ActionId& id, const idempotency::WriterStamp& stamp)
{
    auto decision = m_ledger->abandon({kAccount, storedForClaim(id)}, stamp).value();
    if (auto* tombstone = std::get_if<WriteTombstone>(&decision)) {
        tombstone->record = original(tombstone->record);
        m_losesBatch = m_world.has(Planted::AbandonLeavesNoTombstone);
    }
    if (auto* open = std::get_if<idempotency::FenceAtBank>(&decision))
        open->record = original(open->record);
    return decision;
}

KeyRecord Database::settle(const KeyRecord& mine, const BankRow& row)
{
    const auto id = stored(mine.id);
    const auto before = m_ledger->find(kAccount, id).value();
    const bool wasOpen = before && !values::isTerminal(before->state);
    if (!before)
        return mine; // long settled by somebody else, and purged
    if (m_world.has(Planted::NoOwnerCheck)) {
        const auto after = original(m_ledger->takeOverAndSettle({kAccount, id}, {mine.owner, m_world.wall()}, row).value());
        settled(after, row.state == BankState::Approved);
        return after;
    }
    const auto after = original(m_ledger->settle({kAccount, id, mine.owner, mine.fence}, row, m_world.wall()).value());
    settled(after, wasOpen);
    return after;
}

KeyRecord Database::markUnknown(const KeyRecord& mine)
{
    const auto after = m_ledger->markUnknown({kAccount, stored(mine.id), mine.owner, mine.fence});
    return after ? original(*after) : mine;
}

void Database::takeOverAndSettle(const values::ActionId& id, const std::string& owner, const BankRow& row)
{
    const auto before = m_ledger->find(kAccount, stored(id)).value();
    if (!before)
        return; // as in settle()
    settled(original(m_ledger->takeOverAndSettle({kAccount, stored(id)}, {owner, m_world.wall()}, row).value()),
            !values::isTerminal(before->state));
}

void Database::settled(const KeyRecord& after, bool wasOpen)
{
    if (values::isTerminal(after.state))
        m_open.erase(after.id);
    if (wasOpen && after.state == values::RecordState::Succeeded && !m_world.has(Planted::MailAfterCommit))
        putReceipt(after.id);
}

void Database::putReceipt(const values::ActionId& id)
{
    const std::string fact = factOf(id);
    const bool isThere =
        std::any_of(m_outbox.begin(), m_outbox.end(), [&fact](const OutboxMail& mail) { return mail.fact == fact; });
    if (!isThere || m_world.has(Planted::NoOwnerCheck))
        m_outbox.push_back({fact, fact + "/" + std::to_string(m_outbox.size()), {}, false});
}

std::vector<KeyRecord> Database::takeOverOpen(const std::string& owner, const std::vector<values::ActionId>& busy)
{
    std::vector<KeyRecord> taken;
    const auto records = m_ledger->takeOverOpen(owner, m_world.wall(), kMost, busy).value();
    for (const auto& record : records)
        taken.push_back(original(record));
    return taken;
}

values::WallTime Database::raiseWatermark(values::WallTime to)
{
    return m_ledger->raiseWatermark(to).value();
}

int Database::purge()
{
    return m_ledger->purge(kMost).value();
}

std::optional<KeyRecord> Database::known(const values::ActionId& id)
{
    const auto record = m_ledger->find(kAccount, stored(id)).value();
    if (record)
        return original(*record);
    return m_world.has(Planted::PurgeWithoutWatermark) ? std::nullopt : m_ledger->findPurged({kAccount, id}).value();
}

std::optional<OutboxMail> Database::takeMail()
{
    for (auto& mail : m_outbox) {
        if (mail.isSent || mail.takenUntil > m_world.now())
            continue;
        mail.takenUntil = m_world.now() + m_numbers.lease;
        return mail;
    }
    return {};
}

bool Database::hasUnsentMail() const
{
    return std::any_of(m_outbox.begin(), m_outbox.end(), [](const OutboxMail& mail) { return !mail.isSent; });
}

void Database::markSent(const std::string& deliveryId)
{
    for (auto& mail : m_outbox)
        mail.isSent = mail.isSent || mail.deliveryId == deliveryId;
}

bool Database::mayStillCharge(const values::ActionId& id)
{
    const auto record = known(id);
    return !record || !values::isTerminal(record->state);
}

bool Database::isPaid(const values::ActionId& id)
{
    const auto record = known(id);
    return record && record->state == values::RecordState::Succeeded;
}

// Planted::PurgeWithoutWatermark: the real store cannot do it, so a purged key comes to it as another, younger one.

values::ActionId Database::stored(const values::ActionId& id) const
{
    const auto alias = m_aliases.find(id);
    return alias == m_aliases.end() ? id : alias->second;
}

values::ActionId Database::storedForClaim(const values::ActionId& id)
{
    const bool isPurged =
        m_world.has(Planted::PurgeWithoutWatermark) && m_ledger->findPurged({kAccount, stored(id)}).value().has_value();
    if (isPurged)
        m_aliases.insert_or_assign(id, values::ActionId::mint(m_world.wall(), m_world.randomBytes()));
    return stored(id);
}

KeyRecord Database::original(KeyRecord record) const
{
    for (const auto& [id, alias] : m_aliases)
        if (alias == record.id)
            record.id = id;
    return record;
}

} // namespace payonce::simulation
