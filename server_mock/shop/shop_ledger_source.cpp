#include "shop/shop_ledger_source.h"

#include <utility>

namespace payonce::shop {

namespace {

using faults::LedgerView;

faults::ChargeRow chargeRow(const bank::ChargeEntry& entry)
{
    const bool isApproved = entry.state == idempotency::BankState::Approved;
    return {entry.chargeId, entry.actionId, entry.amount, isApproved ? "approved" : "declined", entry.at};
}

// Orders and records in one job, so that they are of one moment.
Outcome<LedgerView> shopView(ShopStore& store)
{
    const auto orders = store.tables().newestOrders(kRowsViewedMost);
    if (!orders)
        return values::Failure(orders.error());
    const auto records = store.tables().newestRecords(kRowsViewedMost);
    if (!records)
        return values::Failure(records.error());
    const auto mails = store.mails().newest(kRowsViewedMost);
    if (!mails)
        return values::Failure(mails.error());
    const auto waiting = store.outbox().waitingCount();
    if (!waiting)
        return values::Failure(waiting.error());
    const auto accounts = store.accounts().newest(kRowsViewedMost);
    if (!accounts)
        return values::Failure(accounts.error());
    LedgerView view;
    view.mailsWaiting = *waiting;
    for (const storage::ArrivedMail& mail : *mails)
        view.mails.push_back({mail.kind, mail.recipient, mail.actionId, mail.orderId, values::toRfc3339(mail.at)});
    for (const storage::Account& account : *accounts)
        view.accounts.push_back({account.id, account.action.toString(), account.email, values::toRfc3339(account.createdAt)});
    for (const idempotency::Order& order : *orders)
        view.orders.push_back({order.id, order.number, order.actionId.toString(), order.cartId, order.amount,
                               idempotency::nameOf(order.status), values::toRfc3339(order.createdAt), order.account});
    for (const idempotency::KeyRecord& record : *records)
        if (record.kind != idempotency::RecordKind::Support) // a deed is no action of a customer
            view.records.push_back(
                {record.id.toString(), values::nameOf(record.state), record.account, record.chargeId, record.hasDiscrepancy});
    return view;
}

} // namespace

// The shop first: a payment that settles between the two reads then shows as charged with an open order, never the reverse.
void ShopLedgerSource::read(std::function<void(std::optional<LedgerView>)> done)
{
    m_shop.records().workRegardless<LedgerView>(shopView, [this, done = std::move(done)](Outcome<LedgerView> view) {
        if (!view)
            return done({});
        m_bank.charges([view = *std::move(view), done](const std::optional<std::vector<bank::ChargeEntry>>& entries) mutable {
            if (!entries)
                return done({});
            for (const bank::ChargeEntry& entry : *entries)
                view.charges.push_back(chargeRow(entry));
            done(std::move(view));
        });
    });
}

// A charge asked for before is in the bank's queue before clear(), a claim in the ledger's before reset().
void ShopLedgerSource::reset(std::function<void(bool)> done)
{
    m_shop.forgetWork();
    m_bank.clear([this, done = std::move(done)](bool cleared) {
        if (!cleared)
            return done(false);
        m_shop.records().workRegardless<void>([](ShopStore& store) { return store.tables().reset(); },
                                              [this, done](const Outcome<void>& emptied) {
                                                  m_shop.forgetReplays(); // of claims that came before it
                                                  done(emptied.has_value());
                                              });
    });
}

} // namespace payonce::shop
