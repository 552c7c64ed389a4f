#include "shop/records.h"

#include "bank/random_name.h"

#include <QtCore/QRandomGenerator>

#include <array>
#include <cstring>
#include <utility>
#include <variant>

namespace payonce::shop {

namespace {

using idempotency::ClaimDecision;
using idempotency::KeyRecord;

values::UuidRandom randomBits()
{
    std::array<quint32, (sizeof(values::UuidRandom) + sizeof(quint32) - 1) / sizeof(quint32)> numbers{};
    QRandomGenerator::system()->fillRange(numbers.data(),
                                          static_cast<qsizetype>(numbers.size())); // in one go: each call of the system costs
    values::UuidRandom bits{};
    std::memcpy(bits.data(), numbers.data(), bits.size());
    return bits;
}

} // namespace

Records::Records(LedgerWriter& writer, WaitingRoom& waiting, Metrics& metrics, Clock clock, std::string owner,
                 FailsSave failsSave)
    : m_writer(writer),
      m_waiting(waiting),
      m_metrics(metrics),
      m_clock(std::move(clock)),
      m_owner(std::move(owner)),
      m_failsSave(std::move(failsSave))
{
}

void Records::claim(const idempotency::ClaimRequest& request, Done<ClaimDecision> done)
{
    const values::WallTime now = m_clock();
    const idempotency::ClaimStamp stamp{m_owner, now, values::BankKey::mint(request.id.madeAt().value_or(now), randomBits()),
                                        bank::randomName("pay_"), bank::randomName("ord_")};
    work<ClaimDecision>([request, stamp](ShopStore& store) { return store.ledger().claim(request, stamp); },
                        [this, done = std::move(done)](const Outcome<ClaimDecision>& decision) {
                            if (decision)
                                count(idempotency::RecordKind::Payment, *decision);
                            done(decision);
                        });
}

template <class Decision> void Records::count(idempotency::RecordKind kind, const Decision& decision)
{
    const ClaimEnd end = claimEndOf(decision);
    m_metrics.claimed(kind, end);
    if (end == ClaimEnd::Run)
        m_metrics.became(values::RecordState::InProgress);
    if (const auto* closed = std::get_if<idempotency::WriteTombstone>(&decision))
        countEnd(closed->record);
}

void Records::countEnd(const KeyRecord& record)
{
    m_metrics.became(record.state);
    if (record.reason)
        m_metrics.abandoned(*record.reason);
}

void Records::claimOnce(const idempotency::OnceRequest& request, StoreWork onceWork, Done<idempotency::OnceDecision> done)
{
    const idempotency::WriterStamp stamp{m_owner, m_clock()};
    work<idempotency::OnceDecision>(
        [request, stamp, onceWork = std::move(onceWork)](ShopStore& store) {
            return store.ledger().claimOnce(request, stamp, [&](const KeyRecord& record) { return onceWork(store, record); });
        },
        [this, kind = request.kind, done = std::move(done)](const Outcome<idempotency::OnceDecision>& decision) {
            if (decision)
                count(kind, *decision);
            if (decision && std::holds_alternative<idempotency::RunOnce>(*decision))
                m_metrics.became(std::get<idempotency::RunOnce>(*decision).record.state); // it has run already
            done(decision);
        });
}

void Records::settle(const KeyRecord& record, const idempotency::BankRow& row, Done<KeyRecord> done)
{
    const values::WallTime now = m_clock();
    work<KeyRecord>([by = ownershipOf(record), row, now](ShopStore& store) { return store.ledger().settle(by, row, now); },
                    thenWake(now, std::move(done)));
}

void Records::abandon(const idempotency::RecordKey& key, Done<idempotency::AbandonDecision> done)
{
    work<idempotency::AbandonDecision>([key, stamp = idempotency::WriterStamp{m_owner, m_clock()}](
                                           ShopStore& store) { return store.ledger().abandon(key, stamp); },
                                       [this, done = std::move(done)](const Outcome<idempotency::AbandonDecision>& decision) {
                                           if (decision && std::holds_alternative<idempotency::WriteTombstone>(*decision))
                                               countEnd(std::get<idempotency::WriteTombstone>(*decision).record);
                                           done(decision);
                                       });
}

void Records::takeOverAndSettle(const KeyRecord& record, const idempotency::BankRow& row, Done<KeyRecord> done)
{
    const idempotency::RecordKey key{record.account, record.id};
    const idempotency::WriterStamp stamp{m_owner, m_clock()};
    work<KeyRecord>([key, row, stamp](ShopStore& store) { return store.ledger().takeOverAndSettle(key, stamp, row); },
                    thenWake(stamp.now, std::move(done)));
}

void Records::wakeForSettledElsewhere()
{
    const auto held = m_waiting.awaited();
    if (held.empty())
        return;
    const auto lookUp = [held](ShopStore& store) -> Outcome<std::vector<KeyRecord>> {
        std::vector<KeyRecord> settled;
        if (!store.isShared())
            return settled;
        for (const idempotency::RecordKey& key : held) {
            const auto found = store.ledger().find(key.account, key.id);
            if (found && *found && values::isTerminal((*found)->state))
                settled.push_back(**found);
        }
        return settled;
    };
    work<std::vector<KeyRecord>>(lookUp, [this](const Outcome<std::vector<KeyRecord>>& settled) {
        for (const KeyRecord& record : settled.value_or(std::vector<KeyRecord>()))
            m_waiting.wake(record);
    });
}

// A record that somebody else settled bears another time.
Records::Done<KeyRecord> Records::thenWake(values::WallTime now, Done<KeyRecord> done)
{
    return [this, now, done = std::move(done)](const Outcome<KeyRecord>& outcome) {
        if (outcome && outcome->settledAt == now)
            countEnd(*outcome);
        done(outcome);
        if (outcome && values::isTerminal(outcome->state))
            m_waiting.wake(*outcome);
    };
}

void Records::markUnknown(const KeyRecord& record, Done<KeyRecord> done)
{
    work<KeyRecord>([by = ownershipOf(record)](ShopStore& store) { return store.ledger().markUnknown(by); },
                    [this, fence = record.fence, done = std::move(done)](const Outcome<KeyRecord>& outcome) {
                        if (outcome && outcome->state == values::RecordState::Unknown && outcome->fence == fence)
                            m_metrics.became(values::RecordState::Unknown);
                        done(outcome);
                    });
}

void Records::takeOverOpen(int limit, const std::vector<values::ActionId>& busy, Done<std::vector<KeyRecord>> done)
{
    const values::WallTime now = m_clock();
    work<std::vector<KeyRecord>>(
        [owner = m_owner, now, limit, busy](ShopStore& store) { return store.ledger().takeOverOpen(owner, now, limit, busy); },
        std::move(done));
}

void Records::find(const std::string& account, const values::ActionId& id, Done<std::optional<KeyRecord>> done)
{
    work<std::optional<KeyRecord>>([account, id](ShopStore& store) { return store.ledger().find(account, id); },
                                   std::move(done));
}

idempotency::Ownership Records::ownershipOf(const KeyRecord& record) const
{
    return {record.account, record.id, m_owner, record.fence};
}

} // namespace payonce::shop
