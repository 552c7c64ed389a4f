// The control API of a real server: pauses that are awaited and released, clocks that move, rules by hand, a journal that
// waits.
#include "protocol/http_date.h"
#include "support/bank_rows.h"
#include "support/fresh_id.h"
#include "support/shop_customer.h"

#include <QtCore/QElapsedTimer>
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

namespace {

constexpr int kPatience = 30'000;

QByteArray pauseAt(const QByteArray& point)
{
    return R"({"id":"p","match":{"op":"pay"},"at":")" + point + R"(","do":{"pause":{}}})";
}

} // namespace

class ControlServerTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { start(); }
    void init()
    {
        QTest::failOnWarning(QRegularExpression(QStringLiteral(".*")));
        QCOMPARE(status("DELETE", "/scenario"), 204);
        QCOMPARE(status("POST", "/reset"), 204);
        m_key = freshKey();
        m_request = m_customer->payRequest(m_key, m_customer->tokenise());
    }

    void pausedWork_isAwaitedAndReleased_data();
    void pausedWork_isAwaitedAndReleased();
    void pauseInsideTheBank_keepsNobodyFromLooking_data();
    void pauseInsideTheBank_keepsNobodyFromLooking();
    void await_waitsForWhatComesLater();
    void await_takesOnlyWhatFits();
    void await_givesUpInItsTime();
    void badOrder_isRefused_data();
    void badOrder_isRefused();
    void advancedClock_endsWaitsAndLeases();
    void advancedClock_endsABankCall();
    void advancedClock_endsARulesDelay();
    void advancedClock_purgesWhatIsOlderThanItsRetention();
    void ruleByHand_firesAndIsCounted();
    void badRuleByHand_isRefusedWithItsPlace();
    void ruleThatNeverFired_failsTheVerdict();
    void ruleOfTheClient_isNotCountedHere();
    void journal_waitsUntilAPoint();
    void snapshot_showsEverything();

private:
    /// A new server without rows.
    void start()
    {
        m_customer.reset();
        m_server.reset();
        m_dir = std::make_unique<QTemporaryDir>();
        m_server = std::make_unique<ServerProcess>(m_dir->path());
        QVERIFY2(m_server->start(), m_server->errorText());
        m_customer = std::make_unique<ShopCustomer>(*m_server);
    }
    [[nodiscard]] int status(const QByteArray& method, const QByteArray& path, const QByteArray& body = {}) const
    {
        return m_customer->control(method, path, body).status;
    }
    [[nodiscard]] QByteArray awaitToken(const QByteArray& order) const
    {
        const auto answer = m_customer->control("POST", "/await", order);
        return answer.status == 200 ? text(answer, "token").toLatin1() : QByteArray();
    }
    [[nodiscard]] int release(const QByteArray& token) const
    {
        return status("POST", "/release", R"({"token":")" + token + R"("})");
    }
    [[nodiscard]] int advance(const QByteArray& time) const
    {
        return status("POST", "/clock", R"({"advance_ms":)" + time + "}");
    }
    [[nodiscard]] QString stateNow() const
    {
        const auto answer = m_customer->ask(m_customer->lookRequest(m_key, "?kind=payment"));
        return answer ? text(*answer, "state") : QString();
    }

    std::unique_ptr<QTemporaryDir> m_dir;
    std::unique_ptr<ServerProcess> m_server;
    std::unique_ptr<ShopCustomer> m_customer;
    QByteArray m_key;
    QByteArray m_request;
};

void ControlServerTest::pausedWork_isAwaitedAndReleased_data()
{
    QTest::addColumn<QByteArray>("point");
    QTest::addColumn<int>("charges");
    for (const char* before : {"head", "received", "key.looked_up", "key.claimed", "bank.before", "bank.inside"})
        QTest::newRow(before) << QByteArray(before) << 0;
    for (const char* after : {"bank.committed", "bank.answered", "result.saved", "reply.built"})
        QTest::newRow(after) << QByteArray(after) << 1;
}

void ControlServerTest::pausedWork_isAwaitedAndReleased()
{
    QFETCH(QByteArray, point);
    QFETCH(int, charges);
    QCOMPARE(status("POST", "/rules", pauseAt(point)), 201);
    const auto call = m_customer->begin(m_request);
    const auto token = awaitToken(R"({"point":")" + point + R"(","action":")" + m_key + R"(","nth":1})");
    QVERIFY(!token.isEmpty());
    QCOMPARE(chargesIn(m_dir->path()), charges);
    QVERIFY(!call->isFinished());
    QCOMPARE(release(token), 204);
    QTRY_VERIFY_WITH_TIMEOUT(call->isFinished(), kPatience);
    QVERIFY(call->answer());
    QCOMPARE(call->answer()->status, 201);
    QCOMPARE(chargesIn(m_dir->path()), 1);
    QCOMPARE(release(token), 404);
}

void ControlServerTest::pauseInsideTheBank_keepsNobodyFromLooking_data()
{
    QTest::addColumn<QByteArray>("path");
    for (const char* path : {"/ledger", "/verdict", "/snapshot"})
        QTest::newRow(path) << QByteArray(path);
}

void ControlServerTest::pauseInsideTheBank_keepsNobodyFromLooking()
{
    QFETCH(QByteArray, path);
    QCOMPARE(status("POST", "/rules", pauseAt("bank.inside")), 201);
    const auto call = m_customer->begin(m_request);
    const auto token = awaitToken(R"({"point":"bank.inside"})");
    QVERIFY(!token.isEmpty());
    const auto before = m_customer->control("GET", path);
    QCOMPARE(before.status, 200);
    QVERIFY(before.body.contains(m_key));
    QVERIFY(!before.body.contains("ch_")); // what is not committed is no charge
    QVERIFY(!call->isFinished());
    QCOMPARE(release(token), 204);
    QTRY_VERIFY_WITH_TIMEOUT(call->isFinished(), kPatience);
    QVERIFY(m_customer->control("GET", path).body.contains("ch_"));
}

void ControlServerTest::await_waitsForWhatComesLater()
{
    QCOMPARE(status("POST", "/rules", pauseAt("bank.committed")), 201);
    const auto waiting = m_customer->beginControl("POST", "/await", R"({"point":"bank.committed"})");
    QCOMPARE(status("GET", "/points"), 200); // came later, and is answered
    QVERIFY(!waiting->isFinished());
    const auto call = m_customer->begin(m_request);
    QTRY_VERIFY_WITH_TIMEOUT(waiting->isFinished(), kPatience);
    QCOMPARE(release(text(*waiting->answer(), "token").toLatin1()), 204);
    QTRY_VERIFY_WITH_TIMEOUT(call->isFinished(), kPatience);
    QCOMPARE(call->answer()->status, 201);
}

void ControlServerTest::await_takesOnlyWhatFits()
{
    QCOMPARE(status("POST", "/rules", pauseAt("received")), 201);
    const auto call = m_customer->begin(m_request);
    QVERIFY(awaitToken(R"({"point":"received","nth":2,"timeout_ms":50})").isEmpty());
    QVERIFY(awaitToken(R"({"point":"bank.before","timeout_ms":0})").isEmpty());
    QVERIFY(awaitToken(R"({"point":"received","action":"other","timeout_ms":0})").isEmpty());
    const auto token = awaitToken(R"({"point":"received","nth":1})");
    QVERIFY(!token.isEmpty());
    QVERIFY(awaitToken(R"({"point":"received","timeout_ms":0})").isEmpty()); // somebody has it
    QCOMPARE(release(token), 204);
    QTRY_VERIFY_WITH_TIMEOUT(call->isFinished(), kPatience);
}

void ControlServerTest::await_givesUpInItsTime()
{
    QElapsedTimer watch;
    watch.start();
    QCOMPARE(status("POST", "/await", R"({"point":"received","timeout_ms":60})"), 408);
    QVERIFY(watch.elapsed() >= 60);
}

void ControlServerTest::badOrder_isRefused_data()
{
    QTest::addColumn<QByteArray>("path");
    QTest::addColumn<QByteArray>("body");
    const auto add = [](const char* name, const char* path, const char* body) {
        QTest::newRow(name) << QByteArray(path) << QByteArray(body);
    };
    add("no JSON", "/await", "");
    add("no object", "/await", "[]");
    add("no point", "/await", "{}");
    add("unknown point", "/await", R"({"point":"bank"})");
    add("point of the client", "/await", R"({"point":"sent"})");
    add("place that is no number", "/await", R"({"point":"reply.body@x"})");
    add("place where there is none", "/await", R"({"point":"head@1"})");
    add("nth of none", "/await", R"({"point":"head","nth":0})");
    add("too long", "/await", R"({"point":"head","timeout_ms":25001})");
    add("more", "/await", R"({"point":"head","more":1})");
    add("action as a number", "/await", R"({"point":"head","action":1})");
    add("no token", "/release", "{}");
    add("token as a number", "/release", R"({"token":1})");
    add("token that is none", "/release", R"({"token":"7x"})");
    add("no time", "/clock", "{}");
    add("back in time", "/clock", R"({"advance_ms":-1})");
    add("too far", "/clock", R"({"advance_ms":34560000001})");
    add("half a millisecond", "/clock", R"({"advance_ms":0.5})");
    add("no rule", "/rules", "{}");
}

void ControlServerTest::badOrder_isRefused()
{
    QFETCH(QByteArray, path);
    QFETCH(QByteArray, body);
    const auto answer = m_customer->control("POST", path, body);
    QCOMPARE(answer.status, 422);
    QVERIFY(!text(answer, "detail").isEmpty());
}

void ControlServerTest::advancedClock_endsWaitsAndLeases()
{
    QCOMPARE(status("POST", "/rules", pauseAt("bank.before")), 201);
    const auto call = m_customer->begin(m_request);
    QVERIFY(!awaitToken(R"({"point":"bank.before"})").isEmpty());
    const auto waiting = m_customer->begin(m_customer->lookRequest(m_key, {}, {{"Prefer", "wait=25"}}));
    const QByteArray look = "\"op\":\"status\"";
    QTRY_VERIFY_WITH_TIMEOUT(m_customer->control("GET", "/journal?action=" + m_key).body.contains(look), kPatience);
    QVERIFY(!waiting->isFinished());
    QElapsedTimer watch;
    watch.start();
    QCOMPARE(advance("25000"), 200);
    // The wait is over, and so is the lease: the reconciler takes the record over and charges.
    QTRY_VERIFY_WITH_TIMEOUT(waiting->isFinished(), kPatience);
    QVERIFY(watch.elapsed() < 10'000);
    QTRY_COMPARE_WITH_TIMEOUT(stateNow(), QStringLiteral("succeeded"), kPatience);
    QCOMPARE(chargesIn(m_dir->path()), 1);
    call->leave();
}

void ControlServerTest::advancedClock_endsABankCall()
{
    QCOMPARE(status("POST", "/rules", pauseAt("bank.inside")), 201);
    const auto call = m_customer->begin(m_request);
    const auto token = awaitToken(R"({"point":"bank.inside"})");
    QVERIFY(!token.isEmpty());
    QCOMPARE(advance("8000"), 200);
    QTRY_VERIFY_WITH_TIMEOUT(call->isFinished(), kPatience);
    QVERIFY(call->answer());
    QCOMPARE(call->answer()->status, 409);
    QCOMPARE(text(*call->answer(), "code"), QStringLiteral("outcome-unknown"));
    QCOMPARE(release(token), 204);
    QTRY_COMPARE_WITH_TIMEOUT(stateNow(), QStringLiteral("succeeded"), kPatience);
    QCOMPARE(chargesIn(m_dir->path()), 1);
}

void ControlServerTest::advancedClock_endsARulesDelay()
{
    QCOMPARE(
        status("POST", "/rules", R"({"id":"d","match":{"op":"pay"},"at":"bank.before","do":{"delay":{"ms":10000}},"times":1})"),
        201);
    const auto call = m_customer->begin(m_request);
    QTRY_COMPARE_WITH_TIMEOUT(stateNow(), QStringLiteral("in_progress"), kPatience);
    QCOMPARE(advance("10000"), 200);
    QTRY_VERIFY_WITH_TIMEOUT(call->isFinished(), kPatience);
    QCOMPARE(call->answer()->status, 201);
}

void ControlServerTest::advancedClock_purgesWhatIsOlderThanItsRetention()
{
    QCOMPARE(m_customer->statusOf(m_request), 201);
    QCOMPARE(m_customer->statusOf(m_customer->lookRequest(m_key)), 200);
    QCOMPARE(advance("2678400000"), 200); // 31 days
    QTRY_COMPARE_WITH_TIMEOUT(m_customer->statusOf(m_customer->lookRequest(m_key)), 410, kPatience);
    QCOMPARE(stateNow(), QStringLiteral("succeeded")); // by its order
    QCOMPARE(chargesIn(m_dir->path()), 1);
    // Both clocks moved as time does: nobody is suspected of having set one,
    const auto health = m_customer->ask(m_customer->getRequest("/healthz"));
    QVERIFY(health->body.contains(R"("status":"ok")"));
    // and clients, who go by the header, are told the moved time.
    const auto now = payonce::support::wallTime();
    const auto date = payonce::protocol::fromHttpDate(health->header("Date").toStdString(), now);
    QVERIFY(date && *date > now + std::chrono::hours(24 * 30));
    // Keys of this machine's time lie below the watermark now: the rest of the tests need a server of their own.
    start();
}

void ControlServerTest::ruleByHand_firesAndIsCounted()
{
    QCOMPARE(status("POST", "/rules", R"({"id":"a","match":{"op":"pay"},"at":"received","do":{"rst":{}},"times":2})"), 201);
    QCOMPARE(m_customer->statusOf(m_request), 0);
    const auto shown = m_customer->control("GET", "/scenario");
    QVERIFY(shown.body.contains(R"("rules":[{"id":"a","hits":1,"remaining":1}])"));
    QCOMPARE(status("POST", "/rules", R"({"id":"a","at":"received","do":{"rst":{}}})"), 422);
    QCOMPARE(status("DELETE", "/rules/b"), 404);
    QCOMPARE(status("DELETE", "/rules/a"), 204);
    QCOMPARE(m_customer->statusOf(m_request), 201);
}

void ControlServerTest::badRuleByHand_isRefusedWithItsPlace()
{
    const auto answer = m_customer->control("POST", "/rules", R"({"id":"a","at":"bank.before","do":{"swap":{}}})");
    QCOMPARE(answer.status, 422);
    QCOMPARE(text(answer, "detail"), QStringLiteral("\"swap\" cannot be done at bank.before at line 1, column 30 (/do)"));
}

void ControlServerTest::ruleThatNeverFired_failsTheVerdict()
{
    QVERIFY(m_customer->load(R"("rules":[{"id":"a","match":{"op":"pay"},"at":"received","do":{"delay":{"ms":0}}},)"
                             R"({"id":"b","match":{"op":"abandon"},"at":"received","do":{"rst":{}}}])"));
    QCOMPARE(m_customer->statusOf(m_request), 201);
    auto verdict = m_customer->control("GET", "/verdict");
    QCOMPARE(verdict.json().value(QLatin1String("holds")).toBool(true), false);
    QVERIFY(verdict.body.contains(R"("unmet":["rule b never fired"])"));
    QVERIFY(verdict.body.contains(R"("rules":[{"id":"a","hits":1},{"id":"b","hits":0}])"));
    QCOMPARE(status("DELETE", "/rules/b"), 204);
    verdict = m_customer->control("GET", "/verdict");
    QCOMPARE(verdict.json().value(QLatin1String("holds")).toBool(), true);
}

void ControlServerTest::ruleOfTheClient_isNotCountedHere()
{
    QVERIFY(m_customer->load(R"("rules":[{"id":"c","match":{"op":"pay"},"at":"sent","do":{"crash":{}},"times":1}])"));
    QCOMPARE(m_customer->statusOf(m_request), 201);
    QVERIFY(m_customer->control("GET", "/scenario").body.contains(R"("rules":[{"id":"c","hits":null,"remaining":null}])"));
    const auto verdict = m_customer->control("GET", "/verdict");
    QVERIFY(verdict.body.contains(R"("rules":[{"id":"c","hits":null}])"));
    QCOMPARE(verdict.json().value(QLatin1String("holds")).toBool(), true);
}

void ControlServerTest::journal_waitsUntilAPoint()
{
    const auto waiting = m_customer->beginControl("GET", "/journal?wait=20&until=bank.committed&action=" + m_key);
    QCOMPARE(status("GET", "/points"), 200); // came later, and is answered
    QVERIFY(!waiting->isFinished());
    QCOMPARE(m_customer->statusOf(m_request), 201);
    QTRY_VERIFY_WITH_TIMEOUT(waiting->isFinished(), kPatience);
    const auto rows = waiting->answer()->json().value(QLatin1String("rows")).toArray();
    QCOMPARE(rows.size(), 2);
    QCOMPARE(rows.at(0)[QLatin1String("point")].toString(), QStringLiteral("received"));
    QCOMPARE(rows.at(1)[QLatin1String("point")].toString(), QStringLiteral("bank.committed"));
    QCOMPARE(status("GET", "/journal?until=nowhere"), 422);
}

void ControlServerTest::snapshot_showsEverything()
{
    QVERIFY(m_customer->load(R"("rules":[)" + pauseAt("bank.before") + "]"));
    const auto call = m_customer->begin(m_request);
    const auto token = awaitToken(R"({"point":"bank.before"})");
    const auto snapshot = m_customer->control("GET", "/snapshot");
    const auto json = snapshot.json();
    for (const char* member :
         {"epoch", "last_seq", "time", "paused", "delayed", "silent", "scenario", "rules", "ledger", "verdict"})
        QVERIFY2(json.contains(QLatin1String(member)), member);
    const auto paused = json.value(QLatin1String("paused"))[0].toObject();
    QCOMPARE(paused.value(QLatin1String("token")).toString().toLatin1(), token);
    QCOMPARE(paused.value(QLatin1String("point")).toString(), QStringLiteral("bank.before"));
    QCOMPARE(paused.value(QLatin1String("action_id")).toString().toLatin1(), m_key);
    QCOMPARE(json[QLatin1String("verdict")][QLatin1String("code")].toString(), QStringLiteral("unknown_being_checked"));
    QCOMPARE(json[QLatin1String("ledger")][QLatin1String("orders")].toArray().size(), 1);
    QCOMPARE(release(token), 204);
    QTRY_VERIFY_WITH_TIMEOUT(call->isFinished(), kPatience);
}

QTEST_GUILESS_MAIN(ControlServerTest)
#include "tst_control_server.moc"
