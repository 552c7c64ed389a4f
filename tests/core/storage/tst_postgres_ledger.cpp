#include "core/storage/durable_ledger.h"
#include "storage/server_ledger.h"
#include "support/postgres_cluster.h"

#include <QtTest/QTest>

#include <memory>

using namespace payonce;
using namespace payonce::idempotency;
using namespace payonce::samples;
using namespace std::chrono_literals;
using tests::orFail;
using tests::ShopDatabase;
using tests::valueOrFail;

namespace {

/// One for all tests; each has a place of its own in it.
std::unique_ptr<support::PostgresCluster> theCluster;

support::PostgresCluster& cluster()
{
    return *theCluster;
}

} // namespace

/// The conformance suite on PostgreSQL, and what becomes of a batch whose connection breaks.
class TestPostgresLedger : public tests::DurableLedger
{
    Q_OBJECT

public:
    TestPostgresLedger() : DurableLedger([] { return cluster().freshPlace(); }) {}

private Q_SLOTS:
    void initTestCase() { theCluster = std::make_unique<support::PostgresCluster>(); }
    void cleanupTestCase() { theCluster.reset(); }

    void brokenConnection_keepsNothingOfTheBatchAndIsMadeAnew();
    void brokenIdleConnection_isNobodysBusiness();
    void stoppedServer_isUnavailableUntilItIsBack();
    void failingReadInABatch_losesAllOfItAndSaysSo();
    void stalledServer_doesNotHoldUpTheOthers();
};

void TestPostgresLedger::brokenConnection_keepsNothingOfTheBatchAndIsMadeAnew()
{
    const KeyRecord before = claimed(1, "cart-a");
    orFail(store().beginBatch());
    valueOrFail(store().settle(ownershipOf(before), approved(), kNow));
    cluster().killConnections();
    QCOMPARE(store().claim(request(2, "cart-b"), stamp(2)).error(), StoreError::Unavailable);
    QCOMPARE(store().claim(request(3, "cart-c"), stamp(3)).error(), StoreError::Unavailable);
    QCOMPARE(store().commitBatch().error(), StoreError::Unavailable);

    QCOMPARE(found(1), std::optional(before));
    QVERIFY(!found(2) && !found(3));
    QCOMPARE(claimed(2, "cart-b").orderNumber, std::string("1002"));
}

void TestPostgresLedger::brokenIdleConnection_isNobodysBusiness()
{
    claimed(1, "cart-a");
    cluster().killConnections();
    QCOMPARE(claimed(2, "cart-b").state, RecordState::InProgress);
}

void TestPostgresLedger::stoppedServer_isUnavailableUntilItIsBack()
{
    const KeyRecord record = claimed(1, "cart-a");
    orFail(store().beginBatch());
    valueOrFail(store().claim(request(2, "cart-b"), stamp(2)));
    cluster().stop();
    QCOMPARE(store().commitBatch().error(), StoreError::Unavailable);
    QTest::ignoreMessage(QtWarningMsg, QRegularExpression(QStringLiteral("^postgresql://.*: .*connect")));
    QCOMPARE(store().beginBatch().error(), StoreError::Unavailable);
    QCOMPARE(store().beginBatch().error(), StoreError::Unavailable);
    cluster().start();

    QCOMPARE(found(1), std::optional(record));
    QVERIFY(!found(2));
    QCOMPARE(claimed(2, "cart-b").state, RecordState::InProgress);
}

// PostgreSQL answers a COMMIT of a failed transaction with success and rolls it back.
void TestPostgresLedger::failingReadInABatch_losesAllOfItAndSaysSo()
{
    const KeyRecord record = claimed(1);
    orFail(store().beginBatch());
    valueOrFail(store().settle(ownershipOf(record), approved(), kNow));
    QVERIFY(!shop().database().select(QStringLiteral("SELECT nothing FROM nowhere")));
    QVERIFY(!store().commitBatch());
    QCOMPARE(found(1), std::optional(record));
    QCOMPARE(settle(ownershipOf(record), approved()).state, RecordState::Succeeded);
}

// A server that is stopped in the middle of a batch holds the one lock of all writers.
void TestPostgresLedger::stalledServer_doesNotHoldUpTheOthers()
{
    ShopDatabase stalled({}, shop().place());
    orFail(stalled.ledger().beginBatch());
    valueOrFail(stalled.ledger().claim(request(1), stamp(1, kNow, kOtherServer)));
    QCOMPARE(claimed(1).owner, std::string(kServer)); // waits, for less than OpenOptions::busyTime
    QCOMPARE(stalled.ledger().commitBatch().error(), StoreError::Unavailable);
    QCOMPARE(found(1)->owner, std::string(kServer));
}

QTEST_GUILESS_MAIN(TestPostgresLedger)
#include "tst_postgres_ledger.moc"
