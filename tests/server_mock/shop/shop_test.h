// What most tests of the shop have in common: a fresh shop and a fresh action for each test function.
#pragma once

#include "shop_bench.h"

#include <QtCore/QObject>

#include <memory>

namespace payonce::shop {

class ShopTest : public QObject
{
    Q_OBJECT

public:
    /// What each of the shops is made of.
    explicit ShopTest(const idempotency::LedgerNumbers& numbers = {}, protocol::KeyForm keys = protocol::KeyForm::UuidV7);

protected Q_SLOTS:
    void init();
    void cleanup() { m_bench.reset(); }

protected:
    /// Anew, with other numbers than all the others.
    void start(const idempotency::LedgerNumbers& numbers);

    std::unique_ptr<ShopBench> m_bench;
    values::ActionId m_id = ShopBench::newAction();

private:
    idempotency::LedgerNumbers m_numbers;
    protocol::KeyForm m_keys;
};

} // namespace payonce::shop
