#include "idempotency/memory_ledger_store.h"

#include "core/idempotency/ledger_conformance.h"
#include "core/idempotency/ledger_samples.h"

#include <QtTest/QTest>

using namespace payonce;
using namespace payonce::idempotency;

namespace {

class MemoryBench : public tests::LedgerBench
{
public:
    explicit MemoryBench(const LedgerNumbers& numbers) : m_store(samples::renderAnswer, numbers) {}

    LedgerStore& store() override { return m_store; }
    void crash() override { m_store.loseBatch(); }
    std::string addCart(const std::string& account, const values::Money& total) override
    {
        m_store.addCart(account, "cart_1", total);
        return "cart_1";
    }
    void addPaymentMethod(const std::string& account, const std::string& id) override { m_store.addPaymentMethod(account, id); }
    std::vector<Order> orders() override { return m_store.orders(); }

private:
    MemoryLedgerStore m_store;
};

} // namespace

class TestMemoryLedgerStore : public tests::LedgerConformance
{
    Q_OBJECT

public:
    TestMemoryLedgerStore()
        : LedgerConformance([](const LedgerNumbers& numbers) { return std::make_unique<MemoryBench>(numbers); })
    {
    }

private Q_SLOTS:
    void records_areListedByAccountAndId();
};

void TestMemoryLedgerStore::records_areListedByAccountAndId()
{
    MemoryLedgerStore store(samples::renderAnswer);
    store.addPaymentMethod(samples::kAccount, samples::kCard);
    QVERIFY(store.beginBatch());
    QVERIFY(store.claim(samples::request(2, "cart-b"), samples::stamp(2)));
    QVERIFY(store.claim(samples::request(1, "cart-a"), samples::stamp(1)));
    QVERIFY(store.commitBatch());
    const auto records = store.records();
    QCOMPARE(records.size(), std::size_t{2});
    QCOMPARE(records.front().id, samples::actionId(1));
}

QTEST_GUILESS_MAIN(TestMemoryLedgerStore)
#include "tst_memory_ledger_store.moc"
