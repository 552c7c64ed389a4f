#include "idempotency/memory_ledger_store.h"

#include "idempotency/retention_rules.h"
#include "values/check.h"

#include <algorithm>
#include <tuple>

namespace payonce::idempotency {

using values::Failure;
using values::Result;

MemoryLedgerStore::MemoryLedgerStore(AnswerRenderer render, const LedgerNumbers& numbers)
    : m_render(std::move(render)), m_numbers(numbers)
{
}

Result<void, StoreError> MemoryLedgerStore::beginBatch()
{
    CHECK(!m_atBegin);
    m_atBegin = m_state;
    return {};
}

Result<void, StoreError> MemoryLedgerStore::commitBatch()
{
    CHECK(m_atBegin.has_value());
    m_atBegin.reset();
    return {};
}

void MemoryLedgerStore::loseBatch()
{
    if (m_atBegin)
        m_state = *std::exchange(m_atBegin, std::nullopt);
}

void MemoryLedgerStore::addCart(const std::string& account, const std::string& cartId, const values::Money& total)
{
    m_carts.insert_or_assign({account, cartId}, total);
}

void MemoryLedgerStore::addPaymentMethod(const std::string& account, const std::string& id)
{
    m_paymentMethods.insert({account, id});
}

ClaimFacts MemoryLedgerStore::gatherFacts(const ClaimRequest& request, values::WallTime now) const
{
    ClaimFacts facts;
    static_cast<KeyFacts&>(facts) = keyFacts({request.account, request.id}, now);
    for (const auto& [key, entry] : m_state.entries) {
        if (key.first != request.account)
            continue;
        const KeyRecord& record = entry.record;
        if (!values::isTerminal(record.state))
            ++facts.openRecords;
        if (record.bankKey && record.terms && record.terms->cartId == request.terms.cartId &&
            orderStatusFor(record.state) != OrderStatus::Closed)
            facts.cartHolder = record.id;
    }
    for (const auto& [key, record] : m_state.keptByOrders)
        if (key.first == request.account && record.terms->cartId == request.terms.cartId &&
            orderStatusFor(record.state) != OrderStatus::Closed)
            facts.cartHolder = record.id;
    const auto cart = m_carts.find({request.account, request.terms.cartId});
    if (cart != m_carts.end())
        facts.cartTotal = cart->second;
    facts.paymentMethodKnown = m_paymentMethods.count({request.account, request.terms.paymentMethod}) > 0;
    facts.nextFence = m_state.fence + 1;
    facts.nextOrderNumber = std::to_string(m_state.orderNumber + 1);
    return facts;
}

Result<ClaimDecision, StoreError> MemoryLedgerStore::claim(const ClaimRequest& request, const ClaimStamp& stamp)
{
    CHECK(m_atBegin.has_value());
    ClaimDecision decision = decideClaim(request, gatherFacts(request, stamp.now), stamp, m_numbers);
    if (const auto* execute = std::get_if<Execute>(&decision)) {
        m_state.entries.insert_or_assign({request.account, request.id}, Entry{execute->record, {}});
        ++m_state.fence;
        ++m_state.orderNumber;
    }
    if (const auto* written = std::get_if<WriteTombstone>(&decision))
        m_state.entries.insert_or_assign({request.account, request.id}, Entry{written->record, {}});
    return decision;
}

Result<OnceDecision, StoreError> MemoryLedgerStore::claimOnce(const OnceRequest& request, const WriterStamp& stamp,
                                                              const OnceWork& work)
{
    CHECK(m_atBegin.has_value());
    auto decision = decideOnce(request, keyFacts({request.account, request.id}, stamp.now), stamp, m_numbers);
    if (const auto* written = std::get_if<WriteTombstone>(&decision))
        m_state.entries.insert_or_assign({request.account, request.id}, Entry{written->record, {}});
    auto* const run = std::get_if<RunOnce>(&decision);
    if (run == nullptr)
        return decision;
    auto outcome = work(run->record);
    if (!outcome)
        return Failure(outcome.error());
    if (auto* refused = std::get_if<RefuseClaim>(&*outcome))
        return OnceDecision(std::move(*refused));
    run->record = settledOnce(run->record, std::get<StoredAnswer>(*std::move(outcome)));
    m_state.entries.insert_or_assign({request.account, request.id}, Entry{run->record, {}});
    return decision;
}

Result<KeyRecord, StoreError> MemoryLedgerStore::settle(const Ownership& by, const BankRow& row, values::WallTime now)
{
    CHECK(m_atBegin.has_value());
    const auto found = m_state.entries.find({by.account, by.id});
    if (found == m_state.entries.end())
        return Failure(StoreError::Unavailable);
    KeyRecord& record = found->second.record;
    if (!mayWrite(record, by.owner, by.fence))
        return record;
    settleBy(record, row, now);
    return record;
}

void MemoryLedgerStore::settleBy(KeyRecord& record, const BankRow& row, values::WallTime now)
{
    auto after = settled(record, row, now);
    if (!after)
        return;
    record = *std::move(after);
    if (record.state != RecordState::Abandoned)
        record.answer = m_render(record);
}

Result<AbandonDecision, StoreError> MemoryLedgerStore::abandon(const RecordKey& key, const WriterStamp& stamp)
{
    CHECK(m_atBegin.has_value());
    auto decision = decideAbandon(key, keyFacts(key, stamp.now), stamp, m_numbers);
    if (const auto* written = std::get_if<WriteTombstone>(&decision))
        m_state.entries.insert_or_assign({key.account, key.id}, Entry{written->record, {}});
    if (const auto* fence = std::get_if<FenceAtBank>(&decision))
        m_state.entries.at({key.account, key.id}).record = fence->record;
    return decision;
}

Result<KeyRecord, StoreError> MemoryLedgerStore::takeOverAndSettle(const RecordKey& key, const WriterStamp& stamp,
                                                                   const BankRow& row)
{
    CHECK(m_atBegin.has_value());
    const auto found = m_state.entries.find({key.account, key.id});
    if (found == m_state.entries.end())
        return Failure(StoreError::Unavailable);
    KeyRecord& record = found->second.record;
    if (settled(record, row, stamp.now)) {
        record = takenOver(record, stamp.owner, ++m_state.fence, stamp.now, m_numbers);
        settleBy(record, row, stamp.now);
    }
    return record;
}

Result<KeyRecord, StoreError> MemoryLedgerStore::markUnknown(const Ownership& by)
{
    CHECK(m_atBegin.has_value());
    const auto found = m_state.entries.find({by.account, by.id});
    if (found == m_state.entries.end())
        return Failure(StoreError::Unavailable);
    KeyRecord& record = found->second.record;
    if (mayWrite(record, by.owner, by.fence))
        record.state = RecordState::Unknown;
    return record;
}

std::vector<MemoryLedgerStore::Key> MemoryLedgerStore::dueForTakeOver(const std::string& owner, values::WallTime now,
                                                                      const std::vector<values::ActionId>& busy) const
{
    std::vector<Key> due;
    for (const auto& [key, entry] : m_state.entries) {
        const bool isBusy = std::find(busy.begin(), busy.end(), key.second) != busy.end();
        if (!isBusy && mayTakeOver(entry.record, entry.plan, owner, now, m_numbers))
            due.push_back(key);
    }
    std::sort(due.begin(), due.end(), [this](const Key& left, const Key& right) {
        return std::make_tuple(m_state.entries.at(left).record.firstSeen, left.second) <
               std::make_tuple(m_state.entries.at(right).record.firstSeen, right.second);
    });
    return due;
}

Result<std::vector<KeyRecord>, StoreError> MemoryLedgerStore::takeOverOpen(const std::string& owner, values::WallTime now,
                                                                           int limit, const std::vector<values::ActionId>& busy)
{
    CHECK(m_atBegin.has_value() && limit >= 0);
    std::vector<KeyRecord> taken;
    for (const Key& key : dueForTakeOver(owner, now, busy)) {
        if (taken.size() == static_cast<std::size_t>(limit))
            break;
        Entry& entry = m_state.entries.at(key);
        entry.plan = planAfterTakeOver(entry.record, entry.plan, owner, now, m_numbers);
        entry.record = takenOver(entry.record, owner, ++m_state.fence, now, m_numbers);
        taken.push_back(entry.record);
    }
    return taken;
}

Result<std::optional<KeyRecord>, StoreError> MemoryLedgerStore::find(const std::string& account, const values::ActionId& id)
{
    const auto found = m_state.entries.find({account, id});
    return found == m_state.entries.end() ? std::nullopt : std::optional(found->second.record);
}

void MemoryLedgerStore::countTombstones(const std::string& account, values::WallTime now, KeyFacts& facts) const
{
    std::vector<values::WallTime> times;
    for (const auto& item : m_state.entries) {
        const KeyRecord& record = item.second.record;
        if (record.account == account && !record.bankKey && record.state == RecordState::Abandoned &&
            record.firstSeen > now - m_numbers.tombstoneSpan)
            times.push_back(record.firstSeen);
    }
    facts.newTombstones = static_cast<int>(times.size());
    if (facts.newTombstones < m_numbers.tombstonesMost)
        return;
    std::sort(times.begin(), times.end());
    facts.roomAt = times.at(times.size() - static_cast<std::size_t>(m_numbers.tombstonesMost)) + m_numbers.tombstoneSpan;
}

KeyFacts MemoryLedgerStore::keyFacts(const RecordKey& key, values::WallTime now) const
{
    KeyFacts facts;
    const auto found = m_state.entries.find({key.account, key.id});
    if (found != m_state.entries.end())
        facts.record = found->second.record;
    else
        facts.purged = purgedWord(key);
    countTombstones(key.account, now, facts);
    return facts;
}

std::optional<KeyRecord> MemoryLedgerStore::purgedWord(const RecordKey& key) const
{
    const auto kept = m_state.keptByOrders.find({key.account, key.id});
    return wordOfPurged(key, m_state.watermark,
                        kept == m_state.keptByOrders.end() ? std::nullopt : std::optional(kept->second));
}

Result<std::optional<KeyRecord>, StoreError> MemoryLedgerStore::findPurged(const RecordKey& key)
{
    const bool isKnown = m_state.entries.count({key.account, key.id}) > 0;
    return isKnown ? std::nullopt : purgedWord(key);
}

Result<values::WallTime, StoreError> MemoryLedgerStore::raiseWatermark(values::WallTime to)
{
    CHECK(m_atBegin.has_value());
    m_state.watermark = std::max(m_state.watermark, to);
    return m_state.watermark;
}

Result<int, StoreError> MemoryLedgerStore::purge(int limit)
{
    CHECK(m_atBegin.has_value() && limit >= 0);
    int gone = 0;
    for (auto at = m_state.entries.begin(); at != m_state.entries.end();) {
        KeyRecord& record = at->second.record;
        if (mayDropAnswer(record, m_state.watermark, m_numbers))
            record.answer.reset();
        if (gone == limit || !mayPurge(record, m_state.watermark)) {
            ++at;
            continue;
        }
        if (!record.orderId.empty()) {
            KeyRecord kept = keptByOrder(record);
            if (kept.state != RecordState::Abandoned)
                kept.answer = m_render(kept);
            m_state.keptByOrders.insert_or_assign(at->first, std::move(kept));
        }
        at = m_state.entries.erase(at);
        ++gone;
    }
    return gone;
}

std::vector<Order> MemoryLedgerStore::orders() const
{
    std::vector<Order> orders;
    for (const auto& [key, entry] : m_state.entries)
        if (entry.record.bankKey)
            orders.push_back(orderOf(entry.record));
    for (const auto& [key, record] : m_state.keptByOrders)
        orders.push_back(orderOf(record));
    std::sort(orders.begin(), orders.end(),
              [](const Order& left, const Order& right) { return std::stoll(left.number) < std::stoll(right.number); });
    return orders;
}

std::vector<KeyRecord> MemoryLedgerStore::records() const
{
    std::vector<KeyRecord> records;
    for (const auto& [key, entry] : m_state.entries)
        records.push_back(entry.record);
    return records;
}

} // namespace payonce::idempotency
