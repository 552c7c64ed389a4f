// Sign-up seen from the wire: a real payonce-server that is killed, and the rows of its database counted.
#include "support/fresh_id.h"
#include "support/http_call.h"
#include "support/scenario_file.h"
#include "support/server_process.h"
#include "support/shop_requests.h"
#include "support/shop_rows.h"

#include <QtCore/QMap>
#include <QtCore/QRegularExpression>
#include <QtCore/QTemporaryDir>
#include <QtTest/QTest>

#include <memory>
#include <vector>

namespace {

using payonce::support::accountsIn;
using payonce::support::freshKey;
using payonce::support::HttpAnswer;
using payonce::support::HttpCall;
using payonce::support::httpRequest;
using payonce::support::mailsAskedForIn;
using payonce::support::mailsOfKindIn;
using payonce::support::ServerProcess;

constexpr int kPatience = 30'000;
const QList<QByteArray> kOneAccount{"a@example.com"};
const QList<QByteArray> kOneWelcome{"welcome a@example.com"};

QString shopFile(const QTemporaryDir& dir)
{
    return dir.filePath(QStringLiteral("shop.sqlite"));
}

QByteArray signUp(const ServerProcess& server, const QByteArray& key, const QString& token = QStringLiteral("account"))
{
    static const QByteArray until = payonce::support::soon();
    return httpRequest("POST", "/v1/accounts", payonce::support::bearer(server.token(token), key),
                       R"({"email":"a@example.com","name":"A","valid_until":")" + until + R"("})");
}

/// Empty: the connection ended without an answer.
std::optional<HttpAnswer> ask(const ServerProcess& server, const QByteArray& request)
{
    return payonce::support::ask(server.shopPort(), request);
}

} // namespace

class SignUpProofTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    void replyLostAndRetried_isOneAccountAndOneWelcome_data();
    void replyLostAndRetried_isOneAccountAndOneWelcome();
    void serverKilledAmidManySignUps_keepsOneAccountAndOneMailEach();
    void manySignUpsOfOneAddress_areOneAccount();
};

void SignUpProofTest::replyLostAndRetried_isOneAccountAndOneWelcome_data()
{
    QTest::addColumn<QByteArray>("point");
    QTest::addColumn<QByteArray>("action");
    QTest::addColumn<bool>("isMade"); // already by the request that got no answer
    QTest::newRow("never looked at") << QByteArray("received") << QByteArray(R"({"rst":{}})") << false;
    QTest::newRow("killed before it was looked at") << QByteArray("received") << QByteArray(R"({"crash":{}})") << false;
    QTest::newRow("killed after it was saved") << QByteArray("result.saved") << QByteArray(R"({"crash":{}})") << true;
    QTest::newRow("reset after it was saved") << QByteArray("result.saved") << QByteArray(R"({"rst":{}})") << true;
    QTest::newRow("killed with the answer built") << QByteArray("reply.built") << QByteArray(R"({"crash":{}})") << true;
    QTest::newRow("cut in the head") << QByteArray("reply.head@9") << QByteArray(R"({"cut":{"end":"rst"}})") << true;
    QTest::newRow("cut in the body") << QByteArray("reply.body@7") << QByteArray(R"({"cut":{"end":"fin"}})") << true;
    QTest::newRow("killed amid the answer") << QByteArray("reply.body@7") << QByteArray(R"({"crash":{}})") << true;
}

void SignUpProofTest::replyLostAndRetried_isOneAccountAndOneWelcome()
{
    QFETCH(const QByteArray, point);
    QFETCH(const QByteArray, action);
    QFETCH(const bool, isMade);
    const QTemporaryDir dir;
    const auto scenario = payonce::support::scenarioFile(dir, payonce::support::oneRule("sign_up", point, action));
    ServerProcess server(dir.path(), {QStringLiteral("--scenario"), scenario});
    QVERIFY2(server.start(), server.errorText());
    const auto key = freshKey();
    const auto request = signUp(server, key);
    QVERIFY(!ask(server, request).has_value());
    if (action.contains("crash")) {
        QVERIFY(server.waitForEnd());
        QVERIFY2(server.start(), server.errorText());
    }
    QCOMPARE(accountsIn(shopFile(dir)).size(), isMade ? 1 : 0);
    QCOMPARE(mailsAskedForIn(shopFile(dir)).size(), isMade ? 1 : 0); // never one without the other

    const auto retried = ask(server, request);
    QVERIFY(retried.has_value());
    QCOMPARE(retried->status, 201);
    QVERIFY(retried->json().contains(QStringLiteral("account"))); // its own, never "existing"
    QCOMPARE(retried->header("Idempotent-Replayed"), isMade ? QByteArray("true") : QByteArray());
    QCOMPARE(accountsIn(shopFile(dir)), kOneAccount);
    QCOMPARE(mailsAskedForIn(shopFile(dir)), kOneWelcome);
}

// kill -9 with requests everywhere between the socket and the disk: whatever was answered stands, and everybody who asks again
// gets a final answer.
void SignUpProofTest::serverKilledAmidManySignUps_keepsOneAccountAndOneMailEach()
{
    const QTemporaryDir dir;
    ServerProcess server(dir.path());
    QVERIFY2(server.start(), server.errorText());
    constexpr int kSignUps = 60;
    std::vector<QByteArray> keys;
    std::vector<std::unique_ptr<HttpCall>> calls;
    for (int i = 0; i < kSignUps; ++i) {
        keys.push_back(freshKey());
        calls.push_back(std::make_unique<HttpCall>(server.shopPort(), signUp(server, keys.back())));
    }
    // As soon as one has its answer, with the others under way.
    QTRY_VERIFY_WITH_TIMEOUT(calls.front()->isFinished(), kPatience);
    server.killHard();
    QMap<int, QByteArray> answered;
    for (int i = 0; i < kSignUps; ++i) {
        const auto& call = calls.at(static_cast<std::size_t>(i));
        QTRY_VERIFY_WITH_TIMEOUT(call->isFinished(), kPatience);
        if (call->answer())
            answered.insert(i, call->answer()->body);
    }
    QVERIFY(!answered.isEmpty());

    QVERIFY2(server.start(), server.errorText());
    int withAccount = 0;
    for (int i = 0; i < kSignUps; ++i) {
        const auto retried = ask(server, signUp(server, keys.at(static_cast<std::size_t>(i))));
        QVERIFY(retried.has_value());
        QCOMPARE(retried->status, 201);
        if (answered.contains(i))
            QCOMPARE(retried->body, answered.value(i));
        withAccount += retried->json().contains(QStringLiteral("account")) ? 1 : 0;
    }
    QCOMPARE(withAccount, 1); // they all had one address
    QCOMPARE(accountsIn(shopFile(dir)), kOneAccount);
    QCOMPARE(mailsOfKindIn(shopFile(dir), "welcome"), 1);
    QCOMPARE(mailsOfKindIn(shopFile(dir), "already_registered"), kSignUps - 1);
}

void SignUpProofTest::manySignUpsOfOneAddress_areOneAccount()
{
    const QTemporaryDir dir;
    ServerProcess server(dir.path());
    QVERIFY2(server.start(), server.errorText());
    constexpr int kSignUps = 50;
    std::vector<std::unique_ptr<HttpCall>> calls;
    for (int i = 0; i < kSignUps; ++i) {
        const auto request = signUp(server, freshKey(), i % 2 == 0 ? QStringLiteral("account") : QStringLiteral("account2"));
        for (int copy = 0; copy < 2; ++copy) // each a double click
            calls.push_back(std::make_unique<HttpCall>(server.shopPort(), request));
    }
    int withAccount = 0;
    for (const auto& call : calls) {
        QTRY_VERIFY_WITH_TIMEOUT(call->isFinished() && call->answer(), kPatience);
        QCOMPARE(call->answer()->status, 201);
        withAccount += call->answer()->json().contains(QStringLiteral("account")) ? 1 : 0;
    }
    QCOMPARE(withAccount, 2); // the first one and its copy
    QCOMPARE(accountsIn(shopFile(dir)), kOneAccount);
    QCOMPARE(mailsOfKindIn(shopFile(dir), "welcome"), 1);
    QCOMPARE(mailsOfKindIn(shopFile(dir), "already_registered"), kSignUps - 1);
}

QTEST_GUILESS_MAIN(SignUpProofTest)
#include "tst_proof_sign_up.moc"
