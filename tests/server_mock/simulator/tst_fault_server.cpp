// Faults in the bank, the store, the port and the clock of a real server.
#include "server_mock/http/raw_peer.h"
#include "support/bank_rows.h"
#include "support/scenario_file.h"
#include "support/shop_customer.h"

#include <QtCore/QDateTime>
#include <QtCore/QElapsedTimer>
#include <QtCore/QJsonArray>
#include <QtCore/QRegularExpression>
#include <QtCore/QTemporaryDir>
#include <QtTest/QTest>

#include <memory>

using payonce::support::answerOf;
using payonce::support::chargesIn;
using payonce::support::freshKey;
using payonce::support::scenarioFile;
using payonce::support::ServerProcess;
using payonce::support::ShopCustomer;
using payonce::support::text;
using payonce::tests::RawPeer;

namespace {

constexpr int kPatience = 30'000;
constexpr auto kStoreFail = R"({"store_fail":{}})";
constexpr auto kRefuse = R"({"refuse":{"ms":400}})";
constexpr auto kDayBack = R"({"clock_step":{"ms":-86400000}})";
constexpr auto kForget = R"({"forget":{}})";
constexpr auto kDouble = R"({"double":{}})";
constexpr auto kElevenSeconds = R"({"advance_ms":11000})";
constexpr auto kTwoStaleReads = R"({"id":"r1","match":{"op":"status"},"at":"reply.built","do":{"stale":{"k":2}}})";
constexpr auto kAtHead = "\"point\":\"head\"";
constexpr auto kAtKey = "\"point\":\"key.";

QByteArray rule(const QByteArray& op, const QByteArray& at, const QByteArray& action, const QByteArray& nth = "1")
{
    return R"({"id":"r1","match":{"op":")" + op + R"(","nth":)" + nth + R"(},"at":")" + at + R"(","do":)" + action +
           R"(,"times":1})";
}

QByteArray rules(const QByteArray& one)
{
    return R"("rules":[)" + one + ']';
}

} // namespace

class FaultServerTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();

    void crashInsideTheBank_rollsTheChargeBack();
    void crashInsideAReply_comesAfterItsBytes();
    void bankThatCannotSave_isAskedAgain();
    void shopThatCannotClaim_neverAsksTheBank();
    void shopThatCannotSettle_leavesItToTheReconciler_data();
    void shopThatCannotSettle_leavesItToTheReconciler();
    void mailThatCannotBeMarked_arrivesOnce();
    void refusedPort_isOpenAgainInTime();
    void steppedClock_movesWallTimeAloneAndIsNoticed();
    void forgottenRecord_isAnsweredFromItsOrder();
    void staleLookUp_isOverAfterItsReads();
    void lateFlush_isADoubledAnswer();
    void withoutAScenario_noPointIsWatched();

private:
    void start(const QByteArray& scenario = {});
    [[nodiscard]] int look(const QByteArray& key) const { return m_customer->statusOf(m_customer->lookRequest(key)); }
    [[nodiscard]] QString state(const QByteArray& key) const
    {
        const auto answer = m_customer->ask(m_customer->lookRequest(key, {}, {{"Prefer", "wait=5"}}));
        return answer ? text(*answer, "state") : QString();
    }
    [[nodiscard]] QByteArray serverTime() const
    {
        const auto policy = m_customer->ask(m_customer->getRequest("/v1/policy"));
        return policy ? text(*policy, "time").toLatin1() : QByteArray();
    }

    std::unique_ptr<QTemporaryDir> m_dir;
    std::unique_ptr<ServerProcess> m_server;
    std::unique_ptr<ShopCustomer> m_customer;
};

void FaultServerTest::init()
{
    QTest::failOnWarning(QRegularExpression(QStringLiteral(".*")));
    m_server.reset();
    m_dir = std::make_unique<QTemporaryDir>();
}

/// With a scenario file, so that its counts outlive the server.
void FaultServerTest::start(const QByteArray& scenario)
{
    QStringList arguments;
    if (!scenario.isEmpty())
        arguments = {QStringLiteral("--scenario"), scenarioFile(*m_dir, rules(scenario))};
    m_server = std::make_unique<ServerProcess>(m_dir->path(), arguments);
    QVERIFY2(m_server->start(), m_server->errorText());
    m_customer = std::make_unique<ShopCustomer>(*m_server);
}

void FaultServerTest::crashInsideTheBank_rollsTheChargeBack()
{
    start(rule("pay", "bank.inside", R"({"crash":{}})"));
    const auto key = freshKey();
    const auto request = m_customer->payRequest(key, m_customer->tokenise());
    QCOMPARE(m_customer->statusOf(request), 0);
    QVERIFY(m_server->waitForEnd());
    QCOMPARE(chargesIn(m_dir->path()), 0); // the row was written, and never committed
    QVERIFY2(m_server->start(), m_server->errorText());
    QTRY_COMPARE_WITH_TIMEOUT(state(key), QStringLiteral("succeeded"), kPatience);
    QCOMPARE(chargesIn(m_dir->path()), 1);
    QCOMPARE(m_customer->statusOf(request), 201);
    QCOMPARE(chargesIn(m_dir->path()), 1);
}

void FaultServerTest::crashInsideAReply_comesAfterItsBytes()
{
    start(rule("pay", "reply.body@9", R"({"crash":{}})"));
    const auto key = freshKey();
    const auto request = m_customer->payRequest(key, m_customer->tokenise());
    RawPeer peer(m_customer->port());
    peer.send(request);
    QVERIFY(m_server->waitForEnd());
    QTRY_VERIFY(peer.received().endsWith("\r\n\r\n{\"action_"));
    QVERIFY2(m_server->start(), m_server->errorText());
    QCOMPARE(m_customer->statusOf(request), 201);
    QCOMPARE(chargesIn(m_dir->path()), 1);
}

void FaultServerTest::bankThatCannotSave_isAskedAgain()
{
    start();
    QVERIFY(m_customer->load(rules(rule("pay", "bank.inside", kStoreFail))));
    const auto key = freshKey();
    const auto first = m_customer->ask(m_customer->payRequest(key, m_customer->tokenise()));
    QVERIFY(first);
    QCOMPARE(first->status, 409);
    QCOMPARE(text(*first, "code"), QStringLiteral("outcome-unknown"));
    QTRY_COMPARE_WITH_TIMEOUT(state(key), QStringLiteral("succeeded"), kPatience);
    QCOMPARE(chargesIn(m_dir->path()), 1);
}

void FaultServerTest::shopThatCannotClaim_neverAsksTheBank()
{
    start();
    QVERIFY(m_customer->load(rules(rule("pay", "received", kStoreFail))));
    const auto key = freshKey();
    const auto request = m_customer->payRequest(key, m_customer->tokenise());
    const auto first = m_customer->ask(request);
    QVERIFY(first);
    QCOMPARE(first->status, 503);
    QCOMPARE(text(*first, "code"), QStringLiteral("store-unavailable"));
    QCOMPARE(look(key), 404);
    QCOMPARE(chargesIn(m_dir->path()), 0);
    QCOMPARE(m_customer->statusOf(request), 201);
    QCOMPARE(chargesIn(m_dir->path()), 1);
}

void FaultServerTest::shopThatCannotSettle_leavesItToTheReconciler_data()
{
    QTest::addColumn<QByteArray>("point");
    QTest::newRow("committed") << QByteArray("bank.committed");
    QTest::newRow("answered") << QByteArray("bank.answered");
}

void FaultServerTest::shopThatCannotSettle_leavesItToTheReconciler()
{
    QFETCH(QByteArray, point);
    start();
    QVERIFY(m_customer->load(rules(rule("pay", point, kStoreFail))));
    const auto key = freshKey();
    QCOMPARE(m_customer->statusOf(m_customer->payRequest(key, m_customer->tokenise())), 409);
    QCOMPARE(chargesIn(m_dir->path()), 1);
    QTRY_COMPARE_WITH_TIMEOUT(state(key), QStringLiteral("succeeded"), kPatience);
    QCOMPARE(chargesIn(m_dir->path()), 1);
}

void FaultServerTest::mailThatCannotBeMarked_arrivesOnce()
{
    start();
    QVERIFY(m_customer->load(rules(rule("mail", "outbox.sent", kStoreFail))));
    QCOMPARE(m_customer->statusOf(m_customer->payRequest(freshKey(), m_customer->tokenise())), 201);
    const auto mails = [this] {
        const auto ledger = m_customer->control("GET", "/ledger");
        return ledger.json().value(QLatin1String("mails")).toArray().size();
    };
    QTRY_COMPARE_WITH_TIMEOUT(mails(), 1, kPatience);
    // The mark was lost: after its lease the mail is sent once more, and the mail system has it already.
    const auto seen = m_customer->control("GET", "/snapshot").json().value(QLatin1String("last_seq")).toInteger();
    const auto second = m_customer->beginControl("GET", "/journal?wait=20&until=outbox.sent&after=" + QByteArray::number(seen));
    QCOMPARE(m_customer->control("GET", "/points").status, 200); // it waits by now
    QCOMPARE(m_customer->control("POST", "/clock", kElevenSeconds).status, 200);
    QVERIFY(answerOf(*second).body.contains("outbox.sent"));
    QCOMPARE(mails(), 1);
}

void FaultServerTest::refusedPort_isOpenAgainInTime()
{
    start();
    QVERIFY(m_customer->load(rules(rule("tokenise", "reply.flushed", kRefuse))));
    QElapsedTimer watch;
    watch.start();
    QVERIFY(!m_customer->tokenise().isEmpty());
    QTRY_VERIFY(!RawPeer(m_customer->port()).isConnected()); // ECONNREFUSED
    QTRY_VERIFY_WITH_TIMEOUT(RawPeer(m_customer->port()).isConnected(), kPatience);
    QVERIFY(watch.elapsed() >= 400);
    QCOMPARE(m_customer->statusOf(m_customer->payRequest(freshKey(), m_customer->tokenise())), 201);
}

void FaultServerTest::steppedClock_movesWallTimeAloneAndIsNoticed()
{
    start();
    QVERIFY(m_customer->load(rules(rule("cart", "received", kDayBack))));
    const auto before = QDateTime::fromString(QString::fromLatin1(serverTime()), Qt::ISODateWithMs);
    QCOMPARE(m_customer->statusOf(m_customer->getRequest("/v1/cart")), 200);
    const auto after = QDateTime::fromString(QString::fromLatin1(serverTime()), Qt::ISODateWithMs);
    QVERIFY(before.isValid() && after.isValid());
    const auto moved = before.secsTo(after);
    QVERIFY2(moved >= -86'400 && moved < -86'300, qPrintable(QString::number(moved)));
    QTRY_VERIFY(m_customer->ask(m_customer->getRequest("/healthz"))->body.contains("clock-suspect"));
}

void FaultServerTest::forgottenRecord_isAnsweredFromItsOrder()
{
    start();
    QVERIFY(m_customer->load(rules(rule("pay", "received", kForget, "2"))));
    const auto key = freshKey();
    const auto request = m_customer->payRequest(key, m_customer->tokenise());
    const auto first = m_customer->ask(request);
    QVERIFY(first && first->status == 201);
    const auto again = m_customer->ask(request);
    QVERIFY(again);
    QCOMPARE(again->status, 201);
    QCOMPARE(again->header("Idempotent-Replayed"), QByteArray("true"));
    QCOMPARE(text(*again, "action_id").toLatin1(), key);
    QCOMPARE(chargesIn(m_dir->path()), 1);
    QCOMPARE(look(key), 410); // nobody says of what kind it is, and the record is gone
    QCOMPARE(m_customer->statusOf(m_customer->lookRequest(key, "?kind=payment")), 200);
    // A key made later is a new action as ever
    QCOMPARE(m_customer->statusOf(m_customer->payRequest(freshKey(), m_customer->tokenise(), "cart-2")), 201);
}

void FaultServerTest::staleLookUp_isOverAfterItsReads()
{
    start();
    QVERIFY(m_customer->load(rules(kTwoStaleReads)));
    const auto key = freshKey();
    QCOMPARE(m_customer->statusOf(m_customer->payRequest(key, m_customer->tokenise())), 201);
    QCOMPARE(look(key), 404);
    QCOMPARE(look(key), 404);
    QCOMPARE(look(key), 200);
}

void FaultServerTest::lateFlush_isADoubledAnswer()
{
    start();
    QVERIFY(m_customer->load(rules(rule("cart", "reply.flushed", kDouble))));
    RawPeer peer(m_customer->port());
    peer.send(m_customer->getRequest("/v1/cart"));
    QTRY_COMPARE(peer.ending(), RawPeer::Ending::Fin);
    const auto& all = peer.received();
    QCOMPARE(all.size() % 2, 0);
    QCOMPARE(all.first(all.size() / 2), all.sliced(all.size() / 2));
    QVERIFY(all.startsWith("HTTP/1.1 200 "));
}

void FaultServerTest::withoutAScenario_noPointIsWatched()
{
    start();
    QCOMPARE(m_customer->statusOf(m_customer->payRequest(freshKey(), m_customer->tokenise())), 201);
    const auto journal = m_customer->control("GET", "/journal");
    QVERIFY(!journal.body.contains(kAtHead) && !journal.body.contains(kAtKey));
}

QTEST_GUILESS_MAIN(FaultServerTest)
#include "tst_fault_server.moc"
