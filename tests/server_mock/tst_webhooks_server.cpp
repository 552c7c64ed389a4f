// Webhooks and mails of a real payonce-server: the bank tells by itself, faults get in the way, processes die, rows are
// counted.
#include "protocol/webhook_signature.h"
#include "support/bank_rows.h"
#include "support/fresh_id.h"
#include "support/http_call.h"
#include "support/scenario_file.h"
#include "support/server_process.h"
#include "support/shop_requests.h"
#include "support/sqlite_file.h"

#include <QtCore/QJsonArray>
#include <QtCore/QTemporaryDir>
#include <QtTest/QTest>

#include <algorithm>

using payonce::support::bearer;
using payonce::support::chargesIn;
using payonce::support::freshKey;
using payonce::support::HttpAnswer;
using payonce::support::HttpCall;
using payonce::support::httpRequest;
using payonce::support::oneRule;
using payonce::support::ServerProcess;
using payonce::support::valueIn;

namespace {

constexpr int kPatience = 30'000;
constexpr int kQuickly = 5'000;

const QByteArray kOneMail = R"("expect":{"mails":1})";
const QByteArray kNotCharged = R"("expect":{"verdict":"not_charged"})";
const QByteArray kRst = R"({"rst":{}})";
const QByteArray kCrash = R"({"crash":{}})";
const QByteArray kAnswer500 = R"({"reply":{"status":500}})";
const QByteArray kShortDelay = R"({"delay":{"ms":1500}})";
const QByteArray kLongDelay = R"({"delay":{"ms":25000}})";

QByteArray chargedBody(const QByteArray& bankKey)
{
    return R"({"type":"charge.succeeded","timestamp":"2026-11-30T10:00:00.000Z","data":{"bank_key":")" + bankKey +
           R"(","charge_id":"ch_unheard_of","sequence":2,"amount":{"value":4200,"currency":"EUR"}}})";
}

} // namespace

class TestWebhooksServer : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        QTest::failOnWarning(QRegularExpression(QStringLiteral(".*")));
        m_dir = std::make_unique<QTemporaryDir>();
        m_key = freshKey();
    }
    void cleanup()
    {
        m_server.reset();
        m_dir.reset();
    }

    void paidPayment_isToldByTheBankAndMailedOnce()
    {
        start({});
        QCOMPARE(pay().status, 201);
        QTRY_COMPARE_WITH_TIMEOUT(delivered(), 1, kPatience);
        QTRY_COMPARE_WITH_TIMEOUT(mails().size(), 1, kPatience);
        QCOMPARE(shopValue("SELECT outcome FROM webhook_events").toString(), QStringLiteral("agrees"));
        const auto mail = mails().first().toObject();
        QCOMPARE(mail.value(QStringLiteral("kind")).toString(), QStringLiteral("receipt"));
        QCOMPARE(mail.value(QStringLiteral("to")).toString(), QStringLiteral("a@example.com"));
        QCOMPARE(mail.value(QStringLiteral("action_id")).toString().toLatin1(), m_key);
        QVERIFY(verdict().value(QStringLiteral("holds")).toBool());
        QVERIFY2(!m_server->errorText().contains("whsec"), m_server->errorText());
    }

    void mailsExpected_areCountedByTheVerdict()
    {
        start(kOneMail);
        QVERIFY(!verdict().value(QStringLiteral("holds")).toBool());
        QCOMPARE(pay().status, 201);
        QVERIFY(verdict().value(QStringLiteral("holds")).toBool()); // at once: a mail in the outbox will leave
    }

    // The shop's worker stands still after the charge; the bank's own word finishes the order long before it.
    void workerThatHangs_isOvertakenByTheEvent()
    {
        start(oneRule("pay", "bank.committed", kLongDelay));
        const auto call = begin(payment());
        QTRY_COMPARE_WITH_TIMEOUT(state(), QStringLiteral("succeeded"), kQuickly);
        QVERIFY(!call->isFinished());
        QCOMPARE(shopValue("SELECT outcome FROM webhook_events").toString(), QStringLiteral("applied"));
        QTRY_COMPARE_WITH_TIMEOUT(mails().size(), 1, kPatience);
        QCOMPARE(chargesIn(m_dir->path()), 1);
    }

    void disturbedDelivery_comesAgainAndHasOneEffect_data()
    {
        QTest::addColumn<QByteArray>("point");
        QTest::addColumn<QByteArray>("action");
        QTest::addColumn<int>("handled");
        QTest::newRow("the handler fails") << QByteArray("received") << kAnswer500 << 1;
        QTest::newRow("the shop is not there") << QByteArray("received") << kRst << 1;
        QTest::newRow("handled, but the answer is lost") << QByteArray("webhook.applied") << kRst << 2;
        QTest::newRow("handled, but answered 500") << QByteArray("webhook.applied") << kAnswer500 << 2;
    }
    void disturbedDelivery_comesAgainAndHasOneEffect()
    {
        QFETCH(QByteArray, point);
        QFETCH(QByteArray, action);
        QFETCH(int, handled);
        start(oneRule("webhook", point, action));
        QCOMPARE(pay().status, 201);
        QTRY_COMPARE_WITH_TIMEOUT(delivered(), 1, kPatience);
        QVERIFY(shopValue("SELECT deliveries FROM webhook_events").toInt() >= handled);
        QCOMPARE(shopValue("SELECT count(*) FROM webhook_facts").toInt(), 1);
        QTRY_COMPARE_WITH_TIMEOUT(mails().size(), 1, kPatience);
        QCOMPARE(chargesIn(m_dir->path()), 1);
    }

    void overtakenEvent_hasItsEffectAllTheSame()
    {
        start(oneRule("webhook", "received", kShortDelay));
        QCOMPARE(pay().status, 201);
        QTRY_VERIFY_WITH_TIMEOUT(hasArrived("webhook"), kPatience);
        QCOMPARE(shopValue("SELECT count(*) FROM webhook_events").toInt(), 0);
        m_key = freshKey();
        QCOMPARE(pay().status, 201);
        QTRY_COMPARE_WITH_TIMEOUT(delivered(), 2, kPatience);
        QTRY_COMPARE_WITH_TIMEOUT(mails().size(), 2, kPatience);
    }

    void serverKilledWhileMailing_sendsOneMailAfterItsRestart_data()
    {
        QTest::addColumn<QByteArray>("point");
        QTest::addColumn<int>("arrived");
        QTest::newRow("settled, not sent") << QByteArray("outbox.before") << 0;
        QTest::newRow("sent, not marked") << QByteArray("outbox.sent") << 1;
    }
    void serverKilledWhileMailing_sendsOneMailAfterItsRestart()
    {
        QFETCH(QByteArray, point);
        QFETCH(int, arrived);
        start(oneRule("mail", point, kCrash));
        const auto call = begin(payment());
        QVERIFY(m_server->waitForEnd());
        QCOMPARE(shopValue("SELECT count(*) FROM mails").toInt(), arrived);
        QVERIFY2(m_server->start(), m_server->errorText());
        // Only when it is marked as sent can no second one be under way.
        QTRY_COMPARE_WITH_TIMEOUT(shopValue("SELECT count(*) FROM outbox WHERE sent_at IS NOT NULL").toInt(), 1, kPatience);
        QCOMPARE(mails().size(), 1);
        QCOMPARE(chargesIn(m_dir->path()), 1);
    }

    void serverKilledByForce_losesNoMailAndNoEvent()
    {
        start({});
        QCOMPARE(pay().status, 201);
        m_server->killHard();
        QVERIFY2(m_server->start(), m_server->errorText());
        QTRY_COMPARE_WITH_TIMEOUT(shopValue("SELECT count(*) FROM outbox WHERE sent_at IS NOT NULL").toInt(), 1, kPatience);
        QTRY_COMPARE_WITH_TIMEOUT(shopValue("SELECT count(*) FROM webhook_facts").toInt(), 1, kPatience);
        QCOMPARE(mails().size(), 1);
    }

    // The bank was asked to fence and did; then it claims to have charged. Verdict and client say so; nothing else moves.
    void chargeOfACancelledAction_isShownByVerdictAndStatus()
    {
        start(oneRule("pay", "bank.before", kShortDelay) + ',' + kNotCharged);
        const auto call = begin(payment());
        QTRY_COMPARE_WITH_TIMEOUT(state(), QStringLiteral("in_progress"), kPatience);
        QCOMPARE(text(ask("POST", "/v1/actions/" + m_key + "/abandon"), "state"), QStringLiteral("abandoned"));
        QTRY_VERIFY_WITH_TIMEOUT(call->isFinished(), kPatience);
        QVERIFY(verdict().value(QStringLiteral("holds")).toBool());

        QCOMPARE(text(tellCharged("evt_contrary"), "outcome"), QStringLiteral("contradiction"));

        const HttpAnswer told = ask("GET", "/v1/actions/" + m_key);
        QCOMPARE(text(told, "state"), QStringLiteral("abandoned"));
        QVERIFY(told.json().value(QStringLiteral("discrepancy")).toBool());
        QCOMPARE(verdict().value(QStringLiteral("code")).toString(), QStringLiteral("charged_order_cancelled"));
        QVERIFY(!verdict().value(QStringLiteral("holds")).toBool());
        QCOMPARE(shopValue("SELECT count(*) FROM support_tasks WHERE closed_at IS NULL").toInt(), 1);
        QVERIFY(mails().isEmpty());
    }

    void bankWithAMovedClock_isToldHowFarApartTheClocksAre_data()
    {
        QTest::addColumn<int>("seconds");
        QTest::addColumn<QString>("says");
        QTest::newRow("behind") << -400 << QStringLiteral("behind the shop's clock");
        QTest::newRow("ahead") << 400 << QStringLiteral("ahead of the shop's clock");
    }
    void bankWithAMovedClock_isToldHowFarApartTheClocksAre()
    {
        QFETCH(int, seconds);
        QFETCH(QString, says);
        start({});
        QCOMPARE(pay().status, 201);
        const HttpAnswer refused = tellCharged("evt_moved", std::chrono::seconds(seconds));
        QCOMPARE(refused.status, 401);
        QVERIFY2(text(refused, "detail").contains(says), refused.body);
        QCOMPARE(shopValue("SELECT count(*) FROM webhook_events WHERE id = 'evt_moved'").toInt(), 0);
    }

private:
    /// With this member in its scenario; without one, without a scenario.
    void start(const QByteArray& member)
    {
        QStringList arguments;
        if (!member.isEmpty())
            arguments = {QStringLiteral("--scenario"), payonce::support::scenarioFile(*m_dir, member)};
        m_server = std::make_unique<ServerProcess>(m_dir->path(), arguments);
        QVERIFY2(m_server->start(), m_server->errorText());
    }
    HttpAnswer ask(const QByteArray& method, const QByteArray& path, const QByteArray& body = {}) const
    {
        return answerOf(HttpCall(m_server->shopPort(), httpRequest(method, path, bearer(token("account")), body)));
    }
    QByteArray token(const char* name) const { return m_server->token(QLatin1String(name)); }
    QJsonObject control(const QByteArray& path) const
    {
        return answerOf(HttpCall(m_server->controlPort(), httpRequest("GET", path, bearer(token("control"))))).json();
    }
    QJsonObject verdict() const { return control("/verdict"); }
    QJsonArray mails() const { return control("/ledger").value(QStringLiteral("mails")).toArray(); }
    bool hasArrived(const char* operation) const
    {
        const auto rows = control("/journal").value(QStringLiteral("rows")).toArray();
        return std::any_of(rows.begin(), rows.end(), [operation](const QJsonValue& row) {
            return row.toObject().value(QStringLiteral("op")).toString() == QLatin1String(operation);
        });
    }
    QString state() const { return text(ask("GET", "/v1/actions/" + m_key), "state"); }

    QByteArray payment() const
    {
        const auto card = ask("POST", "/v1/payment-methods", payonce::support::cardBody());
        return httpRequest(
            "POST", "/v1/payments", bearer(token("account"), m_key),
            payonce::support::paymentBody({.cart = "own-" + m_key, .paymentMethod = text(card, "id").toLatin1()}));
    }
    std::unique_ptr<HttpCall> begin(const QByteArray& request) const
    {
        return std::make_unique<HttpCall>(m_server->shopPort(), request);
    }
    HttpAnswer pay() const { return answerOf(*begin(payment())); }

    /// Whoever has the token file may speak for the bank.
    HttpAnswer tellCharged(const std::string& id, std::chrono::seconds moved = std::chrono::seconds(0)) const
    {
        const QByteArray body = chargedBody(bankValue("SELECT bank_key FROM charges").toByteArray());
        const auto head = payonce::protocol::signWebhook(token("webhook").toStdString(), id,
                                                         payonce::support::wallTime() + moved, body.toStdString());
        return answerOf(
            HttpCall(m_server->shopPort(), httpRequest("POST", "/v1/webhooks/bank",
                                                       {{"webhook-id", QByteArray::fromStdString(head.id)},
                                                        {"webhook-timestamp", QByteArray::fromStdString(head.timestamp)},
                                                        {"webhook-signature", QByteArray::fromStdString(head.signature)},
                                                        {"Content-Type", "application/json"}},
                                                       body)));
    }
    QVariant bankValue(const char* sql) const
    {
        return valueIn(m_dir->filePath(QStringLiteral("bank.sqlite")), QLatin1String(sql));
    }
    QVariant shopValue(const char* sql) const
    {
        return valueIn(m_dir->filePath(QStringLiteral("shop.sqlite")), QLatin1String(sql));
    }
    int delivered() const { return bankValue("SELECT count(*) FROM events WHERE delivered_at IS NOT NULL").toInt(); }

    std::unique_ptr<QTemporaryDir> m_dir;
    std::unique_ptr<ServerProcess> m_server;
    QByteArray m_key;
};

QTEST_GUILESS_MAIN(TestWebhooksServer)
#include "tst_webhooks_server.moc"
