#include "shop/shop_ledger_source.h"

#include <utility>

namespace payonce::shop {

void ShopLedgerSource::read(std::function<void(std::optional<faults::LedgerView>)> done)
{
    std::make_shared<LedgerReading>(m_bank, m_shop, m_bounds, std::move(done))->start();
}

void ShopLedgerSource::quieten(std::function<void()> done)
{
    m_shop.forgetWork();
    m_whenQuiet(std::move(done));
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
