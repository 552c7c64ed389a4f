// What the control API reads of the shop's and the bank's databases, and how it empties them.
#pragma once

#include "shop/ledger_reading.h"

#include <functional>
#include <utility>

namespace payonce::shop {

/// Runs its argument when none of the bank's events is on its way to the shop.
using WhenQuiet = std::function<void(std::function<void()>)>;

/// Bank and shop outlive it.
class ShopLedgerSource final : public faults::LedgerSource
{
public:
    ShopLedgerSource(
        bank::LedgerBank& bank, Shop& shop, const ReadingBounds& bounds = {},
        WhenQuiet whenQuiet = [](const auto& done) { done(); })
        : m_bank(bank), m_shop(shop), m_bounds(bounds), m_whenQuiet(std::move(whenQuiet))
    {
    }

    void read(std::function<void(std::optional<faults::LedgerView>)> done) override;
    void quieten(std::function<void()> done) override;
    void reset(std::function<void(bool)> done) override;

private:
    bank::LedgerBank& m_bank;
    Shop& m_shop;
    ReadingBounds m_bounds;
    WhenQuiet m_whenQuiet;
};

} // namespace payonce::shop
