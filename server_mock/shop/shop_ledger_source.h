// What the control API reads of the shop's and the bank's databases, and how it empties them.
#pragma once

#include "shop/ledger_reading.h"

namespace payonce::shop {

/// Bank and shop outlive it.
class ShopLedgerSource final : public faults::LedgerSource
{
public:
    ShopLedgerSource(bank::LedgerBank& bank, Shop& shop, const ReadingBounds& bounds = {})
        : m_bank(bank), m_shop(shop), m_bounds(bounds)
    {
    }

    void read(std::function<void(std::optional<faults::LedgerView>)> done) override;
    void reset(std::function<void(bool)> done) override;

private:
    bank::LedgerBank& m_bank;
    Shop& m_shop;
    ReadingBounds m_bounds;
};

} // namespace payonce::shop
