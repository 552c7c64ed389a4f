#include "shop/shop_ledger_source.h"

#include <memory>
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

namespace {

/// Told once both ledgers have come to their end.
struct Emptying
{
    std::function<void(bool)> done;
    int left = 2;
    bool isGood = true;

    void ended(bool isEmpty)
    {
        isGood = isGood && isEmpty;
        if (--left == 0)
            done(isGood);
    }
};

} // namespace

// Both in one turn, so that nothing comes between: what was asked for before stands in front of it in both queues, and its end
// is told to nobody; whoever asks from now on finds both empty, and so nothing to settle, to charge or to send.
void ShopLedgerSource::reset(std::function<void(bool)> done)
{
    m_shop.forgetWork();
    const auto both = std::make_shared<Emptying>(Emptying{std::move(done)});
    m_shop.records().workRegardless<void>([](ShopStore& store) { return store.tables().reset(); },
                                          [this, both](const Outcome<void>& emptied) {
                                              m_shop.forgetReplays(); // of claims that came before it
                                              both->ended(emptied.has_value());
                                          });
    m_bank.clear([both](bool cleared) { both->ended(cleared); });
}

} // namespace payonce::shop
