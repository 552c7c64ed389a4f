#include "simulation/bank.h"

namespace payonce::simulation {

using namespace std::chrono_literals;
using idempotency::BankRow;
using idempotency::BankState;

void Bank::charge(const idempotency::KeyRecord& record, const Answer& answer)
{
    const auto key = record.bankKey.value();
    const auto known = m_rows.find(key);
    const bool repeats =
        known != m_rows.end() && !(m_world.has(Planted::BankNotIdempotent) && known->second.state == BankState::Approved);
    if (repeats)
        return answer(known->second);
    m_rows.insert_or_assign(key, BankRow{BankState::Running, {}, {}});
    m_world.after(m_world.between(1ms, m_world.isStormy() ? 2s : 20ms), [this, record, answer] {
        decide(record);
        answer(lookup(record));
    });
}

void Bank::decide(const idempotency::KeyRecord& record)
{
    BankRow row;
    if (record.terms->paymentMethod == "pm_declined") {
        row = {BankState::Declined, {}, "insufficient_funds"};
    } else {
        row = {BankState::Approved, "ch_" + record.orderNumber, {}};
        m_world.trace("bank", "charged for " + reference(record.id));
        m_referee.charged(record.id, record.terms->cartId);
    }
    m_rows.insert_or_assign(record.bankKey.value(), row);
    if (m_hear)
        m_hear(record, row);
}

BankRow Bank::lookup(const idempotency::KeyRecord& record) const
{
    const auto known = m_rows.find(record.bankKey.value());
    return known == m_rows.end() ? BankRow{} : known->second;
}

BankRow Bank::fence(const idempotency::KeyRecord& record)
{
    const BankRow fenced{BankState::Fenced, {}, {}};
    if (m_world.has(Planted::BankFenceLooksAtNothing))
        return fenced;
    if (m_world.has(Planted::BankFenceKeepsNothing))
        return m_rows.count(record.bankKey.value()) > 0 ? lookup(record) : fenced;
    return m_rows.try_emplace(record.bankKey.value(), fenced).first->second;
}

} // namespace payonce::simulation
