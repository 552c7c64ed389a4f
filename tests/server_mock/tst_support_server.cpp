// One ID, the whole story, a verdict: support asks a real payonce-server about every way a payment can end.
#include "support/bank_rows.h"
#include "support/fresh_id.h"
#include "support/http_call.h"
#include "support/scenario_file.h"
#include "support/server_process.h"
#include "support/shop_requests.h"
#include "support/sqlite_file.h"

#include <QtCore/QFileInfo>
#include <QtCore/QJsonArray>
#include <QtCore/QRegularExpression>
#include <QtCore/QTemporaryDir>
#include <QtTest/QTest>

#include <memory>

namespace {

using payonce::support::bearer;
using payonce::support::changeFile;
using payonce::support::chargesIn;
using payonce::support::freshKey;
using payonce::support::HttpAnswer;
using payonce::support::HttpCall;
using payonce::support::httpRequest;
using payonce::support::kGoodCard;
using payonce::support::ServerProcess;

constexpr int kPatience = 30'000;

/// The customer and the staff of one server.
class People
{
public:
    explicit People(const ServerProcess& server) : m_server(server) {}

    [[nodiscard]] QByteArray payment(const QByteArray& key, const QByteArray& card, const QByteArray& attempt = {}) const
    {
        const HttpCall exchange(m_server.shopPort(), httpRequest("POST", "/v1/payment-methods", bearer(token("account")),
                                                                 payonce::support::cardBody(card)));
        const auto method = text(answerOf(exchange), "id").toLatin1();
        auto lines = bearer(token("account"), key);
        if (!attempt.isEmpty())
            lines.append({"Action-Attempt", attempt});
        return httpRequest(
            "POST", "/v1/payments", lines,
            payonce::support::paymentBody({.cart = "proof-1", .paymentMethod = method, .email = "anna@example.com"}));
    }
    [[nodiscard]] QJsonObject look(const QByteArray& key) const
    {
        const auto answer = ask(httpRequest("GET", "/v1/support/actions/" + key, bearer(token("support"))));
        return answer && answer->status == 200 ? answer->json() : QJsonObject();
    }
    [[nodiscard]] std::optional<HttpAnswer> act(const QByteArray& deedKey, const QByteArray& key, const QByteArray& deed) const
    {
        return ask(httpRequest("POST", "/v1/support/actions/" + key + '/' + deed, bearer(token("support_act"), deedKey),
                               R"({"reason":"customer called"})"));
    }
    /// Empty: the connection ended without an answer.
    [[nodiscard]] std::optional<HttpAnswer> ask(const QByteArray& request) const
    {
        return payonce::support::ask(m_server.shopPort(), request);
    }
    [[nodiscard]] QByteArray token(const char* name) const { return m_server.token(QString::fromLatin1(name)); }

private:
    const ServerProcess& m_server;
};

QString codeOf(const QJsonObject& seen)
{
    return seen.value(QStringLiteral("code")).toString();
}

/// `payment#1 claimed charged paid`, in the order of seq; a gap in seq is told as such.
QByteArray storyOf(const QJsonObject& seen)
{
    QByteArray story;
    int seq = 0;
    for (const auto& value : seen.value(QStringLiteral("timeline")).toArray()) {
        const auto row = value.toObject();
        if (row.value(QStringLiteral("seq")).toInt() != ++seq)
            return "a gap after " + story;
        if (row.value(QStringLiteral("source")).toString() == QStringLiteral("webhook"))
            continue; // the bank's event comes when it comes
        story += (story.isEmpty() ? "" : " ") + row.value(QStringLiteral("kind")).toString().toUtf8();
        if (const auto attempt = row.value(QStringLiteral("attempt")); !attempt.isNull())
            story += '#' + QByteArray::number(attempt.toInt());
    }
    return story;
}

QJsonObject rowOf(const QJsonObject& seen, const QString& kind)
{
    for (const auto& row : seen.value(QStringLiteral("timeline")).toArray())
        if (row.toObject().value(QStringLiteral("kind")).toString() == kind)
            return row.toObject();
    return {};
}

} // namespace

class TestSupportServer : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        QTest::failOnWarning(QRegularExpression(QStringLiteral(".*")));
        m_dir = std::make_unique<QTemporaryDir>();
        m_server = std::make_unique<ServerProcess>(m_dir->path());
        m_people = std::make_unique<People>(*m_server);
    }
    void cleanup()
    {
        m_held.reset();
        m_server.reset();
    }

    void tokens_areForTheOwnerOnly()
    {
        QVERIFY(m_server->start());
        constexpr auto kOthers =
            QFileDevice::ReadGroup | QFileDevice::WriteGroup | QFileDevice::ReadOther | QFileDevice::WriteOther;
        for (const char* name : {"support", "support_act"}) {
            QCOMPARE(m_server->token(QString::fromLatin1(name)).size(), 43);
            QVERIFY(!(QFileInfo(m_dir->filePath(QStringLiteral("tokens/") + QLatin1String(name))).permissions() & kOthers));
        }
        QVERIFY(m_server->token(QStringLiteral("support")) != m_server->token(QStringLiteral("support_act")));
    }

    void paidOnce_isToldWhole()
    {
        QVERIFY(m_server->start());
        const auto key = freshKey();
        const auto request = m_people->payment(key, kGoodCard, "2;prev=timeout");
        QCOMPARE(m_people->ask(request)->status, 201);
        QCOMPARE(m_people->ask(request)->status, 201);
        const auto seen = m_people->look(key);
        QCOMPARE(codeOf(seen), QStringLiteral("charged_once"));
        QCOMPARE(seen.value(QStringLiteral("verdict")).toString(), QStringLiteral("charged once"));
        QVERIFY(seen.value(QStringLiteral("customer_sentence")).toString().contains(QStringLiteral("42.00 EUR")));
        const auto story = storyOf(seen);
        QVERIFY2(story.startsWith("attempt_lost#1 payment#2 claimed charged paid"), story);
        QVERIFY2(story.contains(" payment_again#2"), story);
        const int original = rowOf(seen, QStringLiteral("payment")).value(QStringLiteral("seq")).toInt();
        QCOMPARE(rowOf(seen, QStringLiteral("payment_again")).value(QStringLiteral("replay_of")).toInt(), original);
        const auto amount = rowOf(seen, QStringLiteral("charged")).value(QStringLiteral("amount")).toObject();
        QCOMPARE(amount.value(QStringLiteral("value")).toInt(), 4200);
        QVERIFY(seen.value(QStringLiteral("action")).toObject().value(QStringLiteral("email")).toString() ==
                QStringLiteral("a***@example.com"));
        QCOMPARE(chargesIn(m_dir->path()), 1);
    }

    void otherContentUnderTheSameKey_isAMismatchAndNoReplay()
    {
        QVERIFY(m_server->start());
        const auto key = freshKey();
        const auto request = m_people->payment(key, "4242424242424242", "1");
        QCOMPARE(m_people->ask(request)->status, 201);
        QCOMPARE(m_people->ask(QByteArray(request).replace("\"value\":4200", "\"value\":4100"))->status, 422);
        QCOMPARE(m_people->ask(request)->status, 201);
        const auto story = storyOf(m_people->look(key));
        QCOMPARE(story.count("mismatch#1"), 1);
        QCOMPARE(story.count("payment_again#1"), 1);
        QCOMPARE(rowOf(m_people->look(key), QStringLiteral("mismatch")).value(QStringLiteral("replay_of")), QJsonValue());
        QCOMPARE(chargesIn(m_dir->path()), 1);
    }

    void mails_areNoAttemptsOfTheClient()
    {
        QVERIFY(m_server->start());
        const auto key = freshKey();
        QCOMPARE(m_people->ask(m_people->payment(key, "4242424242424242"))->status, 201);
        QTRY_VERIFY_WITH_TIMEOUT(storyOf(m_people->look(key)).contains("mail_sent"), kPatience);
        const auto seen = m_people->look(key);
        QVERIFY2(storyOf(seen).endsWith("paid mail_queued mail_try mail_sent"), storyOf(seen));
        QVERIFY2(!storyOf(seen).contains("attempt"), storyOf(seen));
        QVERIFY(!rowOf(seen, QStringLiteral("mail_try"))
                     .value(QStringLiteral("words"))
                     .toString()
                     .contains(QStringLiteral("delayed")));
    }

    void declined_isNotCharged()
    {
        QVERIFY(m_server->start());
        const auto key = freshKey();
        QCOMPARE(m_people->ask(m_people->payment(key, "4000000000009995"))->status, 402);
        const auto seen = m_people->look(key);
        QCOMPARE(codeOf(seen), QStringLiteral("not_charged"));
        QVERIFY2(storyOf(seen).startsWith("payment claimed declined declined"), storyOf(seen));
        QCOMPARE(rowOf(seen, QStringLiteral("declined")).value(QStringLiteral("amount")), QJsonValue());
    }

    void plantedSecondCharge_isChargedTwice()
    {
        QVERIFY(m_server->start());
        const auto key = freshKey();
        QCOMPARE(m_people->ask(m_people->payment(key, kGoodCard))->status, 201);
        plantCharge(key);
        const auto seen = m_people->look(key);
        QCOMPARE(codeOf(seen), QStringLiteral("charged_twice"));
        QCOMPARE(storyOf(seen).count("charged"), 2);
        // A charge that the shop never heard of is found all the same: the bank knows whose it is.
        const auto page =
            m_people->ask(httpRequest("GET", "/v1/support/actions?q=ch_planted", bearer(m_people->token("support"))));
        const auto hits = page->json().value(QStringLiteral("results")).toArray();
        QCOMPARE(hits.size(), 1);
        QCOMPARE(codeOf(hits.first().toObject()), QStringLiteral("charged_twice"));
    }

    void openOrderOfAChargedPayment_isToldAndFinishedOnce()
    {
        QVERIFY(m_server->start());
        const auto key = freshKey();
        QCOMPARE(m_people->ask(m_people->payment(key, kGoodCard))->status, 201);
        changeFile(m_dir->filePath(QStringLiteral("shop.sqlite")),
                   {QStringLiteral("UPDATE orders SET status = 'open', settled_at = NULL")});
        QCOMPARE(codeOf(m_people->look(key)), QStringLiteral("charged_order_open"));
        QCOMPARE(m_people->act(freshKey(), key, "finish-order")->status, 201);
        QCOMPARE(codeOf(m_people->look(key)), QStringLiteral("charged_once"));
        QCOMPARE(m_people->act(freshKey(), key, "finish-order")->status, 409);
        QCOMPARE(chargesIn(m_dir->path()), 1);
    }

    void chargeOfACancelledOrder_isToldAndFinished()
    {
        QVERIFY(m_server->start());
        const auto key = freshKey();
        QCOMPARE(m_people->ask(m_people->payment(key, "4000000000000002"))->status, 402);
        plantCharge(key);
        plantDiscrepancy(key);
        QCOMPARE(codeOf(m_people->look(key)), QStringLiteral("charged_order_cancelled"));
        QCOMPARE(codeOf(verdict()), QStringLiteral("charged_order_cancelled"));
        QCOMPARE(m_people->act(freshKey(), key, "finish-order")->status, 201);
        QCOMPARE(codeOf(verdict()), QStringLiteral("charged_once")); // the simulator says the same of it
        const auto seen = m_people->look(key);
        QCOMPARE(codeOf(seen), QStringLiteral("charged_once"));
        QCOMPARE(rowOf(seen, QStringLiteral("finish-order")).value(QStringLiteral("source")).toString(),
                 QStringLiteral("staff"));
    }

    void slowBank_isBeingChecked()
    {
        QVERIFY2(startWith("pay", "bank.before", R"({"delay":{"ms":30000}})"), m_server->errorText());
        const auto key = freshKey();
        m_held = std::make_unique<HttpCall>(m_server->shopPort(), m_people->payment(key, kGoodCard));
        QTRY_COMPARE_WITH_TIMEOUT(codeOf(m_people->look(key)), QStringLiteral("unknown_being_checked"), kPatience);
        const auto seen = m_people->look(key);
        QVERIFY(seen.value(QStringLiteral("customer_sentence")).toString().contains(QStringLiteral("do not pay again")));
        QVERIFY2(storyOf(seen).startsWith("payment claimed fault"), storyOf(seen));
        QCOMPARE(m_people->act(freshKey(), key, "close")->status, 201);
        QTRY_COMPARE_WITH_TIMEOUT(codeOf(m_people->look(key)), QStringLiteral("not_charged"), kPatience);
        QCOMPARE(chargesIn(m_dir->path()), 0);
    }

    void requestThatWasNeverRead_isKnownAndCanBeClosed()
    {
        QVERIFY2(startWith("pay", "received", R"({"rst":{}})"), m_server->errorText());
        const auto key = freshKey();
        const auto request = m_people->payment(key, kGoodCard, "1");
        QVERIFY(!m_people->ask(request));
        const auto seen = m_people->look(key);
        QCOMPARE(codeOf(seen), QStringLiteral("not_charged"));
        QCOMPARE(storyOf(seen), QByteArray("not_read#1"));
        QCOMPARE(m_people->act(freshKey(), key, "close")->status, 201);
        QCOMPARE(m_people->ask(request)->status, 410);
        QCOMPARE(chargesIn(m_dir->path()), 0);
    }

    void deedWhoseReplyIsLost_isReplayedNotRepeated()
    {
        QVERIFY2(startWith("support", "reply.head@0", R"({"cut":{"end":"fin"}})"), m_server->errorText());
        const auto key = freshKey();
        QCOMPARE(m_people->ask(m_people->payment(key, kGoodCard))->status, 201);
        const auto deedKey = freshKey();
        QVERIFY(!m_people->act(deedKey, key, "resend-receipt"));
        const auto again = m_people->act(deedKey, key, "resend-receipt");
        QCOMPARE(again->status, 201);
        QCOMPARE(again->header("Idempotent-Replayed"), QByteArray("true"));
        QCOMPARE(storyOf(m_people->look(key)).count("mail_resend"), 1);
        QCOMPARE(storyOf(m_people->look(key)).count(" resend-receipt"), 1);
    }

private:
    /// A rule that fires once, on the first request of this kind.
    bool startWith(const QByteArray& operation, const QByteArray& at, const QByteArray& action)
    {
        const auto file = payonce::support::scenarioFile(*m_dir, payonce::support::oneRule(operation, at, action));
        return m_server->start({QStringLiteral("--scenario"), file});
    }
    /// GET /verdict of the control API.
    [[nodiscard]] QJsonObject verdict() const
    {
        const auto answer =
            payonce::support::ask(m_server->controlPort(), httpRequest("GET", "/verdict", bearer(m_people->token("control"))));
        return answer ? answer->json() : QJsonObject();
    }

    void plantCharge(const QByteArray& key)
    {
        const auto charge =
            QStringLiteral("INSERT INTO charges (bank_key, state, action_id, charge_id, amount, currency, at) VALUES "
                           "('0198c0de-0000-7000-8000-000000000001', 'approved', '%1', 'ch_planted', 4200, 'EUR', "
                           "'2026-11-30T10:00:00.000Z')");
        changeFile(m_dir->filePath(QStringLiteral("bank.sqlite")), {charge.arg(QString::fromLatin1(key))});
    }

    /// As if an event of the bank had told of the planted charge.
    void plantDiscrepancy(const QByteArray& key)
    {
        const auto row = QStringLiteral(
            "INSERT INTO discrepancies (event_id, account, action_id, state, transition, charge_id, decline_code, "
            "amount_minor, "
            "currency, at) VALUES ('evt_1', 'acct_1', '%1', 'failed', 'succeeded', 'ch_planted', '', 4200, 'EUR', 1)");
        changeFile(m_dir->filePath(QStringLiteral("shop.sqlite")), {row.arg(QString::fromLatin1(key))});
    }

    std::unique_ptr<QTemporaryDir> m_dir;
    std::unique_ptr<ServerProcess> m_server;
    std::unique_ptr<People> m_people;
    std::unique_ptr<HttpCall> m_held;
};

QTEST_GUILESS_MAIN(TestSupportServer)
#include "tst_support_server.moc"
