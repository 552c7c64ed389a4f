// POST /reset of a real server: work that began before it writes no row after it, wherever it was.
#include "support/bank_rows.h"
#include "support/shop_customer.h"
#include "support/sqlite_file.h"

#include <QtCore/QJsonArray>
#include <QtCore/QRegularExpression>
#include <QtCore/QTemporaryDir>
#include <QtTest/QTest>

#include <algorithm>
#include <memory>

using payonce::support::chargesIn;
using payonce::support::freshKey;
using payonce::support::rowsIn;
using payonce::support::ServerProcess;
using payonce::support::ShopCustomer;
using payonce::support::text;
using payonce::support::valueIn;

namespace {

constexpr int kPatience = 30'000;

/// Rows of all these tables together.
int rowsOf(const QString& file, const QStringList& tables)
{
    int rows = 0;
    for (const auto& table : tables)
        rows += valueIn(file, QStringLiteral("SELECT count(*) FROM ") + table).toInt();
    return rows;
}

QStringList tablesOf(const QString& file, const QStringList& without)
{
    QStringList tables;
    for (const auto& row :
         rowsIn(file, QStringLiteral("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")))
        if (!without.contains(row.first().toString()))
            tables.append(row.first().toString());
    return tables;
}

} // namespace

class ResetServerTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        m_server = std::make_unique<ServerProcess>(m_dir.path());
        QVERIFY2(m_server->start(), m_server->errorText());
        m_customer = std::make_unique<ShopCustomer>(*m_server);
        const auto shop = m_dir.filePath(QStringLiteral("shop.sqlite"));
        const auto bank = m_dir.filePath(QStringLiteral("bank.sqlite"));
        // What a server keeps for ever, and what staff did.
        m_shopTables = tablesOf(shop, {QStringLiteral("meta"), QStringLiteral("counters"), QStringLiteral("support_audit")});
        m_bankTables = tablesOf(bank, {QStringLiteral("meta")});
        QVERIFY(m_shopTables.contains(QStringLiteral("key_records")) && m_bankTables.contains(QStringLiteral("charges")));
    }
    void init()
    {
        QTest::failOnWarning(QRegularExpression(QStringLiteral(".*")));
        QCOMPARE(m_customer->control("DELETE", "/scenario").status, 204);
        QCOMPARE(m_customer->control("POST", "/reset").status, 204);
    }

    void workStoppedAtAPoint_writesNothingAfterTheReset_data();
    void workStoppedAtAPoint_writesNothingAfterTheReset();
    void workUnderWay_writesNothingAfterTheReset();
    void bankThatIsInsideItsTransaction_isEmptyAfterTheReset();
    void eventsOfTheBank_doNotReachTheNextTest();
    void answerOnItsWay_endsWithTheReset_data();
    void answerOnItsWay_endsWithTheReset();
    void everyReset_isOneEpoch();
    void steppedClock_isRightAgainAfterTheReset();

private:
    /// Twice, with time between: what comes late has come by then. Shop and bank answer in the order in which they were asked.
    void nothingIsThere()
    {
        const QByteArray longerThanADelay = "{\"advance_ms\":200}";
        for (int i = 0; i < 2; ++i) {
            QCOMPARE(rowsOf(m_dir.filePath(QStringLiteral("bank.sqlite")), m_bankTables), 0);
            QCOMPARE(rowsOf(m_dir.filePath(QStringLiteral("shop.sqlite")), m_shopTables), 0);
            QCOMPARE(m_customer->control("POST", "/clock", longerThanADelay).status, 200);
            QCOMPARE(m_customer->control("GET", "/ledger").status, 200);
            QCOMPARE(m_customer->statusOf(supportRequest()), 200);
        }
        const auto journal = m_customer->control("GET", "/journal");
        const auto rows = journal.json().value(QLatin1String("rows")).toArray();
        QVERIFY2(std::all_of(rows.begin(), rows.end(),
                             [](const QJsonValue& row) { return row[QLatin1String("op")] == QLatin1String("support"); }),
                 journal.body);
    }
    /// Of a charge, which the bank looks for behind all that it was asked before.
    [[nodiscard]] QByteArray supportRequest() const
    {
        return payonce::support::httpRequest("GET", "/v1/support/actions?q=ch_none",
                                             payonce::support::bearer(m_server->token(QStringLiteral("support"))));
    }
    [[nodiscard]] bool addRule(const QByteArray& rule) const
    {
        return m_customer->control("POST", "/rules", rule).status == 201;
    }

    QTemporaryDir m_dir;
    std::unique_ptr<ServerProcess> m_server;
    std::unique_ptr<ShopCustomer> m_customer;
    QStringList m_shopTables;
    QStringList m_bankTables;
};

void ResetServerTest::workStoppedAtAPoint_writesNothingAfterTheReset_data()
{
    QTest::addColumn<QByteArray>("rule");
    QTest::addColumn<QByteArray>("point");
    for (const char* point :
         {"head", "received", "key.looked_up", "key.claimed", "bank.before", "bank.inside", "bank.committed", "bank.answered",
          "result.saved", "reply.built", "webhook.received", "webhook.applied", "outbox.before", "outbox.sent"}) {
        const QByteArray name(point);
        QTest::newRow(point) << QByteArray(R"({"id":"r","at":")" + name + R"(","do":{"pause":{}}})") << name;
    }
    const QByteArray delayed = R"({"id":"r","at":"bank.committed","do":{"delay":{"ms":150}}})";
    QTest::newRow("delayed") << delayed << QByteArray("bank.committed");
}

void ResetServerTest::workStoppedAtAPoint_writesNothingAfterTheReset()
{
    QFETCH(QByteArray, rule);
    QFETCH(QByteArray, point);
    const auto request = m_customer->payRequest(freshKey(), m_customer->tokenise());
    QVERIFY(addRule(rule));
    const auto reached = m_customer->beginControl("GET", "/journal?wait=20&until=" + point);
    const auto call = m_customer->begin(request);
    QTRY_VERIFY_WITH_TIMEOUT(reached->isFinished(), kPatience);
    const QByteArray atPoint = R"("point":")" + point;
    QVERIFY(reached->answer()->body.contains(atPoint));
    QCOMPARE(m_customer->control("DELETE", "/scenario").status, 204);
    QCOMPARE(m_customer->control("POST", "/reset").status, 204);
    nothingIsThere();
    QTRY_VERIFY_WITH_TIMEOUT(call->isFinished(), kPatience);
    // The next test's payment is its own
    QCOMPARE(m_customer->statusOf(m_customer->payRequest(freshKey(), m_customer->tokenise())), 201);
    QCOMPARE(chargesIn(m_dir.path()), 1);
}

void ResetServerTest::workUnderWay_writesNothingAfterTheReset()
{
    for (int round = 0; round < 5; ++round) {
        std::vector<std::unique_ptr<payonce::support::HttpCall>> calls;
        const auto method = m_customer->tokenise();
        for (int i = 0; i < 20; ++i)
            calls.push_back(
                m_customer->begin(m_customer->payRequest(freshKey(), method, "cart-" + QByteArray::number(i + 10))));
        QTRY_VERIFY_WITH_TIMEOUT(chargesIn(m_dir.path()) > 0, kPatience); // some are half way, some are not there yet
        for (const auto& call : calls)
            call->leave();
        // What the server has not read yet is a request of the next test; all of it is read once this is answered.
        QCOMPARE(m_customer->statusOf(m_customer->getRequest("/v1/policy")), 200);
        QCOMPARE(m_customer->control("POST", "/reset").status, 204);
        nothingIsThere();
    }
}

void ResetServerTest::bankThatIsInsideItsTransaction_isEmptyAfterTheReset()
{
    const auto request = m_customer->payRequest(freshKey(), m_customer->tokenise());
    const QByteArray pause = R"({"id":"r","match":{"op":"pay"},"at":"bank.inside","do":{"pause":{}}})";
    const QByteArray order = R"({"point":"bank.inside"})";
    QVERIFY(addRule(pause));
    const auto call = m_customer->begin(request);
    QCOMPARE(m_customer->control("POST", "/await", order).status, 200);
    QCOMPARE(m_customer->control("DELETE", "/scenario").status, 204);
    QCOMPARE(m_customer->control("POST", "/reset").status, 204); // and it does not wait for a release
    nothingIsThere();
}

void ResetServerTest::eventsOfTheBank_doNotReachTheNextTest()
{
    for (int round = 0; round < 8; ++round) {
        QCOMPARE(m_customer->statusOf(m_customer->payRequest(freshKey(), m_customer->tokenise())), 201);
        // The event is on its way, has arrived, or has not left yet.
        const QByteArray event = "\"op\":\"webhook\"";
        if (round % 2 == 0)
            QTRY_VERIFY_WITH_TIMEOUT(m_customer->control("GET", "/journal").body.contains(event), kPatience);
        QCOMPARE(m_customer->control("POST", "/reset").status, 204);
        QCOMPARE(rowsOf(m_dir.filePath(QStringLiteral("shop.sqlite")), m_shopTables), 0);
    }
    nothingIsThere();
}

void ResetServerTest::answerOnItsWay_endsWithTheReset_data()
{
    QTest::addColumn<QByteArray>("rule");
    QTest::newRow("head") << QByteArray(R"({"id":"r","at":"reply.head@5","do":{"delay":{"ms":600000}}})");
    QTest::newRow("body") << QByteArray(R"({"id":"r","at":"reply.body@5","do":{"delay":{"ms":600000}}})");
    QTest::newRow("drip") << QByteArray(R"({"id":"r","at":"reply.built","do":{"drip":{"n":1,"ms":200}}})");
}

void ResetServerTest::answerOnItsWay_endsWithTheReset()
{
    QFETCH(QByteArray, rule);
    const auto request = m_customer->payRequest(freshKey(), m_customer->tokenise());
    QVERIFY(addRule(rule));
    const auto call = m_customer->begin(request);
    QTRY_VERIFY_WITH_TIMEOUT(!call->received().isEmpty(), kPatience);
    QCOMPARE(m_customer->control("POST", "/reset").status, 204);
    QTRY_VERIFY_WITH_TIMEOUT(call->isFinished(), kPatience);
    QVERIFY(!call->answer());
    QCOMPARE(m_customer->control("DELETE", "/rules/r").status, 204);
}

void ResetServerTest::everyReset_isOneEpoch()
{
    const auto epoch = [this] { return m_customer->control("GET", "/journal").json().value(QLatin1String("epoch")).toInt(); };
    const int before = epoch();
    QCOMPARE(m_customer->control("POST", "/reset").status, 204);
    QCOMPARE(epoch(), before + 1);
}

void ResetServerTest::steppedClock_isRightAgainAfterTheReset()
{
    const auto now = [this] { return text(*m_customer->ask(m_customer->getRequest("/v1/policy")), "time"); };
    const QString before = now();
    QVERIFY(addRule(R"({"id":"r","match":{"op":"cart"},"at":"received","do":{"clock_step":{"ms":-86400000}}})"));
    QCOMPARE(m_customer->statusOf(m_customer->getRequest("/v1/cart")), 200);
    QVERIFY(now() < before); // RFC 3339 in one form sorts as time does
    QCOMPARE(m_customer->control("POST", "/reset").status, 204);
    QVERIFY(now() >= before);
    QCOMPARE(m_customer->statusOf(m_customer->payRequest(freshKey(), m_customer->tokenise())), 201);
}

QTEST_GUILESS_MAIN(ResetServerTest)
#include "tst_reset_server.moc"
