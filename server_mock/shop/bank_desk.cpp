#include "shop/bank_desk.h"

#include "values/check.h"

#include <QtCore/QPointer>

#include <algorithm>
#include <utility>

namespace payonce::shop {

BankDesk::BankDesk(bank::Bank& bank, std::chrono::milliseconds limit, faults::After after)
    : m_bank(bank), m_limit(limit), m_after(std::move(after))
{
}

void BankDesk::charge(const idempotency::KeyRecord& record, Told told, std::function<bool()> inside)
{
    CHECK(record.bankKey && record.terms);
    const bank::ChargeOrder order{*record.bankKey, record.id, record.terms->paymentMethod, record.terms->amount,
                                  std::move(inside)};
    m_bank.charge(order, begin(Verb::Charge, record, std::move(told)));
}

void BankDesk::lookup(const idempotency::KeyRecord& record, Told told)
{
    CHECK(record.bankKey);
    m_bank.lookup(*record.bankKey, begin(Verb::Lookup, record, std::move(told)));
}

void BankDesk::fence(const idempotency::KeyRecord& record, Told told)
{
    CHECK(record.bankKey);
    m_bank.fence(*record.bankKey, begin(Verb::Fence, record, std::move(told)));
}

bool BankDesk::isFencing(const idempotency::KeyRecord& record) const
{
    return std::any_of(m_calls.begin(), m_calls.end(), [&record](const auto& numbered) {
        return numbered.second.verb == Verb::Fence && numbered.second.key == record.bankKey;
    });
}

std::vector<values::ActionId> BankDesk::asking() const
{
    std::vector<values::ActionId> actions;
    actions.reserve(m_calls.size());
    for (const auto& [number, call] : m_calls)
        actions.push_back(call.action);
    return actions;
}

bank::Answered BankDesk::begin(Verb verb, const idempotency::KeyRecord& record, Told told)
{
    const std::uint64_t number = ++m_lastCall;
    m_calls.emplace(number, Call{verb, *record.bankKey, record.id, std::move(told)});
    m_after(m_limit, m_home.get(), [this, number] { end(number, {}); });
    return [this, number, home = QPointer<QObject>(m_home.get())](const bank::BankAnswer& answer) {
        if (home)
            end(number, answer.row);
    };
}

void BankDesk::end(std::uint64_t number, const std::optional<idempotency::BankRow>& row)
{
    auto call = m_calls.extract(number);
    if (!call.empty())
        call.mapped().told(row);
}

} // namespace payonce::shop
