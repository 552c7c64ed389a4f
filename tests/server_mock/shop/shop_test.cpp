#include "shop_test.h"

#include <QtCore/QRegularExpression>
#include <QtTest/QTest>

namespace payonce::shop {

ShopTest::ShopTest(const idempotency::LedgerNumbers& numbers, protocol::KeyForm keys) : m_numbers(numbers), m_keys(keys) {}

void ShopTest::init()
{
    QTest::failOnWarning(QRegularExpression(QStringLiteral(".*")));
    start(m_numbers);
    m_id = ShopBench::newAction();
}

void ShopTest::start(const idempotency::LedgerNumbers& numbers)
{
    m_bench = std::make_unique<ShopBench>(numbers, 0, m_keys);
    QVERIFY(m_bench->start());
}

} // namespace payonce::shop
