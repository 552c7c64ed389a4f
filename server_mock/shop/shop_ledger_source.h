// What the control API reads of the shop's and the bank's databases, and how it empties them.
#pragma once

#include "bank/ledger_bank.h"
#include "faults/ledger_source.h"
#include "shop/shop.h"

namespace payonce::shop {

/// Rows of each kind in one view; the newest ones.
inline constexpr int kRowsViewedMost = 10'000;

/// Bank and shop outlive it.
class ShopLedgerSource final : public faults::LedgerSource
{
public:
    ShopLedgerSource(bank::LedgerBank& bank, Shop& shop) : m_bank(bank), m_shop(shop) {}

    void read(std::function<void(std::optional<faults::LedgerView>)> done) override;
    void reset(std::function<void(bool)> done) override;

private:
    bank::LedgerBank& m_bank;
    Shop& m_shop;
};

} // namespace payonce::shop
