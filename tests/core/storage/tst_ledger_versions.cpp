// A shop's file of an earlier version opens and keeps everything it said.
#include "storage/server_ledger.h"
#include "storage/shop_tables.h"

#include "core/idempotency/ledger_samples.h"

#include <QtCore/QFile>
#include <QtCore/QTemporaryDir>
#include <QtTest/QTest>

using namespace payonce;
using namespace payonce::idempotency;
using namespace payonce::samples;

namespace {

constexpr std::int32_t kApplicationId = 0x504c6467; // `PLdg`
const QString kStepOne = QStringLiteral(":/schema/ledger_1.sql");

/// An open, a paid and a declined action and an expired tombstone, as version 1 wrote them.
const char* const kRecordsOfVersionOne = R"(
INSERT INTO key_records (account, action_id, policy_id, fingerprint, cart_id, amount_minor, currency, payment_method, email,
    valid_until, state, owner, fence, lease_until, bank_key, first_seen, settled_at, payment_id, order_id, charge_id,
    decline_code, reason, held_by, answer_status, answer_body, asked, next_ask_at)
SELECT 'acct_a', action, 'payonce-1', x'0101010101010101010101010101010101010101010101010101010101010101', cart, 4200, 'EUR',
    'pm_known', 'a@example.com', 1796033700000, state, 'server-1', fence, 1796032815000, bank_key, 1796032800000, settled_at,
    payment, order_id, charge, decline, reason, '', status, body, 0, 0
FROM (
    SELECT '0198c0de-7a11-7c3e-9f00-000000000001' AS action, 'cart-1' AS cart, 'unknown' AS state, 1 AS fence,
        '0198c0de-7a11-7c3e-9f00-0000000000a1' AS bank_key, NULL AS settled_at, 'pay_1' AS payment, 'ord_1' AS order_id,
        '' AS charge, '' AS decline, NULL AS reason, NULL AS status, NULL AS body
    UNION ALL SELECT '0198c0de-7a11-7c3e-9f00-000000000002', 'cart-2', 'succeeded', 2,
        '0198c0de-7a11-7c3e-9f00-0000000000a2', 1796032801000, 'pay_2', 'ord_2', 'ch_2', '', NULL, 201, x'7b7d00ff'
    UNION ALL SELECT '0198c0de-7a11-7c3e-9f00-000000000003', 'cart-3', 'failed', 3,
        '0198c0de-7a11-7c3e-9f00-0000000000a3', 1796032801000, 'pay_3', 'ord_3', '', 'expired_card', NULL, 402, x'7b7d'
    UNION ALL SELECT '0198c0de-7a11-7c3e-9f00-000000000004', 'cart-4', 'abandoned', 0,
        NULL, 1796032801000, '', '', '', '', 'expired', NULL, NULL
)
)";

const char* const kOrdersOfVersionOne = R"(
INSERT INTO orders (id, number, account, action_id, cart_id, amount_minor, currency, status, payment_id, charge_id,
    decline_code, created_at)
SELECT order_id, CASE order_id WHEN 'ord_1' THEN '1001' WHEN 'ord_2' THEN '1002' ELSE '1003' END, account, action_id, cart_id,
    amount_minor, currency, CASE state WHEN 'unknown' THEN 'open' WHEN 'succeeded' THEN 'paid' ELSE 'closed' END, payment_id,
    charge_id, decline_code, first_seen
FROM key_records WHERE order_id <> ''
)";

values::ActionId action(char last)
{
    return values::ActionId::parse(std::string("0198c0de-7a11-7c3e-9f00-00000000000") + last).value();
}

} // namespace

class TestLedgerVersions : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void fileOfVersionOne_keepsItsRecords();
    void fileOfVersionOne_keepsOneOrderACart();
    void fileOfVersionOne_goesOnWorking();
    void migratedFile_opensAgain();

private:
    [[nodiscard]] std::unique_ptr<storage::Database> open() const;
    [[nodiscard]] QString path() const { return m_directory->filePath(QStringLiteral("shop.sqlite")); }

    std::unique_ptr<QTemporaryDir> m_directory;
};

void TestLedgerVersions::init()
{
    QTest::failOnWarning(QRegularExpression(QStringLiteral(".*")));
    m_directory = std::make_unique<QTemporaryDir>();
    const auto old = storage::Database::open(path(), {kApplicationId, {kStepOne}});
    QVERIFY(old);
    for (const char* sql : {kRecordsOfVersionOne, kOrdersOfVersionOne})
        QVERIFY((*old)->execute(QString::fromLatin1(sql)));
    QVERIFY((*old)->execute(QStringLiteral("UPDATE counters SET value = CASE name WHEN 'fence' THEN 3 ELSE 1003 END")));
}

std::unique_ptr<storage::Database> TestLedgerVersions::open() const
{
    auto database = storage::openShopDatabase(path());
    if (!database)
        qFatal("it does not open: %d", static_cast<int>(database.error()));
    return *std::move(database);
}

void TestLedgerVersions::fileOfVersionOne_keepsItsRecords()
{
    const auto database = open();
    storage::ServerLedger ledger(*database, renderAnswer);
    const KeyRecord unknown = ledger.find(kAccount, action('1')).value().value();
    QCOMPARE(unknown.state, RecordState::Unknown);
    QVERIFY(!unknown.cancelRequested);
    QCOMPARE(unknown.terms,
             std::optional(PaymentTerms{"cart-1", euros(4200), kCard, "a@example.com", kNow + std::chrono::minutes(15)}));
    QCOMPARE(unknown.fingerprint, std::optional(fingerprint(1)));
    QCOMPARE(unknown.bankKey->toString(), std::string("0198c0de-7a11-7c3e-9f00-0000000000a1"));
    QCOMPARE(unknown.orderNumber, std::string("1001"));

    const KeyRecord paid = ledger.find(kAccount, action('2')).value().value();
    QCOMPARE(paid.answer, (std::optional(StoredAnswer{201, std::string("{}\0\xff", 4)})));
    QCOMPARE(paid.chargeId, std::string("ch_2"));
    QCOMPARE(ledger.find(kAccount, action('3')).value()->declineCode, std::string("expired_card"));
    QCOMPARE(ledger.find(kAccount, action('4')).value()->reason, std::optional(AbandonReason::Expired));
}

void TestLedgerVersions::fileOfVersionOne_keepsOneOrderACart()
{
    const auto database = open();
    storage::ServerLedger ledger(*database, renderAnswer);
    storage::ShopTables tables(*database);
    QCOMPARE(tables.newestOrders(10).value().size(), std::size_t{3});
    QVERIFY(ledger.beginBatch());
    QVERIFY(tables.savePaymentMethod({kCard, kAccount, "visa", "4242", kNow + std::chrono::hours(24)}, kNow));
    const auto second = ledger.claim(request(9, "cart-2"), stamp(9)).value();
    QVERIFY(ledger.commitBatch());
    QCOMPARE(std::get<WriteTombstone>(second).record.heldBy, action('2').toString());
}

void TestLedgerVersions::fileOfVersionOne_goesOnWorking()
{
    const auto database = open();
    storage::ServerLedger ledger(*database, renderAnswer);
    QVERIFY(ledger.beginBatch());
    QVERIFY(std::holds_alternative<FenceAtBank>(ledger.abandon({kAccount, action('1')}, {"server-2", kNow}).value()));
    const KeyRecord ended = ledger.takeOverAndSettle({kAccount, action('1')}, {"server-2", kNow}, fenced()).value();
    QVERIFY(ledger.commitBatch());
    QCOMPARE(ended.reason, std::optional(AbandonReason::Cancelled));
    QCOMPARE(ended.fence, FenceNumber{4});
}

void TestLedgerVersions::migratedFile_opensAgain()
{
    (void)open();
    const auto again = open();
    QVERIFY(again->select(QStringLiteral("PRAGMA foreign_key_check")).value().isEmpty());
    QCOMPARE(again->select(QStringLiteral("PRAGMA integrity_check")).value().first().first().toString(), QStringLiteral("ok"));
}

QTEST_GUILESS_MAIN(TestLedgerVersions)
#include "tst_ledger_versions.moc"
