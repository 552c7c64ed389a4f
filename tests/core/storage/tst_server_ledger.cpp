#include "storage/server_ledger.h"

#include "core/idempotency/ledger_conformance.h"
#include "core/storage/shop_database.h"
#include "storage/binding.h"

#include <QtTest/QTest>

#include <algorithm>

using namespace payonce;
using namespace payonce::idempotency;
using namespace payonce::samples;
using namespace std::chrono_literals;
using tests::ShopDatabase;

namespace {

/// Calls that write, each in its own batch where none is open.
class SqliteBench : public tests::LedgerBench
{
public:
    explicit SqliteBench(const LedgerNumbers& numbers) : m_shop(numbers) {}

    LedgerStore& store() override { return m_shop.ledger(); }
    void crash() override { m_shop.crash(); }
    std::string addCart(const std::string& account, const values::Money& total) override
    {
        inBatch();
        const auto cart = m_shop.tables().openCart(account, {{"Ink", 1, total}}, values::Money{0, total.currency});
        committed();
        return cart.value().id;
    }
    void addPaymentMethod(const std::string& account, const std::string& id) override
    {
        inBatch();
        if (!m_shop.tables().savePaymentMethod({id, account, "visa", "4242", kNow + 24h}, kNow))
            qFatal("savePaymentMethod");
        committed();
    }
    std::vector<Order> orders() override
    {
        auto orders = m_shop.tables().newestOrders(1000).value();
        std::reverse(orders.begin(), orders.end());
        return orders;
    }

private:
    void inBatch()
    {
        if (!m_shop.ledger().beginBatch())
            qFatal("beginBatch");
    }
    void committed()
    {
        if (!m_shop.ledger().commitBatch())
            qFatal("commitBatch");
    }

    ShopDatabase m_shop;
};

} // namespace

class TestServerLedger : public tests::LedgerConformance
{
    Q_OBJECT

public:
    TestServerLedger() : LedgerConformance([](const LedgerNumbers& numbers) { return std::make_unique<SqliteBench>(numbers); })
    {
    }

private Q_SLOTS:
    void failingCall_doesNotUndoTheOthersOfItsBatch();
    void undoneWork_takesItsRowsWithItAndNothingElse_data();
    void undoneWork_takesItsRowsWithItAndNothingElse();
    void failingCommit_keepsNothingOfTheBatch();
    void fullDisk_keepsNothingHalf();
    void lockedDatabase_beginsNoBatch();
    void damagedRow_isDamaged_data();
    void damagedRow_isDamaged();
    void expiredCard_isNotKnown();
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

void TestServerLedger::failingCall_doesNotUndoTheOthersOfItsBatch()
{
    ShopDatabase shop;
    prepare(shop);
    QVERIFY(shop.ledger().beginBatch());
    QVERIFY(shop.ledger().claim(request(2, "cart-b"), stamp(2)));
    // An order id that is taken: the record is written before the order says no.
    ClaimStamp clash = stamp(3);
    clash.orderId = stamp(1).orderId;
    const auto refused = shop.ledger().claim(request(3, "cart-c"), clash);
    QVERIFY(!refused);
    QCOMPARE(refused.error(), StoreError::Unavailable);
    QVERIFY(shop.ledger().claim(request(4, "cart-d"), stamp(4)));
    QVERIFY(shop.ledger().commitBatch());
    shop.crash();

    QVERIFY(has(shop, 2) && !has(shop, 3) && has(shop, 4));
    QCOMPARE(shop.ledger().find(kAccount, actionId(4)).value()->orderNumber, std::string("1003"));
}

void TestServerLedger::undoneWork_takesItsRowsWithItAndNothingElse_data()
{
    QTest::addColumn<bool>("refuses");
    QTest::newRow("it fails") << false;
    QTest::newRow("it refuses") << true;
}

void TestServerLedger::undoneWork_takesItsRowsWithItAndNothingElse()
{
    QFETCH(const bool, refuses);
    ShopDatabase shop;
    const auto save = [&shop](const char* id) {
        return shop.tables().savePaymentMethod({id, kAccount, "visa", "4242", kNow + 24h}, kNow).has_value();
    };
    const auto done = [&](const KeyRecord&) -> values::Result<OnceOutcome, StoreError> {
        return save("pm_kept") ? StoredAnswer{201, "{}"} : StoredAnswer{500, {}};
    };
    const auto undone = [&](const KeyRecord&) -> values::Result<OnceOutcome, StoreError> {
        if (!save("pm_undone") || !refuses)
            return values::Failure(StoreError::Damaged);
        return RefuseClaim{ProblemCode::Forbidden, {}};
    };
    QVERIFY(shop.ledger().beginBatch());
    QVERIFY(save("pm_before"));
    const auto outcome = shop.ledger().claimOnce(onceRequest(1), {kServer, kNow}, undone);
    QVERIFY(shop.ledger().claimOnce(onceRequest(2), {kServer, kNow}, done));
    QVERIFY(shop.ledger().commitBatch());
    shop.crash();

    QCOMPARE(outcome.has_value(), refuses);
    QVERIFY(!has(shop, 1) && has(shop, 2));
    const auto isKept = [&shop](const char* id) { return shop.tables().findPaymentMethod(kAccount, id, kNow)->has_value(); };
    QVERIFY(isKept("pm_before") && isKept("pm_kept"));
    QVERIFY(!isKept("pm_undone"));
}

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

void TestServerLedger::lockedDatabase_beginsNoBatch()
{
    QTemporaryDir directory;
    const QString path = directory.filePath(QStringLiteral("shop.sqlite"));
    const auto first = storage::openShopDatabase(path);
    const auto second = storage::openShopDatabase(path, {1ms});
    QVERIFY(first && second);
    storage::ServerLedger ledger(**first, renderAnswer);
    storage::ServerLedger blocked(**second, renderAnswer);
    QVERIFY(ledger.beginBatch());
    QCOMPARE(blocked.beginBatch().error(), StoreError::Locked);
    QVERIFY(ledger.commitBatch());
    QVERIFY(blocked.beginBatch());
    QVERIFY(blocked.commitBatch());
}

void TestServerLedger::damagedRow_isDamaged_data()
{
    QTest::addColumn<QString>("change");
    QTest::newRow("currency") << QStringLiteral("currency = 'XXX1'");
    QTest::newRow("reason") << QStringLiteral("state = 'abandoned', reason = 'tired'");
    QTest::newRow("bank key") << QStringLiteral("bank_key = 'not-a-uuid'");
}

void TestServerLedger::damagedRow_isDamaged()
{
    QFETCH(const QString, change);
    ShopDatabase shop;
    prepare(shop);
    QVERIFY(shop.database().execute(QStringLiteral("UPDATE key_records SET ") + change));
    QCOMPARE(shop.ledger().find(kAccount, actionId(1)).error(), StoreError::Damaged);
    QVERIFY(shop.ledger().beginBatch());
    QCOMPARE(shop.ledger().claim(request(1, "cart-a"), stamp(2)).error(), StoreError::Damaged);
    QCOMPARE(shop.ledger().settle({kAccount, actionId(1), kServer, 1}, approved(), kNow).error(), StoreError::Damaged);
    QVERIFY(shop.ledger().commitBatch());
    QCOMPARE(shop.tables().newestRecords(10).error(), StoreError::Damaged);
}

void TestServerLedger::expiredCard_isNotKnown()
{
    ShopDatabase shop;
    prepare(shop);
    ClaimRequest asked = request(2, "cart-b");
    asked.terms.validUntil = kNow + 25h;
    QVERIFY(shop.ledger().beginBatch());
    const auto inTime = shop.ledger().claim(asked, stamp(2, kNow + 24h - 1ms)).value();
    asked.id = actionId(3);
    asked.terms.cartId = "cart-c";
    const auto late = shop.ledger().claim(asked, stamp(3, kNow + 24h)).value();
    QVERIFY(shop.ledger().commitBatch());
    QVERIFY(std::holds_alternative<Execute>(inTime));
    QCOMPARE(std::get<RefuseClaim>(late).code, ProblemCode::MemberInvalid);
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
                                      "r.state IN ('in_progress', 'unknown') AND (r.owner <> 'o' OR ((r.state = 'unknown' OR "
                                      "r.lease_until <= 1) AND (r.next_ask_at <= 1 OR r.next_ask_at > 1))) "
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
