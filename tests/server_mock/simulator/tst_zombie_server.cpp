// Requests that land late or twice, on a real server: the fence and the key decide, and never two charges.
#include "server_mock/http/raw_peer.h"
#include "support/bank_rows.h"
#include "support/shop_customer.h"

#include <QtCore/QJsonArray>
#include <QtCore/QRegularExpression>
#include <QtCore/QTemporaryDir>
#include <QtTest/QTest>

#include <memory>

using payonce::support::chargesIn;
using payonce::support::freshKey;
using payonce::support::ServerProcess;
using payonce::support::ShopCustomer;
using payonce::support::text;
using payonce::tests::RawPeer;

namespace {

constexpr int kPatience = 30'000;

QByteArray ruleOnPay(const QByteArray& action)
{
    return R"("rules":[{"id":"r1","match":{"op":"pay","nth":1},"at":"received","do":)" + action + R"(,"times":1}])";
}

} // namespace

class ZombieServerTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        m_server = std::make_unique<ServerProcess>(m_dir.path());
        QVERIFY2(m_server->start(), m_server->errorText());
        m_customer = std::make_unique<ShopCustomer>(*m_server);
    }
    void init()
    {
        QTest::failOnWarning(QRegularExpression(QStringLiteral(".*")));
        QCOMPARE(m_customer->control("DELETE", "/scenario").status, 204);
        QCOMPARE(m_customer->control("POST", "/reset").status, 204);
        m_key = freshKey();
        m_request = m_customer->payRequest(m_key, m_customer->tokenise());
    }

    void lateRequest_landsAfterItWasSaidToBeUnknown_data();
    void lateRequest_landsAfterItWasSaidToBeUnknown();
    void lateRequestOfAFencedAction_chargesNothing();
    void lateRequestAndItsCopy_chargeOnce();
    void requestDeliveredTwice_chargesOnceAndIsSeenTwice_data();
    void requestDeliveredTwice_chargesOnceAndIsSeenTwice();
    void swappedAnswer_namesAnotherActionThanTheLedger();

private:
    [[nodiscard]] int look() const { return m_customer->statusOf(m_customer->lookRequest(m_key)); }
    /// What is held until then is processed now, before anything that comes later.
    void land()
    {
        const QByteArray time = "{\"advance_ms\":60000}";
        QCOMPARE(m_customer->control("POST", "/clock", time).status, 200);
    }
    [[nodiscard]] qsizetype arrivals() const
    {
        const auto journal = m_customer->control("GET", "/journal?action=" + m_key);
        qsizetype posts = 0;
        for (const auto row : journal.json().value(QLatin1String("rows")).toArray())
            if (row.toObject().value(QLatin1String("op")) == QLatin1String("pay"))
                ++posts;
        return posts;
    }

    QTemporaryDir m_dir;
    std::unique_ptr<ServerProcess> m_server;
    std::unique_ptr<ShopCustomer> m_customer;
    QByteArray m_key;
    QByteArray m_request;
};

void ZombieServerTest::lateRequest_landsAfterItWasSaidToBeUnknown_data()
{
    QTest::addColumn<QByteArray>("end");
    QTest::addColumn<int>("ending");
    QTest::newRow("hang") << QByteArray("hang") << int(RawPeer::Ending::Open);
    QTest::newRow("fin") << QByteArray("fin") << int(RawPeer::Ending::Fin);
    QTest::newRow("rst") << QByteArray("rst") << int(RawPeer::Ending::Reset);
}

void ZombieServerTest::lateRequest_landsAfterItWasSaidToBeUnknown()
{
    QFETCH(QByteArray, end);
    QFETCH(int, ending);
    QVERIFY(m_customer->load(ruleOnPay(R"({"hold_then_process":{"ms":60000,"end":")" + end + R"("}})")));
    RawPeer peer(m_customer->port());
    peer.send(m_request);
    QTRY_COMPARE(arrivals(), qsizetype(1));
    QCOMPARE(look(), 404);
    QCOMPARE(chargesIn(m_dir.path()), 0);
    land();
    QTRY_COMPARE_WITH_TIMEOUT(chargesIn(m_dir.path()), 1, kPatience);
    QTRY_COMPARE(look(), 200);
    QCOMPARE(int(peer.ending()), ending);
    QVERIFY(peer.received().isEmpty());
    QCOMPARE(arrivals(), qsizetype(1)); // sent once
}

void ZombieServerTest::lateRequestOfAFencedAction_chargesNothing()
{
    QVERIFY(m_customer->load(ruleOnPay(R"({"hold_then_process":{"ms":60000,"end":"rst"}})")));
    QCOMPARE(m_customer->statusOf(m_request), 0);
    QCOMPARE(m_customer->statusOf(m_customer->abandonRequest(m_key)), 200);
    land();
    QCOMPARE(m_customer->statusOf(m_request), 410);
    QCOMPARE(chargesIn(m_dir.path()), 0);
    const auto verdict = m_customer->control("GET", "/verdict");
    QCOMPARE(text(verdict, "code"), QStringLiteral("not_charged"));
}

void ZombieServerTest::lateRequestAndItsCopy_chargeOnce()
{
    QVERIFY(m_customer->load(ruleOnPay(R"({"hold_then_process":{"ms":60000,"end":"fin"}})")));
    QCOMPARE(m_customer->statusOf(m_request), 0);
    QCOMPARE(m_customer->statusOf(m_request), 201); // before the first one lands
    land();
    QCOMPARE(m_customer->statusOf(m_request), 201);
    QCOMPARE(chargesIn(m_dir.path()), 1);
}

void ZombieServerTest::requestDeliveredTwice_chargesOnceAndIsSeenTwice_data()
{
    QTest::addColumn<QByteArray>("after");
    QTest::newRow("at once") << QByteArray("0");
    QTest::newRow("later") << QByteArray("60");
}

void ZombieServerTest::requestDeliveredTwice_chargesOnceAndIsSeenTwice()
{
    QFETCH(QByteArray, after);
    QVERIFY(m_customer->load(ruleOnPay(R"({"process_twice":{"ms":)" + after + "}}")));
    const auto answer = m_customer->ask(m_request);
    QVERIFY(answer);
    QCOMPARE(answer->status, 201);
    QTRY_COMPARE_WITH_TIMEOUT(arrivals(), qsizetype(2), kPatience);
    QCOMPARE(m_customer->statusOf(m_request), 201);
    QCOMPARE(arrivals(), qsizetype(3)); // the copy was not copied
    QCOMPARE(chargesIn(m_dir.path()), 1);
}

void ZombieServerTest::swappedAnswer_namesAnotherActionThanTheLedger()
{
    QVERIFY(m_customer->load(
        R"("rules":[{"id":"r1","match":{"op":"pay","nth":2},"at":"reply.built","do":{"swap":{}},"times":1}])"));
    QCOMPARE(text(*m_customer->ask(m_request), "action_id").toLatin1(), m_key);
    const auto other = freshKey();
    const auto otherRequest = m_customer->payRequest(other, m_customer->tokenise(), "cart-2");
    QCOMPARE(text(*m_customer->ask(otherRequest), "action_id").toLatin1(), other);
    const auto swapped = m_customer->ask(m_request);
    QVERIFY(swapped);
    QCOMPARE(swapped->status, 201);
    QCOMPARE(text(*swapped, "action_id").toLatin1(), other); // whole, and its digest right
    QCOMPARE(chargesIn(m_dir.path()), 2);
}

QTEST_GUILESS_MAIN(ZombieServerTest)
#include "tst_zombie_server.moc"
