// DurableBench: the conformance suite's bench over a database, whatever its engine.
#pragma once

#include "core/idempotency/ledger_bench.h"
#include "core/storage/shop_database.h"

namespace payonce::tests {

class DurableBench : public LedgerBench
{
public:
    DurableBench(const idempotency::LedgerNumbers& numbers, const storage::Location& place) : m_shop(numbers, place) {}

    [[nodiscard]] ShopDatabase& shop() { return m_shop; }
    [[nodiscard]] idempotency::LedgerStore& store() override { return m_shop.ledger(); }
    void crash() override { m_shop.crash(); }
    std::string addCart(const std::string& account, const values::Money& total) override;
    void addPaymentMethod(const std::string& account, const std::string& id) override;
    [[nodiscard]] std::vector<idempotency::Order> orders() override;

private:
    ShopDatabase m_shop;
};

} // namespace payonce::tests
