#include "storage/shop_tables.h"

#include "core/storage/shop_database.h"

#include <QtTest/QTest>

using namespace payonce;
using namespace payonce::idempotency;
using namespace payonce::samples;
using namespace std::chrono_literals;
using storage::Cart;
using storage::CartLine;
using storage::PaymentMethod;
using tests::ShopDatabase;

class TestShopTables : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup();

    void id_isRememberedFromItsFirstUse();
    void cart_staysTheSameUntilItsOrderIsPaid();
    void cart_followsAPaidOneAndLeavesAnOpenOrDeclinedOneAlone_data();
    void cart_followsAPaidOneAndLeavesAnOpenOrDeclinedOneAlone();
    void nextCart_skipsANameThatACallerUsedItself();
    void cartAmounts_stayExactInEveryCurrency_data();
    void cartAmounts_stayExactInEveryCurrency();
    void paymentMethod_isFoundByItsAccountUntilItExpires();
    void expiredPaymentMethods_areDroppedByTheNextSave();
    void samePaymentMethodTwice_isRefused();
    void lists_areNewestFirstAndBounded();
    void reset_dropsTheRowsAndKeepsIdsAndFence();
    void workUnderWay_writesNothingAfterAReset();

private:
    [[nodiscard]] Cart openCart(const std::string& account = kAccount);
    KeyRecord claim(std::uint8_t number, const std::string& cartId);
    void settle(const KeyRecord& record, const BankRow& row);
    void saveCard(const PaymentMethod& method, values::WallTime now = kNow);
    /// Runs `work` in a batch and returns what it returned.
    template <class Work> auto inBatch(Work work)
    {
        if (!m_shop->ledger().beginBatch())
            qFatal("beginBatch");
        auto result = work();
        if (!m_shop->ledger().commitBatch())
            qFatal("commitBatch");
        return result;
    }

    std::unique_ptr<ShopDatabase> m_shop;
};

Q_DECLARE_METATYPE(payonce::idempotency::BankState)

namespace {

const std::vector<CartLine> kLines{{"Field notebook", 2, euros(2500)}, {"Fountain pen ink", 1, euros(1029)}};
const PaymentMethod kVisa{kCard, kAccount, "visa", "4242", kNow + 24h};

} // namespace

void TestShopTables::init()
{
    QTest::failOnWarning(QRegularExpression(QStringLiteral(".*")));
    m_shop = std::make_unique<ShopDatabase>();
    saveCard(kVisa);
}

void TestShopTables::cleanup()
{
    m_shop.reset();
}

Cart TestShopTables::openCart(const std::string& account)
{
    return inBatch([&] { return m_shop->tables().openCart(account, kLines, euros(671)); }).value();
}

KeyRecord TestShopTables::claim(std::uint8_t number, const std::string& cartId)
{
    const auto decision = inBatch([&] { return m_shop->ledger().claim(request(number, cartId), stamp(number)); }).value();
    return std::get<Execute>(decision).record;
}

void TestShopTables::settle(const KeyRecord& record, const BankRow& row)
{
    QVERIFY(inBatch([&] { return m_shop->ledger().settle(ownershipOf(record), row, kNow); }));
}

void TestShopTables::saveCard(const PaymentMethod& method, values::WallTime now)
{
    QVERIFY(inBatch([&] { return m_shop->tables().savePaymentMethod(method, now); }));
}

void TestShopTables::id_isRememberedFromItsFirstUse()
{
    const auto remember = [this](const char* name, const char* value) {
        return inBatch([&] { return m_shop->tables().rememberOnce(name, value); }).value();
    };
    QCOMPARE(remember("bank_id", "bank_1"), std::string("bank_1"));
    QCOMPARE(remember("server_id", "srv_1"), std::string("srv_1"));
    m_shop->crash();
    QCOMPARE(remember("bank_id", "bank_2"), std::string("bank_1"));
}

void TestShopTables::cart_staysTheSameUntilItsOrderIsPaid()
{
    const Cart cart = openCart();
    QCOMPARE(cart.id, std::string("cart_1"));
    QCOMPARE(cart.lines, kLines);
    QCOMPARE(cart.tax, euros(671));
    QCOMPARE(cart.total, euros(4200));
    m_shop->crash();
    QCOMPARE(openCart(), cart);
    QCOMPARE(openCart("acct_b").id, std::string("cart_1"));
}

void TestShopTables::cart_followsAPaidOneAndLeavesAnOpenOrDeclinedOneAlone_data()
{
    QTest::addColumn<BankState>("bank");
    QTest::addColumn<QByteArray>("next");
    QTest::newRow("still open") << BankState::Running << QByteArray("cart_1");
    QTest::newRow("declined") << BankState::Declined << QByteArray("cart_1");
    QTest::newRow("fenced") << BankState::Fenced << QByteArray("cart_1");
    QTest::newRow("paid") << BankState::Approved << QByteArray("cart_2");
}

void TestShopTables::cart_followsAPaidOneAndLeavesAnOpenOrDeclinedOneAlone()
{
    QFETCH(const BankState, bank);
    QFETCH(const QByteArray, next);
    settle(claim(1, openCart().id), {bank, "ch_1", "expired_card"});
    QCOMPARE(openCart().id, next.toStdString());
    QCOMPARE(openCart().lines, kLines);
}

void TestShopTables::nextCart_skipsANameThatACallerUsedItself()
{
    claim(1, "cart_2");
    settle(claim(2, openCart().id), approved());
    QCOMPARE(openCart().id, std::string("cart_3"));
}

void TestShopTables::cartAmounts_stayExactInEveryCurrency_data()
{
    QTest::addColumn<QByteArray>("currency");
    QTest::addColumn<qint64>("line");
    QTest::addColumn<qint64>("tax");
    QTest::addColumn<QByteArray>("total");
    QTest::newRow("EUR") << QByteArray("EUR") << 800LL << 20LL << QByteArray("8.20");
    QTest::newRow("JPY") << QByteArray("JPY") << 73LL << 7LL << QByteArray("80");
    QTest::newRow("KWD") << QByteArray("KWD") << 1234LL << 1LL << QByteArray("1.235");
}

void TestShopTables::cartAmounts_stayExactInEveryCurrency()
{
    QFETCH(const QByteArray, currency);
    QFETCH(const qint64, line);
    QFETCH(const qint64, tax);
    QFETCH(const QByteArray, total);
    const auto known = values::Currency::fromCode(currency.toStdString()).value();
    const auto open = [&] {
        return inBatch([&] { return m_shop->tables().openCart(kAccount, {{"Ink", 1, {line, known}}}, {tax, known}); }).value();
    };
    const Cart made = open();
    QCOMPARE(values::toDecimal(made.total), total.toStdString());
    m_shop->crash();
    QCOMPARE(open(), made);
}

void TestShopTables::paymentMethod_isFoundByItsAccountUntilItExpires()
{
    auto& tables = m_shop->tables();
    QCOMPARE(tables.findPaymentMethod(kAccount, kCard, kNow + 24h - 1ms).value(), std::optional(kVisa));
    QVERIFY(!tables.findPaymentMethod(kAccount, kCard, kNow + 24h).value());
    QVERIFY(!tables.findPaymentMethod("acct_b", kCard, kNow).value());
    QVERIFY(!tables.findPaymentMethod(kAccount, "pm_unknown", kNow).value());
}

void TestShopTables::expiredPaymentMethods_areDroppedByTheNextSave()
{
    saveCard({"pm_next", "acct_b", "mastercard", "4444", kNow + 48h}, kNow + 24h);
    const auto left = m_shop->database().select(QStringLiteral("SELECT id FROM payment_methods")).value();
    QCOMPARE(left.size(), 1);
    QCOMPARE(left.first().first().toString(), QStringLiteral("pm_next"));
}

void TestShopTables::samePaymentMethodTwice_isRefused()
{
    QCOMPARE(inBatch([&] { return m_shop->tables().savePaymentMethod(kVisa, kNow); }).error(), StoreError::Unavailable);
    QCOMPARE(m_shop->tables().findPaymentMethod(kAccount, kCard, kNow).value(), std::optional(kVisa));
}

void TestShopTables::lists_areNewestFirstAndBounded()
{
    for (const std::uint8_t number : std::initializer_list<std::uint8_t>{1, 2, 3})
        claim(number, "cart-" + std::to_string(number));
    const auto orders = m_shop->tables().newestOrders(2).value();
    QCOMPARE(orders.size(), std::size_t{2});
    QCOMPARE(orders.front().number, std::string("1003"));
    QCOMPARE(orders.front().cartId, std::string("cart-3"));
    const auto records = m_shop->tables().newestRecords(2).value();
    QCOMPARE(records.size(), std::size_t{2});
    QCOMPARE(records.front().id, actionId(3));
    QCOMPARE(records.back().orderNumber, std::string("1002"));
    QVERIFY(m_shop->tables().newestOrders(0).value().empty());
}

void TestShopTables::reset_dropsTheRowsAndKeepsIdsAndFence()
{
    QVERIFY(inBatch([&] { return m_shop->tables().rememberOnce("server_id", "srv_1"); }));
    const KeyRecord before = claim(1, openCart().id);
    QVERIFY(inBatch([&] { return m_shop->tables().reset(); }));

    QVERIFY(m_shop->tables().newestOrders(10).value().empty());
    QVERIFY(m_shop->tables().newestRecords(10).value().empty());
    QVERIFY(!m_shop->tables().findPaymentMethod(kAccount, kCard, kNow).value());
    QCOMPARE(m_shop->database().select(QStringLiteral("SELECT * FROM cart_lines")).value().size(), 0);
    QCOMPARE(inBatch([&] { return m_shop->tables().rememberOnce("server_id", "srv_2"); }).value(), std::string("srv_1"));
    saveCard(kVisa);
    const KeyRecord after = claim(1, openCart().id);
    QCOMPARE(after.orderNumber, std::string("1001"));
    QVERIFY(after.fence > before.fence);
}

void TestShopTables::workUnderWay_writesNothingAfterAReset()
{
    const KeyRecord before = claim(1, "cart-a");
    QVERIFY(inBatch([&] { return m_shop->tables().reset(); }));
    QCOMPARE(inBatch([&] { return m_shop->ledger().settle(ownershipOf(before), approved(), kNow); }).error(),
             StoreError::Unavailable);
    saveCard(kVisa);
    const KeyRecord after = claim(1, "cart-a");
    // The same action again, but another claim: the late writer of the first one is displaced.
    QCOMPARE(inBatch([&] { return m_shop->ledger().settle(ownershipOf(before), approved(), kNow); }).value(), after);
}

QTEST_GUILESS_MAIN(TestShopTables)
#include "tst_shop_tables.moc"
