#include "shop/ledger_reading.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace payonce::shop {

namespace {

using faults::LedgerView;
using storage::ActionLine;

faults::ChargeRow chargeRow(const bank::ChargeEntry& entry)
{
    const bool isApproved = entry.state == idempotency::BankState::Approved;
    return {entry.chargeId, entry.actionId, entry.amount, isApproved ? "approved" : "declined", entry.at, entry.bankKey};
}

faults::OrderRow orderRow(const ActionLine& line)
{
    const storage::OrderLine& order = *line.order;
    return {order.id,
            order.number,
            line.actionId,
            order.cartId,
            order.amount,
            idempotency::nameOf(order.status),
            values::toRfc3339(order.createdAt),
            line.account,
            order.chargeId};
}

/// What people also ask for, in one job.
Outcome<LedgerView> restOf(ShopStore& store)
{
    const auto mails = store.mails().newest(kMailsListedMost);
    const auto mailCount = store.actionLines().mailCount();
    const auto waiting = store.outbox().waitingCount();
    const auto accounts = store.accounts().newest(kMailsListedMost);
    if (!mails || !mailCount || !waiting || !accounts)
        return values::Failure(idempotency::StoreError::Unavailable);
    LedgerView view;
    view.mailsWaiting = *waiting;
    for (const storage::ArrivedMail& mail : *mails)
        view.mails.push_back({mail.kind, mail.recipient, mail.actionId, mail.orderId, values::toRfc3339(mail.at)});
    view.mailsBeyond = *mailCount - static_cast<std::int64_t>(mails->size());
    for (const storage::Account& account : *accounts)
        view.accounts.push_back({account.id, account.action.toString(), account.email, values::toRfc3339(account.createdAt)});
    return view;
}

} // namespace

LedgerReading::LedgerReading(bank::LedgerBank& bank, Shop& shop, const ReadingBounds& bounds, Done done)
    : m_bank(bank), m_shop(shop), m_bounds(bounds), m_done(std::move(done))
{
}

// The shop first: a payment that settles between the two then shows as charged and still open, never as paid without a charge.
void LedgerReading::readRecords(std::int64_t before)
{
    m_shop.records().workRegardless<Lines>(
        [before, page = m_bounds.rowsAPage](ShopStore& store) { return store.actionLines().withRecord(before, page); },
        [self = shared_from_this()](const Outcome<Lines>& lines) {
            if (!lines)
                return self->m_done({});
            for (const ActionLine& line : *lines)
                self->take(line);
            const auto most = static_cast<std::size_t>(self->m_bounds.actionsMost);
            if (self->m_view.records.size() > most)
                self->cutAt(self->m_view.records[most].at);
            if (self->m_view.records.size() > most || lines->size() < static_cast<std::size_t>(self->m_bounds.rowsAPage))
                return self->readOrders(storage::kNewestPlace);
            self->readRecords(lines->back().place);
        });
}

void LedgerReading::readOrders(std::int64_t before)
{
    m_shop.records().workRegardless<Lines>(
        [before, page = m_bounds.rowsAPage](ShopStore& store) { return store.actionLines().withOrder(before, page); },
        [self = shared_from_this()](const Outcome<Lines>& lines) {
            if (!lines)
                return self->m_done({});
            for (const ActionLine& line : *lines) {
                if (++self->m_ordersSeen > self->m_bounds.actionsMost)
                    self->cutAt(values::toRfc3339(line.at));
                if (!line.state)
                    self->take(line);
            }
            const bool isEnough = self->m_ordersSeen > self->m_bounds.actionsMost;
            if (isEnough || lines->size() < static_cast<std::size_t>(self->m_bounds.rowsAPage))
                return self->readRest();
            self->readOrders(lines->back().place);
        });
}

void LedgerReading::readRest()
{
    m_shop.records().workRegardless<LedgerView>(restOf, [self = shared_from_this()](Outcome<LedgerView> rest) {
        if (!rest)
            return self->m_done({});
        self->m_view.mails = std::move(rest->mails);
        self->m_view.mailsBeyond = rest->mailsBeyond;
        self->m_view.mailsWaiting = rest->mailsWaiting;
        self->m_view.accounts = std::move(rest->accounts);
        self->readCharges(storage::kNewestPlace);
    });
}

void LedgerReading::readCharges(std::int64_t before)
{
    m_bank.newestCharges(before, m_bounds.rowsAPage,
                         [self = shared_from_this()](const std::optional<std::vector<bank::ChargeEntry>>& entries) {
                             if (!entries)
                                 return self->m_done({});
                             auto& charges = self->m_view.charges;
                             for (const bank::ChargeEntry& entry : *entries)
                                 charges.push_back(chargeRow(entry));
                             const auto most = static_cast<std::size_t>(self->m_bounds.actionsMost);
                             if (charges.size() > most)
                                 self->cutAt(charges[most].at);
                             if (charges.size() > most || entries->size() < static_cast<std::size_t>(self->m_bounds.rowsAPage))
                                 return self->readOwners();
                             self->readCharges(entries->back().place);
                         });
}

// Of a charge without an action so far the action may have begun while this was read, or be older than what was read.
void LedgerReading::readOwners()
{
    const auto keys = strangersKeys(static_cast<std::size_t>(m_bounds.rowsAPage));
    if (keys.empty())
        return finish();
    const auto look = [keys](ShopStore& store) -> Outcome<Lines> {
        Lines all;
        for (const std::string& key : keys) {
            auto lines = store.actionLines().ofBankKey(key);
            if (!lines)
                return lines;
            std::move(lines->begin(), lines->end(), std::back_inserter(all));
        }
        return all;
    };
    m_shop.records().workRegardless<Lines>(look, [self = shared_from_this()](const Outcome<Lines>& lines) {
        if (!lines)
            return self->m_done({});
        for (const ActionLine& line : *lines)
            self->take(line);
        self->readOwners();
    });
}

std::vector<std::string> LedgerReading::strangersKeys(std::size_t most)
{
    std::vector<std::string> keys;
    for (; m_ownersSought < m_view.charges.size() && keys.size() < most; ++m_ownersSought) {
        const faults::ChargeRow& charge = m_view.charges[m_ownersSought];
        if (charge.at > m_cutAt && !m_bankKeys.contains(charge.bankKey) && !m_charges.contains(charge.id))
            keys.push_back(charge.bankKey);
    }
    return keys;
}

void LedgerReading::take(const ActionLine& line)
{
    if (line.state && !line.bankKey.empty() && !m_bankKeys.insert(line.bankKey).second)
        return;
    if (line.state)
        m_view.records.push_back({line.actionId, values::nameOf(*line.state), line.account, line.chargeId, line.hasDiscrepancy,
                                  line.bankKey, values::toRfc3339(line.at)});
    if (!line.order || !m_orders.insert(line.order->id).second)
        return;
    m_view.orders.push_back(orderRow(line));
    if (!line.order->chargeId.empty())
        m_charges.insert(line.order->chargeId);
}

void LedgerReading::cutAt(const std::string& at)
{
    m_view.isCut = true;
    m_cutAt = std::max(m_cutAt, at);
}

// What is older than the point where the first of the lists ends would be told without its other half. A charge is a moment
// younger than its action, and goes with it.
void LedgerReading::finish()
{
    const auto isOld = [this](const auto& row) { return row.at <= m_cutAt; };
    std::set<std::string> gone; // bank keys, and charges
    for (const faults::RecordRow& record : m_view.records)
        if (isOld(record))
            gone.insert(record.bankKey);
    for (const faults::OrderRow& order : m_view.orders)
        if (isOld(order))
            gone.insert(order.chargeId);
    std::erase_if(m_view.records, isOld);
    std::erase_if(m_view.orders, isOld);
    std::erase_if(m_view.charges, [&](const faults::ChargeRow& charge) {
        return isOld(charge) || gone.contains(charge.bankKey) || (!charge.id.empty() && gone.contains(charge.id));
    });
    std::reverse(m_view.charges.begin(), m_view.charges.end()); // as they were made
    m_done(std::move(m_view));
}

} // namespace payonce::shop
