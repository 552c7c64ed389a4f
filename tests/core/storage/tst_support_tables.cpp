// What support finds in the shop's database, by which indexes, and what it writes there.
#include "storage/support_tables.h"

#include "core/storage/shop_database.h"

#include <QtTest/QTest>

#include <map>

using namespace payonce;
using namespace payonce::idempotency;
using namespace payonce::samples;
using namespace std::chrono_literals;
using storage::SupportColumn;
using storage::SupportRow;
using storage::SupportTables;
using tests::ShopDatabase;

Q_DECLARE_METATYPE(payonce::storage::SupportColumn)

namespace {

constexpr int kMost = 51;

} // namespace

class TestSupportTables : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        QTest::failOnWarning(QRegularExpression(QStringLiteral(".*")));
        m_shop = std::make_unique<ShopDatabase>();
        inBatch([this] { QVERIFY(m_shop->tables().savePaymentMethod({kCard, kAccount, "visa", "4242", kNow + 24h}, kNow)); });
    }

    void action_isFoundByEverything_data();
    void action_isFoundByEverything();
    void searches_useTheirIndexes_data();
    void searches_useTheirIndexes();
    void lastFour_outlivesTheCard();
    void newest_comesFirstAndTheLimitHolds();
    void tombstone_isFoundWithoutAnOrder();
    void purgedAction_isFoundByItsOrder();
    void neighbours_areTheSamePersonAndAmountWithinTheHour();
    void neighbours_useTheirIndex();
    void otherHolder_isTheOneThatHasTheCart();
    void deeds_areToldAndLooksAreNot();
    void finishedOrder_isFinishedOnce();
    void finishedOrder_getsItsReceiptAndEndsItsTask();
    void events_areToldInTheOrderTheyCame();
    void keyOfAnotherForm_isFoundAsWell();

private:
    template <class Work> void inBatch(Work work)
    {
        QVERIFY(m_shop->ledger().beginBatch());
        work();
        QVERIFY(m_shop->ledger().commitBatch());
    }
    [[nodiscard]] SupportTables tables() { return SupportTables(m_shop->database()); }
    KeyRecord claim(std::uint8_t number, const std::string& cart, values::WallTime at = kNow)
    {
        std::optional<KeyRecord> record;
        ClaimRequest asked = request(number, cart);
        asked.terms.validUntil = at + 15min;
        inBatch([&] {
            const auto decision = m_shop->ledger().claim(asked, stamp(number, at));
            record = std::get<Execute>(decision.value()).record;
        });
        return *record;
    }
    std::vector<SupportRow> find(SupportColumn column, const std::string& value, int limit = kMost)
    {
        return tables().find(column, value, limit).value();
    }

    std::unique_ptr<ShopDatabase> m_shop;
};

namespace {

QString planOf(ShopDatabase& shop, const QString& sql)
{
    QVariantList values;
    for (qsizetype i = 0; i < sql.count(QLatin1Char('?')); ++i)
        values.append(1);
    const auto plan = shop.database().select(QStringLiteral("EXPLAIN QUERY PLAN ") + sql, values);
    QString words;
    for (const storage::Row& row : plan.value())
        words += row.last().toString() + QLatin1Char('\n');
    return words;
}

} // namespace

void TestSupportTables::action_isFoundByEverything_data()
{
    QTest::addColumn<SupportColumn>("column");
    QTest::newRow("action") << SupportColumn::ActionId;
    QTest::newRow("reference") << SupportColumn::Reference;
    QTest::newRow("order") << SupportColumn::OrderId;
    QTest::newRow("order number") << SupportColumn::OrderNumber;
    QTest::newRow("payment") << SupportColumn::PaymentId;
    QTest::newRow("bank key") << SupportColumn::BankKey;
    QTest::newRow("cart") << SupportColumn::CartId;
    QTest::newRow("e-mail") << SupportColumn::Email;
    QTest::newRow("last four") << SupportColumn::LastFour;
}

void TestSupportTables::action_isFoundByEverything()
{
    QFETCH(const SupportColumn, column);
    const KeyRecord record = claim(1, "cart-a");
    const std::string id = record.id.toString();
    const std::map<SupportColumn, std::string> values{{SupportColumn::ActionId, id},
                                                      {SupportColumn::Reference, id.substr(28)},
                                                      {SupportColumn::OrderId, record.orderId},
                                                      {SupportColumn::OrderNumber, record.orderNumber},
                                                      {SupportColumn::PaymentId, record.paymentId},
                                                      {SupportColumn::BankKey, record.bankKey->toString()},
                                                      {SupportColumn::CartId, "cart-a"},
                                                      {SupportColumn::Email, record.terms->email},
                                                      {SupportColumn::LastFour, "4242"}};
    const auto rows = find(column, values.at(column));
    QCOMPARE(rows.size(), std::size_t{1});
    const SupportRow& row = rows.front();
    QVERIFY(row.id == record.id && row.account == kAccount && row.kind == "payment");
    QVERIFY(row.state == RecordState::InProgress && row.order == OrderStatus::Open);
    QVERIFY(row.amount == record.terms->amount && row.bankKey == record.bankKey);
    QCOMPARE(row.lastFour, std::string("4242"));
    QCOMPARE(row.email, record.terms->email);
    QCOMPARE(row.orderNumber, record.orderNumber);
    QVERIFY(find(column, "nothing of that name").empty());
}

void TestSupportTables::searches_useTheirIndexes_data()
{
    action_isFoundByEverything_data();
}

void TestSupportTables::searches_useTheirIndexes()
{
    if (m_shop->place().isPostgres())
        QSKIP("plans are read in SQLite's words");
    QFETCH(const SupportColumn, column);
    for (const QString& sql : storage::supportQueries(column)) {
        const QString words = planOf(*m_shop, sql);
        QVERIFY2(words.contains(QLatin1String("SEARCH")) && !words.contains(QLatin1String("SCAN")), qPrintable(words));
        QVERIFY2(!words.contains(QLatin1String("TEMP B-TREE")), qPrintable(words));
    }
}

void TestSupportTables::neighbours_useTheirIndex()
{
    if (m_shop->place().isPostgres())
        QSKIP("plans are read in SQLite's words");
    const QString words = planOf(*m_shop, storage::neighbourQuery());
    QVERIFY2(words.contains(QLatin1String("records_by_email (<expr>=? AND first_seen>? AND first_seen<?)")), qPrintable(words));
    QVERIFY2(!words.contains(QLatin1String("TEMP B-TREE")), qPrintable(words));
}

// A payment method is dropped after a day; the payment's last four digits stay.
void TestSupportTables::lastFour_outlivesTheCard()
{
    claim(1, "cart-a");
    inBatch([this] {
        QVERIFY(m_shop->tables().savePaymentMethod({"pm_other", kAccount, "visa", "0002", kNow + 50h}, kNow + 49h));
    });
    QVERIFY(!m_shop->tables().findPaymentMethod(kAccount, kCard, kNow).value());
    QCOMPARE(find(SupportColumn::LastFour, "4242").size(), std::size_t{1});
}

void TestSupportTables::newest_comesFirstAndTheLimitHolds()
{
    for (std::uint8_t number = 1; number <= 5; ++number)
        claim(number, "cart-" + std::to_string(number), kNow + std::chrono::seconds(number));
    const auto rows = find(SupportColumn::LastFour, "4242", 3);
    QCOMPARE(rows.size(), std::size_t{3});
    QVERIFY(rows.front().id == actionId(5) && rows.back().id == actionId(3));
}

void TestSupportTables::tombstone_isFoundWithoutAnOrder()
{
    inBatch([this] { QVERIFY(m_shop->ledger().abandon({kAccount, actionId(7)}, {kServer, kNow})); });
    for (const auto& [column, value] : {std::pair(SupportColumn::ActionId, actionId(7).toString()),
                                        std::pair(SupportColumn::Reference, actionId(7).toString().substr(28))}) {
        const auto rows = find(column, value);
        QCOMPARE(rows.size(), std::size_t{1});
        QVERIFY(rows.front().state == RecordState::Abandoned && !rows.front().order && !rows.front().amount);
        QVERIFY(rows.front().reason == AbandonReason::Cancelled);
    }
}

void TestSupportTables::purgedAction_isFoundByItsOrder()
{
    const KeyRecord record = claim(1, "cart-a");
    inBatch([&] { QVERIFY(m_shop->ledger().settle(ownershipOf(record), approved(), kNow)); });
    inBatch([&] { QVERIFY(m_shop->database().change(QStringLiteral("DELETE FROM key_records"))); });
    const auto rows = find(SupportColumn::Reference, record.id.toString().substr(28));
    QCOMPARE(rows.size(), std::size_t{1});
    QVERIFY(!rows.front().state && rows.front().order == OrderStatus::Paid && rows.front().email.empty());
}

void TestSupportTables::neighbours_areTheSamePersonAndAmountWithinTheHour()
{
    claim(1, "cart-a");
    claim(2, "cart-b", kNow + 59min);
    claim(3, "cart-c", kNow + 61min);
    const auto mine = find(SupportColumn::CartId, "cart-a").front();
    const auto near = tables().neighbours(mine, 1h, 20).value();
    QCOMPARE(near.size(), std::size_t{1});
    QVERIFY(near.front().id == actionId(2));
    inBatch([this] {
        QVERIFY(
            m_shop->database().change(QStringLiteral("UPDATE key_records SET email = upper(email) WHERE cart_id = 'cart-b'")));
    });
    QCOMPARE(tables().neighbours(mine, 1h, 20).value().size(), std::size_t{1}); // case is no other person
    inBatch([this] {
        QVERIFY(m_shop->database().change(
            QStringLiteral("UPDATE key_records SET amount_minor = amount_minor + 1 WHERE cart_id = 'cart-b'")));
    });
    QVERIFY(tables().neighbours(mine, 1h, 20).value().empty());
}

void TestSupportTables::otherHolder_isTheOneThatHasTheCart()
{
    const KeyRecord first = claim(1, "cart-a");
    QVERIFY(!tables().otherHolder(find(SupportColumn::CartId, "cart-a").front()).value());
    inBatch([&] { QVERIFY(m_shop->ledger().settle(ownershipOf(first), declined(), kNow)); });
    claim(2, "cart-a", kNow + 1s);
    const auto rows = find(SupportColumn::CartId, "cart-a");
    QCOMPARE(rows.size(), std::size_t{2});
    QVERIFY(tables().otherHolder(rows.back()).value() == actionId(2));
    QVERIFY(!tables().otherHolder(rows.front()).value());
}

void TestSupportTables::deeds_areToldAndLooksAreNot()
{
    const std::string id = actionId(1).toString();
    inBatch([&] {
        QVERIFY(tables().audit({kNow, "support", "look", kAccount, id, "", ""}));
        QVERIFY(tables().audit({kNow, "support", "search", "", "", "", "reference 0a2c4d5e"}));
        QVERIFY(tables().audit({kNow + 1s, "support_act", "note", kAccount, id, "key-1", "called"}));
        QVERIFY(tables().audit({kNow + 2s, "support_act", "note", "acct_other", id, "key-2", "another's"}));
    });
    const auto deeds = tables().deeds(kAccount, actionId(1)).value();
    QCOMPARE(deeds.size(), std::size_t{1});
    QVERIFY(deeds.front().deed == "note" && deeds.front().reason == "called" && deeds.front().deedId == "key-1");
    const auto all = m_shop->database().select(QStringLiteral("SELECT count(*) FROM support_audit"));
    QCOMPARE(all.value().first().first().toInt(), 4);
}

void TestSupportTables::finishedOrder_isFinishedOnce()
{
    const KeyRecord record = claim(1, "cart-a");
    inBatch([&] { QVERIFY(m_shop->ledger().settle(ownershipOf(record), declined(), kNow)); });
    const auto row = find(SupportColumn::CartId, "cart-a").front();
    inBatch([&] {
        QVERIFY(tables().finishOrder(row, "ch_9", kNow + 1s).value());
        QVERIFY(!tables().finishOrder(row, "ch_8", kNow + 2s).value());
    });
    const auto after = find(SupportColumn::CartId, "cart-a").front();
    QVERIFY(after.order == OrderStatus::Paid && after.chargeId == "ch_9");
    QVERIFY(after.state == RecordState::Failed); // what the client was told never changes
    inBatch([&] { QVERIFY(m_shop->database().change(QStringLiteral("DELETE FROM key_records"))); });
    const auto purged = find(SupportColumn::CartId, "cart-a").front();
    QVERIFY(purged.order == OrderStatus::Paid && !purged.declineCode.empty());
}

void TestSupportTables::finishedOrder_getsItsReceiptAndEndsItsTask()
{
    const KeyRecord record = claim(1, "cart-a");
    inBatch([&] {
        QVERIFY(m_shop->ledger().settle(ownershipOf(record), declined(), kNow));
        QVERIFY(m_shop->database().change(
            QStringLiteral("INSERT INTO support_tasks (account, action_id, cause, opened_at) SELECT account, action_id, "
                           "'discrepancy', 1 FROM orders")));
    });
    const auto row = find(SupportColumn::CartId, "cart-a").front();
    inBatch([&] { QVERIFY(tables().finishOrder(row, "ch_9", kNow + 1s).value()); });
    const auto mails = tables().mails(kAccount, row.id).value();
    QCOMPARE(mails.size(), std::size_t{1});
    QVERIFY(!mails.front().isResend && mails.front().kind == "receipt");
    const auto open = m_shop->database().select(QStringLiteral("SELECT count(*) FROM support_tasks WHERE closed_at IS NULL"));
    QCOMPARE(open.value().first().first().toInt(), 0);
}

void TestSupportTables::events_areToldInTheOrderTheyCame()
{
    const KeyRecord record = claim(1, "cart-a");
    const auto add = [&](const char* id, std::int64_t at) {
        const auto key = QString::fromStdString(record.bankKey->toString());
        QVERIFY(m_shop->database().change(
            QStringLiteral("INSERT INTO webhook_events (id, bank_key, transition, sequence, amount_minor, currency, said_at, "
                           "received_at, outcome) VALUES (?, ?, 'charge.succeeded', 1, 4200, 'EUR', 1, ?, 'agrees')"),
            {QString::fromLatin1(id), key, static_cast<qlonglong>(at)}));
    };
    inBatch([&] {
        add("evt_2", 20);
        add("evt_1", 10);
    });
    const auto events = tables().events(*record.bankKey).value();
    QCOMPARE(events.size(), std::size_t{2});
    QVERIFY(events.front().id == "evt_1" && events.back().outcome == "agrees");
}

void TestSupportTables::keyOfAnotherForm_isFoundAsWell()
{
    ClaimRequest asked = request(1, "cart-a");
    asked.id = values::ActionId::parseAnyForm("order 17").value();
    inBatch([&] { QVERIFY(m_shop->ledger().claim(asked, stamp(1))); });
    QCOMPARE(find(SupportColumn::ActionId, "order 17").size(), std::size_t{1});
    QVERIFY(find(SupportColumn::ActionId, "order 18").empty());
}

QTEST_GUILESS_MAIN(TestSupportTables)
#include "tst_support_tables.moc"
