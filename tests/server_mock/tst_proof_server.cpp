// The proof, seen from the wire: a real payonce-server, raw requests, and the bank's rows counted.
#include "support/bank_rows.h"
#include "support/fresh_id.h"
#include "support/http_call.h"
#include "support/scenario_file.h"
#include "support/server_process.h"
#include "support/shop_requests.h"

#include <QtCore/QRegularExpression>
#include <QtCore/QTemporaryDir>
#include <QtTest/QTest>

#include <memory>
#include <vector>

namespace {

using payonce::support::bearer;
using payonce::support::cardBody;
using payonce::support::chargesIn;
using payonce::support::freshKey;
using payonce::support::HttpAnswer;
using payonce::support::HttpCall;
using payonce::support::httpRequest;
using payonce::support::kGoodCard;
using payonce::support::oneRule;
using payonce::support::paymentBody;
using payonce::support::ServerProcess;

constexpr int kPatience = 30'000;
constexpr int kCopies = 200;

/// The customer's side of one server, without any client code of ours.
class Customer
{
public:
    explicit Customer(const ServerProcess& server) : m_server(server) {}

    [[nodiscard]] QByteArray tokenise(const QByteArray& number) const
    {
        const HttpCall call(m_server.shopPort(), httpRequest("POST", "/v1/payment-methods", bearer(token()), cardBody(number)));
        return text(answerOf(call), "id").toLatin1();
    }

    /// Made a second later, it has other bytes.
    [[nodiscard]] QByteArray payment(const QByteArray& key, const QByteArray& method, qint64 amount,
                                     const QByteArray& cart = "proof-1") const
    {
        return httpRequest("POST", "/v1/payments", bearer(token(), key),
                           paymentBody({.cart = cart, .value = amount, .paymentMethod = method}));
    }

    [[nodiscard]] QByteArray look(const QByteArray& key) const
    {
        return httpRequest("GET", "/v1/actions/" + key, bearer(token()));
    }

    [[nodiscard]] QByteArray abandon(const QByteArray& key) const
    {
        return httpRequest("POST", "/v1/actions/" + key + "/abandon", bearer(token()));
    }

    /// Empty: the connection ended without an answer.
    [[nodiscard]] std::optional<HttpAnswer> ask(const QByteArray& request) const
    {
        return payonce::support::ask(m_server.shopPort(), request);
    }

private:
    [[nodiscard]] QByteArray token() const { return m_server.token(QStringLiteral("account")); }

    const ServerProcess& m_server;
};

/// A scenario file with one rule that fires once, on the first request of this kind.
QString scenarioFile(const QTemporaryDir& dir, const QByteArray& at, const QByteArray& action,
                     const QByteArray& operation = "pay")
{
    return payonce::support::scenarioFile(dir, oneRule(operation, at, action));
}

QString stateOf(const std::optional<HttpAnswer>& answer)
{
    return answer ? answer->json().value(QStringLiteral("state")).toString() : QString();
}

} // namespace

class ServerProofTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    void manyCopiesAtOnce_areOneCharge();
    void sameKeyOtherAmount_isRefusedAndTheFirstAmountStands();
    void copiesWithTwoAmounts_areOneChargeOfOneAmount();
    void declinedCard_isNeverChargedHoweverOftenItIsTried();
    void serverKilledAnywhere_chargesOnceAfterItsRestart_data();
    void serverKilledAnywhere_chargesOnceAfterItsRestart();
    void error500WhereverItCame_isNeverTheLastWord_data();
    void error500WhereverItCame_isNeverTheLastWord();
    void paymentsAndAbandonsThatRace_areNeverAbandonedYetCharged();
    void abandonWhoseReplyIsLost_standsAllTheSame_data();
    void abandonWhoseReplyIsLost_standsAllTheSame();
};

void ServerProofTest::manyCopiesAtOnce_areOneCharge()
{
    const QTemporaryDir dir;
    ServerProcess server(dir.path());
    QVERIFY2(server.start(), server.errorText());
    const Customer customer(server);
    const auto key = freshKey();
    const auto request = customer.payment(key, customer.tokenise(kGoodCard), 4200);
    std::vector<std::unique_ptr<HttpCall>> calls;
    calls.reserve(kCopies);
    for (int i = 0; i < kCopies; ++i)
        calls.push_back(std::make_unique<HttpCall>(server.shopPort(), request));
    int created = 0;
    for (const auto& call : calls) {
        QTRY_VERIFY_WITH_TIMEOUT(call->isFinished(), kPatience);
        QVERIFY(call->answer().has_value());
        const auto status = call->answer()->status;
        QVERIFY2(status == 201 || status == 409, call->received());
        created += status == 201 ? 1 : 0;
        QCOMPARE(call->answer()->header("Action-Id"), '"' + key + '"');
    }
    QVERIFY(created >= 1);
    QCOMPARE(chargesIn(dir.path()), 1);
    // Any later copy is a replay, byte for byte.
    const auto replay = customer.ask(request);
    QVERIFY(replay.has_value());
    QCOMPARE(replay->status, 201);
    QCOMPARE(replay->header("Idempotent-Replayed"), QByteArray("true"));
    for (const auto& call : calls)
        if (call->answer()->status == 201)
            QCOMPARE(call->answer()->body, replay->body);
    QCOMPARE(chargesIn(dir.path()), 1);
}

void ServerProofTest::sameKeyOtherAmount_isRefusedAndTheFirstAmountStands()
{
    const QTemporaryDir dir;
    ServerProcess server(dir.path());
    QVERIFY2(server.start(), server.errorText());
    const Customer customer(server);
    const auto key = freshKey();
    const auto method = customer.tokenise(kGoodCard);
    const auto first = customer.ask(customer.payment(key, method, 4200));
    QVERIFY(first.has_value());
    QCOMPARE(first->status, 201);
    const auto other = customer.ask(customer.payment(key, method, 4300));
    QVERIFY(other.has_value());
    QCOMPARE(other->status, 422);
    QCOMPARE(other->json().value(QStringLiteral("code")).toString(), QStringLiteral("key-reused"));
    QVERIFY2(!other->body.contains("4200") && !other->body.contains("ch_"), other->body); // nothing of the first is shown
    QCOMPARE(payonce::support::amountsCharged(dir.path()), QList<QByteArray>{"4200 EUR"});
}

void ServerProofTest::copiesWithTwoAmounts_areOneChargeOfOneAmount()
{
    const QTemporaryDir dir;
    ServerProcess server(dir.path());
    QVERIFY2(server.start(), server.errorText());
    const Customer customer(server);
    const auto key = freshKey();
    const auto method = customer.tokenise(kGoodCard);
    const auto one = customer.payment(key, method, 4200);
    const auto other = customer.payment(key, method, 4300);
    std::vector<std::unique_ptr<HttpCall>> calls;
    calls.reserve(kCopies);
    for (int i = 0; i < kCopies / 2; ++i)
        calls.push_back(std::make_unique<HttpCall>(server.shopPort(), i % 2 == 0 ? one : other));
    int refused = 0;
    for (const auto& call : calls) {
        QTRY_VERIFY_WITH_TIMEOUT(call->isFinished(), kPatience);
        QVERIFY(call->answer().has_value());
        const auto status = call->answer()->status;
        QVERIFY2(status == 201 || status == 409 || status == 422, call->received());
        refused += status == 422 ? 1 : 0;
    }
    QCOMPARE(refused, kCopies / 4);
    QCOMPARE(chargesIn(dir.path()), 1);
}

void ServerProofTest::declinedCard_isNeverChargedHoweverOftenItIsTried()
{
    const QTemporaryDir dir;
    ServerProcess server(dir.path());
    QVERIFY2(server.start(), server.errorText());
    const Customer customer(server);
    const auto request = customer.payment(freshKey(), customer.tokenise("4000000000009995"), 4200);
    const auto first = customer.ask(request);
    const auto again = customer.ask(request);
    QVERIFY(first.has_value() && again.has_value());
    QCOMPARE(first->status, 402);
    QCOMPARE(first->json().value(QStringLiteral("decline_code")).toString(), QStringLiteral("insufficient_funds"));
    QCOMPARE(again->status, 402);
    QCOMPARE(again->body, first->body);
    QCOMPARE(again->header("Idempotent-Replayed"), QByteArray("true"));
    QCOMPARE(chargesIn(dir.path()), 0);
    QCOMPARE(payonce::support::readBank(dir.path())->size(), 1);
}

void ServerProofTest::serverKilledAnywhere_chargesOnceAfterItsRestart_data()
{
    QTest::addColumn<QByteArray>("point");
    QTest::addColumn<int>("chargedAtDeath");
    QTest::newRow("after the claim") << QByteArray("key.claimed") << 0;
    QTest::newRow("before the bank") << QByteArray("bank.before") << 0;
    QTest::newRow("after the charge") << QByteArray("bank.committed") << 1;
    QTest::newRow("after the result was saved") << QByteArray("result.saved") << 1;
    QTest::newRow("after the answer was built") << QByteArray("reply.built") << 1;
    QTest::newRow("amid the answer") << QByteArray("reply.body@7") << 1;
}

void ServerProofTest::serverKilledAnywhere_chargesOnceAfterItsRestart()
{
    QFETCH(QByteArray, point);
    QFETCH(int, chargedAtDeath);
    const QTemporaryDir dir;
    const auto scenario = scenarioFile(dir, point, R"({"crash":{}})");
    ServerProcess server(dir.path(), {QStringLiteral("--scenario"), scenario});
    QVERIFY2(server.start(), server.errorText());
    const Customer customer(server);
    const auto key = freshKey();
    const auto request = customer.payment(key, customer.tokenise(kGoodCard), 4200);
    QVERIFY(!customer.ask(request).has_value());
    QVERIFY(server.waitForEnd());
    QCOMPARE(chargesIn(dir.path()), chargedAtDeath);

    QVERIFY2(server.start(), server.errorText());
    // Nobody sends the payment again: the server's own reconciler finishes what it began.
    QTRY_COMPARE_WITH_TIMEOUT(stateOf(customer.ask(customer.look(key))), QStringLiteral("succeeded"), kPatience);
    QCOMPARE(chargesIn(dir.path()), 1);
    const auto late = customer.ask(request);
    QVERIFY(late.has_value());
    QCOMPARE(late->status, 201);
    QCOMPARE(late->header("Idempotent-Replayed"), QByteArray("true"));
    QCOMPARE(chargesIn(dir.path()), 1);
}

void ServerProofTest::error500WhereverItCame_isNeverTheLastWord_data()
{
    QTest::addColumn<QByteArray>("point");
    for (const char* point : {"received", "key.claimed", "bank.before", "bank.committed", "result.saved"})
        QTest::newRow(point) << QByteArray(point);
}

// Some servers replay a 500 for the life of the key, others charge again after it. Here it is never remembered.
void ServerProofTest::error500WhereverItCame_isNeverTheLastWord()
{
    QFETCH(QByteArray, point);
    const QTemporaryDir dir;
    const auto scenario = scenarioFile(dir, point, R"({"reply":{"status":500,"body":"oops"}})");
    ServerProcess server(dir.path(), {QStringLiteral("--scenario"), scenario});
    QVERIFY2(server.start(), server.errorText());
    const Customer customer(server);
    const auto request = customer.payment(freshKey(), customer.tokenise(kGoodCard), 4200);
    const auto failed = customer.ask(request);
    QVERIFY(failed.has_value());
    QCOMPARE(failed->status, 500);

    const auto statusNow = [&] {
        const auto again = customer.ask(request);
        return again ? again->status : 0;
    };
    QTRY_COMPARE_WITH_TIMEOUT(statusNow(), 201, kPatience); // or for a moment 409: it is at work
    QCOMPARE(chargesIn(dir.path()), 1);
}

// Without the fence at the bank this ends in abandoned, yet charged.
void ServerProofTest::paymentsAndAbandonsThatRace_areNeverAbandonedYetCharged()
{
    const QTemporaryDir dir;
    ServerProcess server(dir.path());
    QVERIFY2(server.start(), server.errorText());
    const Customer customer(server);
    const auto method = customer.tokenise(kGoodCard);
    constexpr int kActions = 60;
    std::vector<QByteArray> keys;
    std::vector<std::unique_ptr<HttpCall>> calls;
    for (int i = 0; i < kActions; ++i) {
        keys.push_back(freshKey());
        const auto payment = customer.payment(keys.back(), method, 4200, "race-" + QByteArray::number(i));
        const auto abandon = customer.abandon(keys.back());
        calls.push_back(std::make_unique<HttpCall>(server.shopPort(), i % 2 == 0 ? payment : abandon));
        calls.push_back(std::make_unique<HttpCall>(server.shopPort(), i % 2 == 0 ? abandon : payment));
    }
    for (const auto& call : calls)
        QTRY_VERIFY_WITH_TIMEOUT(call->isFinished() && call->answer(), kPatience);
    int succeeded = 0;
    for (const auto& key : keys) {
        const auto state = stateOf(customer.ask(customer.look(key)));
        QVERIFY2(state == QStringLiteral("succeeded") || state == QStringLiteral("abandoned"), qPrintable(state));
        succeeded += state == QStringLiteral("succeeded") ? 1 : 0;
    }
    for (const auto& call : calls) // nobody was told anything else
        QVERIFY2(call->answer()->status == 200 || call->answer()->status == 201 || call->answer()->status == 410,
                 call->received());
    QCOMPARE(chargesIn(dir.path()), succeeded);
}

void ServerProofTest::abandonWhoseReplyIsLost_standsAllTheSame_data()
{
    QTest::addColumn<QByteArray>("point");
    QTest::addColumn<QByteArray>("action");
    QTest::addColumn<QString>("after");
    QTest::newRow("never looked at") << QByteArray("received") << QByteArray(R"({"rst":{}})") << QString();
    QTest::newRow("reset before the answer")
        << QByteArray("reply.built") << QByteArray(R"({"rst":{}})") << QStringLiteral("abandoned");
    QTest::newRow("cut in the body") << QByteArray("reply.body@9") << QByteArray(R"({"cut":{"end":"fin"}})")
                                     << QStringLiteral("abandoned");
    QTest::newRow("killed amid the answer")
        << QByteArray("reply.head@5") << QByteArray(R"({"crash":{}})") << QStringLiteral("abandoned");
}

void ServerProofTest::abandonWhoseReplyIsLost_standsAllTheSame()
{
    QFETCH(QByteArray, point);
    QFETCH(QByteArray, action);
    QFETCH(QString, after);
    const QTemporaryDir dir;
    ServerProcess server(dir.path(), {QStringLiteral("--scenario"), scenarioFile(dir, point, action, "abandon")});
    QVERIFY2(server.start(), server.errorText());
    const Customer customer(server);
    const auto key = freshKey();
    const auto payment = customer.payment(key, customer.tokenise(kGoodCard), 4200);
    QVERIFY(!customer.ask(customer.abandon(key)).has_value());
    if (action.contains("crash")) {
        QVERIFY(server.waitForEnd());
        QVERIFY2(server.start(), server.errorText());
    }

    QCOMPARE(stateOf(customer.ask(customer.look(key))), after);
    const auto again = customer.ask(customer.abandon(key));
    QCOMPARE(stateOf(again), QStringLiteral("abandoned"));
    const auto late = customer.ask(payment);
    QVERIFY(late.has_value());
    QCOMPARE(late->status, 410);
    QCOMPARE(chargesIn(dir.path()), 0);
}

QTEST_GUILESS_MAIN(ServerProofTest)
#include "tst_proof_server.moc"
