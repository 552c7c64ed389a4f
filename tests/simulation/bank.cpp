#include "simulation/bank.h"

namespace payonce::simulation {

using idempotency::BankRow;
using idempotency::BankState;

BankRow Bank::charge(const idempotency::KeyRecord& record)
{
    const auto known = m_rows.find(record.bankKey.value());
    const bool repeats = known != m_rows.end() &&
                         (m_world.planted() != Planted::BankNotIdempotent || known->second.state != BankState::Approved);
    if (repeats)
        return known->second;
    BankRow row;
    if (record.terms->paymentMethod == "pm_declined") {
        row = {BankState::Declined, {}, "insufficient_funds"};
    } else {
        row = {BankState::Approved, "ch_" + record.orderNumber, {}};
        m_world.trace("bank", "charged for " + reference(record.id));
        m_referee.charged(record.id, record.terms->cartId);
    }
    m_rows.insert_or_assign(record.bankKey.value(), row);
    return row;
}

BankRow Bank::lookup(const idempotency::KeyRecord& record) const
{
    const auto known = m_rows.find(record.bankKey.value());
    return known == m_rows.end() ? BankRow{} : known->second;
}

BankRow Bank::fence(const idempotency::KeyRecord& record)
{
    return m_rows.try_emplace(record.bankKey.value(), BankRow{BankState::Fenced, {}, {}}).first->second;
}

} // namespace payonce::simulation
