// Sign-up seen from the wire: a real payonce-server that is killed, and the rows of its database counted.
#include "support/http_call.h"
#include "support/server_process.h"
#include "support/shop_rows.h"
#include "values/uuid.h"

#include <QtCore/QDateTime>
#include <QtCore/QFile>
#include <QtCore/QMap>
#include <QtCore/QRandomGenerator>
#include <QtCore/QRegularExpression>
#include <QtCore/QTemporaryDir>
#include <QtTest/QTest>

#include <memory>
#include <vector>

namespace {

using payonce::support::accountsIn;
using payonce::support::HttpAnswer;
using payonce::support::HttpCall;
using payonce::support::httpRequest;
using payonce::support::mailsAskedForIn;
using payonce::support::mailsOfKindIn;
using payonce::support::ServerProcess;

constexpr int kPatience = 30'000;
const QList<QByteArray> kOneAccount{"a@example.com"};
const QList<QByteArray> kOneWelcome{"welcome a@example.com"};

QByteArray freshKey()
{
    payonce::values::UuidRandom random{};
    for (auto& byte : random)
        byte = static_cast<std::uint8_t>(QRandomGenerator::global()->bounded(256));
    const payonce::values::WallTime now{std::chrono::milliseconds(QDateTime::currentMSecsSinceEpoch())};
    return QByteArray::fromStdString(payonce::values::ActionId::mint(now, random).toString());
}

QString shopFile(const QTemporaryDir& dir)
{
    return dir.filePath(QStringLiteral("shop.sqlite"));
}

QByteArray signUp(const ServerProcess& server, const QByteArray& key, const QString& token = QStringLiteral("account"))
{
    static const QByteArray until = QDateTime::currentDateTimeUtc().addSecs(900).toString(Qt::ISODate).toLatin1();
    return httpRequest("POST", "/v1/accounts",
                       {{"Authorization", "Bearer " + server.token(token)},
                        {"Content-Type", "application/json"},
                        {"Idempotency-Key", '"' + key + '"'}},
                       R"({"email":"a@example.com","name":"A","valid_until":")" + until + R"("})");
}

/// Empty: the connection ended without an answer.
std::optional<HttpAnswer> ask(const ServerProcess& server, const QByteArray& request)
{
    const HttpCall call(server.shopPort(), request);
    const bool isFinished = QTest::qWaitFor([&] { return call.isFinished(); }, kPatience);
    return isFinished ? call.answer() : std::nullopt;
}

/// A scenario file with one rule that fires once, on the first sign-up.
QString scenarioFile(const QTemporaryDir& dir, const QByteArray& at, const QByteArray& action)
{
    QFile file(dir.filePath(QStringLiteral("scenario.json")));
    if (!file.open(QIODevice::WriteOnly))
        return {};
    file.write(R"({"schema":1,"name":"proof","rules":[{"id":"r1","match":{"op":"sign_up","nth":1},"at":")" + at + R"(","do":)" +
               action + R"(,"times":1}]})");
    return file.fileName();
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
    ServerProcess server(dir.path(), {QStringLiteral("--scenario"), scenarioFile(dir, point, action)});
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
