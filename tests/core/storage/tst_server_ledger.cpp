#include "storage/server_ledger.h"

#include "core/storage/durable_ledger.h"

#include <QtTest/QTest>

using namespace payonce;
using namespace payonce::idempotency;
using namespace payonce::samples;
using namespace std::chrono_literals;
using tests::ShopDatabase;

namespace {

/// A new file at each call.
storage::Location newFile()
{
    static const QTemporaryDir directory;
    static int files = 0;
    return directory.filePath(QStringLiteral("shop-%1.sqlite").arg(++files));
}

} // namespace

/// The conformance suite on SQLite, and what only SQLite does.
class TestServerLedger : public tests::DurableLedger
{
    Q_OBJECT

public:
    TestServerLedger() : DurableLedger(newFile) {}

private Q_SLOTS:
    void failingCommit_keepsNothingOfTheBatch();
    void fullDisk_keepsNothingHalf();
    void hotQueries_useTheirIndexes_data();
    void hotQueries_useTheirIndexes();
    void storageErrors_haveOneMeaning_data();
    void storageErrors_haveOneMeaning();
};

Q_DECLARE_METATYPE(payonce::storage::StorageError)
Q_DECLARE_METATYPE(payonce::idempotency::StoreError)

namespace {

/// A shop with one claimed action (1, on `cart-a`) and a valid card.
void prepare(ShopDatabase& shop)
{
    QVERIFY(shop.ledger().beginBatch());
    QVERIFY(shop.tables().savePaymentMethod({kCard, kAccount, "visa", "4242", kNow + 24h}, kNow));
    QVERIFY(shop.ledger().claim(request(1, "cart-a"), stamp(1)));
    QVERIFY(shop.ledger().commitBatch());
}

RecordState stateOf(ShopDatabase& shop, std::uint8_t number)
{
    return shop.ledger().find(kAccount, actionId(number)).value().value().state;
}

bool has(ShopDatabase& shop, std::uint8_t number)
{
    return shop.ledger().find(kAccount, actionId(number)).value().has_value();
}

} // namespace

void TestServerLedger::failingCommit_keepsNothingOfTheBatch()
{
    ShopDatabase shop;
    prepare(shop);
    const KeyRecord before = shop.ledger().find(kAccount, actionId(1)).value().value();
    QVERIFY(shop.ledger().beginBatch());
    QVERIFY(shop.ledger().settle(ownershipOf(before), approved(), kNow));
    QVERIFY(shop.ledger().claim(request(2, "cart-b"), stamp(2)));
    // Checked by COMMIT itself, which fails then.
    QVERIFY(shop.database().execute(QStringLiteral("PRAGMA defer_foreign_keys=ON")));
    QVERIFY(shop.database().change(QStringLiteral("INSERT INTO cart_lines VALUES ('nobody', 1, 1, 'Ink', 1, 1)")));
    const auto committed = shop.ledger().commitBatch();
    QVERIFY(!committed);
    QCOMPARE(committed.error(), StoreError::Unavailable);

    QCOMPARE(shop.ledger().find(kAccount, actionId(1)).value(), std::optional(before));
    QVERIFY(!has(shop, 2));
    QCOMPARE(shop.tables().newestOrders(10).value().front().status, OrderStatus::Open);
    QVERIFY(shop.ledger().beginBatch());
    QVERIFY(shop.ledger().commitBatch());
}

void TestServerLedger::fullDisk_keepsNothingHalf()
{
    ShopDatabase shop;
    prepare(shop);
    const KeyRecord before = shop.ledger().find(kAccount, actionId(1)).value().value();
    QVERIFY(shop.database().select(QStringLiteral("PRAGMA max_page_count=1"))); // the file is as large as it may be
    QVERIFY(shop.ledger().beginBatch());
    QVERIFY(shop.ledger().settle(ownershipOf(before), declined(), kNow));
    ClaimRequest large = request(2, "cart-b");
    large.terms.email = std::string(200'000, 'x');
    const auto refused = shop.ledger().claim(large, stamp(2));
    QVERIFY(!refused);
    QCOMPARE(refused.error(), StoreError::DiskFull);
    const auto committed = shop.ledger().commitBatch();
    shop.crash();

    QVERIFY(!has(shop, 2));
    // Either the whole rest of the batch is there and was said to be, or none of it.
    QCOMPARE(stateOf(shop, 1), committed ? RecordState::Failed : RecordState::InProgress);
    QCOMPARE(shop.tables().newestOrders(10).value().front().status, committed ? OrderStatus::Closed : OrderStatus::Open);
    QVERIFY(shop.ledger().beginBatch());
    QVERIFY(shop.ledger().claim(large, stamp(2)));
    QVERIFY(shop.ledger().commitBatch());
}

void TestServerLedger::hotQueries_useTheirIndexes_data()
{
    QTest::addColumn<QString>("sql");
    QTest::addColumn<QString>("index");
    QTest::newRow("holder of a cart")
        << QStringLiteral("SELECT action_id FROM orders WHERE account = 'a' AND cart_id = 'c' AND status IN ('open', 'paid')")
        << QStringLiteral("one_order_a_cart");
    QTest::newRow("new tombstones of an account")
        << QStringLiteral("SELECT count(*) FROM key_records INDEXED BY tombstones_of_account WHERE account = 'a' AND bank_key "
                          "IS NULL AND state = 'abandoned' AND first_seen > 1")
        << QStringLiteral("tombstones_of_account");
    QTest::newRow("orders of an account") << storage::selectOrders(QStringLiteral(
                                                 "WHERE account = 'a' ORDER BY created_at DESC, action_id DESC LIMIT 10"))
                                          << QStringLiteral("orders_of_account");
    QTest::newRow("open records of an account")
        << QStringLiteral("SELECT count(*) FROM key_records WHERE account = 'a' AND state IN ('in_progress', 'unknown')")
        << QStringLiteral("open_records_of_account");
    QTest::newRow("take over") << storage::selectRecordsWhere(QStringLiteral(
                                      "r.state IN ('in_progress', 'unknown') AND ((r.owner <> 'h/o' AND substr(r.owner, 1, "
                                      "2) = 'h/') OR (((r.owner = 'h/o' AND r.state = 'unknown') OR r.lease_until <= 1 OR "
                                      "r.lease_until > 1) AND (r.next_ask_at <= 1 OR r.next_ask_at > 1))) "
                                      "ORDER BY r.first_seen, r.action_id LIMIT 10"))
                               << QStringLiteral("open_records");
}

void TestServerLedger::hotQueries_useTheirIndexes()
{
    QFETCH(const QString, sql);
    QFETCH(const QString, index);
    ShopDatabase shop;
    const auto plan = shop.database().select(QStringLiteral("EXPLAIN QUERY PLAN ") + sql);
    QVERIFY(plan && !plan->isEmpty());
    QString words;
    for (const storage::Row& row : *plan)
        words += row.last().toString() + QLatin1Char('\n');
    QVERIFY2(words.contains(QStringLiteral("INDEX %1 ").arg(index)) || words.contains(QStringLiteral("INDEX %1\n").arg(index)),
             qPrintable(words));
    QVERIFY2(!words.contains(QLatin1String("TEMP B-TREE")), qPrintable(words));
}

void TestServerLedger::storageErrors_haveOneMeaning_data()
{
    using storage::StorageError;
    QTest::addColumn<StorageError>("storage");
    QTest::addColumn<StoreError>("store");
    QTest::newRow("disk full") << StorageError::DiskFull << StoreError::DiskFull;
    QTest::newRow("read only") << StorageError::ReadOnly << StoreError::ReadOnly;
    QTest::newRow("locked") << StorageError::Locked << StoreError::Locked;
    QTest::newRow("damaged") << StorageError::Damaged << StoreError::Damaged;
    QTest::newRow("newer") << StorageError::NewerVersion << StoreError::NewerVersion;
    QTest::newRow("constraint") << StorageError::Constraint << StoreError::Unavailable;
    QTest::newRow("failed") << StorageError::Failed << StoreError::Unavailable;
}

void TestServerLedger::storageErrors_haveOneMeaning()
{
    QFETCH(const storage::StorageError, storage);
    QFETCH(const StoreError, store);
    QCOMPARE(storage::toStoreError(storage), store);
}

QTEST_GUILESS_MAIN(TestServerLedger)
#include "tst_server_ledger.moc"
