#include "shop_test.h"

#include <QtCore/QRegularExpression>
#include <QtTest/QTest>

namespace payonce::shop {

ShopTest::ShopTest(const idempotency::LedgerNumbers& numbers, protocol::KeyForm keys) : m_numbers(numbers), m_keys(keys) {}

void ShopTest::init()
{
    QTest::failOnWarning(QRegularExpression(QStringLiteral(".*")));
    m_bench = std::make_unique<ShopBench>(m_numbers, 0, m_keys);
    QVERIFY(m_bench->start());
    m_id = ShopBench::newAction();
}

} // namespace payonce::shop
