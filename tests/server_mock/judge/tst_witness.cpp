// What the judge's witness writes down of one request, and what it passes on.
#include "judge/witness.h"

#include "protocol/http_date.h"
#include "server_mock/faults/fake_exchange.h"

#include <QtCore/QFileInfo>
#include <QtCore/QTemporaryDir>
#include <QtTest/QTest>

using payonce::console::Operation;
using payonce::console::Said;
using payonce::console::Sighting;
using payonce::console::SightingEnd;
using payonce::http::ByteFault;
using payonce::http::Request;
using payonce::http::Response;
using payonce::judge::KeyLayer;
using payonce::judge::Witness;
using payonce::tests::FakeExchange;

namespace {

constexpr const char* kSucceeded = R"({"state":"succeeded"})";
constexpr const char* kOrders =
    R"({"orders":[{"action_id":"k","status":"paid"},{"action_id":"o","status":"open"}],"more":false})";

Request request(const QByteArray& method, const QByteArray& path, const QByteArray& key = {}, const QByteArray& body = {})
{
    Request made;
    made.method = method;
    made.path = path;
    made.headers = {{"Authorization", "Bearer token"}};
    if (!key.isEmpty())
        made.headers.emplaceBack("idempotency-key", key);
    made.body = body;
    return made;
}

Request payment(const QByteArray& key)
{
    return request(
        "POST", "/v1/payments", key,
        R"({"cart_id":"c","amount":{"value":4200,"currency":"EUR"},"email":"a@example.com","payment_method":"pm_1"})");
}

Response answer(int status, const QByteArray& body, const payonce::http::Headers& headers = {})
{
    Response response;
    response.status = status;
    response.body = body;
    response.headers = headers;
    return response;
}

ByteFault fault(ByteFault::Kind kind)
{
    ByteFault made;
    made.kind = kind;
    return made;
}

QByteArray bytes(const std::string& text)
{
    return QByteArray::fromStdString(text);
}

} // namespace

class WitnessTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        QTest::failOnWarning(QRegularExpression(QStringLiteral(".*")));
        m_moves = 0;
        m_accounts = {};
        m_accounts.add("acct_1", "token");
        m_witness = std::make_unique<Witness>(m_accounts, KeyLayer::On, [this] { ++m_moves; });
    }

    void payment_isWrittenDownAndPassedOn()
    {
        const auto exchange = std::make_shared<FakeExchange>(payment("\"my-key\""));
        const auto watched = m_witness->watched(exchange);
        QCOMPARE(m_moves, 1);
        QCOMPARE(m_witness->look().open, 1);
        QCOMPARE(watched->request().value("Idempotency-Key"), QByteArray("\"my-key\""));
        watched->answer(answer(201, kSucceeded), {});
        QCOMPARE(exchange->did, QByteArrayList{"answer 201 " + QByteArray(kSucceeded)});
        QCOMPARE(m_moves, 2);
        QCOMPARE(m_witness->look().open, 0);
        const Sighting& seen = only();
        QCOMPARE(bytes(seen.key), QByteArray("my-key"));
        QCOMPARE(bytes(seen.actionId), QByteArray("my-key"));
        QCOMPARE(bytes(seen.account), QByteArray("acct_1"));
        QCOMPARE(bytes(seen.cartId), QByteArray("c"));
        QCOMPARE(bytes(seen.amount), QByteArray("42.00 EUR"));
        QCOMPARE(bytes(seen.email), QByteArray("a@example.com"));
        QVERIFY(seen.operation == Operation::Pay && seen.end == SightingEnd::Told && seen.said == Said::Charged);
        QVERIFY(seen.endedAt && *seen.endedAt >= seen.at.mono);
        QCOMPARE(seen.status, 201);
    }

    void answer_meansWhatAClientCanKnow_data()
    {
        QTest::addColumn<int>("status");
        QTest::addColumn<QByteArray>("body");
        QTest::addColumn<Said>("said");
        QTest::newRow("paid") << 201 << QByteArray(kSucceeded) << Said::Charged;
        QTest::newRow("paid, and named") << 201 << QByteArray(R"({"action_id":"k","state":"succeeded"})") << Said::Charged;
        QTest::newRow("of another") << 201 << QByteArray(R"({"action_id":"o","state":"succeeded"})") << Said::Nothing;
        QTest::newRow("declined") << 402 << QByteArray(R"({"code":"card-declined","state":"failed"})") << Said::NotCharged;
        QTest::newRow("abandoned") << 410 << QByteArray(R"({"code":"action-abandoned"})") << Said::NotCharged;
        QTest::newRow("expired") << 410 << QByteArray(R"({"code":"action-expired"})") << Said::NotCharged;
        QTest::newRow("cart taken") << 409 << QByteArray(R"({"code":"cart-taken"})") << Said::NotCharged;
        QTest::newRow("look-up: abandoned") << 200 << QByteArray(R"({"state":"abandoned"})") << Said::NotCharged;
        QTest::newRow("look-up: at work") << 200 << QByteArray(R"({"state":"in_progress"})") << Said::Nothing;
        QTest::newRow("at work") << 409 << QByteArray(R"({"code":"in-progress"})") << Said::Nothing;
        QTest::newRow("too many") << 429 << QByteArray(R"({"code":"rate-limited"})") << Said::Nothing;
        QTest::newRow("not understood") << 422 << QByteArray(R"({"code":"body-invalid"})") << Said::Refused;
        QTest::newRow("no page") << 404 << QByteArray() << Said::Refused;
        QTest::newRow("error") << 500 << QByteArray("oops") << Said::Nothing;
        QTest::newRow("made up") << 200 << QByteArray("<html>") << Said::Nothing;
        QTest::newRow("elsewhere") << 307 << QByteArray() << Said::Nothing;
    }
    void answer_meansWhatAClientCanKnow()
    {
        QFETCH(int, status);
        QFETCH(QByteArray, body);
        QFETCH(Said, said);
        m_witness->watched(std::make_shared<FakeExchange>(payment("k")))->answer(answer(status, body), {});
        QCOMPARE(only().said, said);
    }

    void retryAfterAndPaidOrders_areRead()
    {
        m_witness->watched(std::make_shared<FakeExchange>(payment("k")))->answer(answer(503, {}, {{"retry-after", " 7 "}}), {});
        QVERIFY(only().retryAfter == std::chrono::seconds(7));
        m_witness->watched(std::make_shared<FakeExchange>(payment("k")))
            ->answer(answer(503, {}, {{"Retry-After", "Fri, 31 Dec 9999 23:59:59 GMT"}}), {});
        QVERIFY(m_witness->look().sightings.back().retryAfter == payonce::protocol::kLongestRetryAfter);
        m_witness->watched(std::make_shared<FakeExchange>(request("GET", "/v1/orders")))->answer(answer(200, kOrders), {});
        const std::vector<std::string> paid{"k"};
        QCOMPARE(m_witness->look().sightings.back().paidActions, paid);
    }

    void everyEnd_isToldApart()
    {
        const auto endOf = [this](const auto& act) {
            auto exchange = std::make_shared<FakeExchange>(payment("k"));
            act(*exchange, m_witness->watched(exchange));
            return m_witness->look().sightings.back().end;
        };
        using Watched = std::shared_ptr<payonce::http::Exchange>;
        const Response ok = answer(201, kSucceeded);
        QCOMPARE(endOf([](FakeExchange&, const Watched& w) { w->end(payonce::http::End::Rst); }), SightingEnd::Lost);
        QCOMPARE(endOf([](FakeExchange&, const Watched& w) { w->silence(); }), SightingEnd::Silent);
        QCOMPARE(endOf([&](FakeExchange&, const Watched& w) { w->answer(ok, fault(ByteFault::Kind::End)); }),
                 SightingEnd::Lost);
        const auto cutAt = [](qint64 offset) { return ByteFault{ByteFault::Part::Body, offset, ByteFault::Kind::End}; };
        QCOMPARE(endOf([&](FakeExchange&, const Watched& w) { w->answer(ok, cutAt(ok.body.size() - 1)); }), SightingEnd::Lost);
        QCOMPARE(endOf([&](FakeExchange&, const Watched& w) { w->answer(ok, cutAt(ok.body.size())); }), SightingEnd::Told);
        QCOMPARE(endOf([&](FakeExchange&, const Watched& w) { w->answer(ok, fault(ByteFault::Kind::Silence)); }),
                 SightingEnd::Silent);
        QCOMPARE(endOf([&](FakeExchange&, const Watched& w) { w->answer(ok, fault(ByteFault::Kind::Pause)); }),
                 SightingEnd::Told);
        QCOMPARE(endOf([&](FakeExchange& e, const Watched& w) {
                     e.leave();
                     w->answer(ok, {});
                 }),
                 SightingEnd::Left);
        QCOMPARE(endOf([](FakeExchange&, const Watched&) {}), SightingEnd::Lost); // nobody answered
        QCOMPARE(m_witness->look().open, 0);
        for (const Sighting& seen : m_witness->look().sightings)
            QVERIFY(seen.said == Said::Nothing || seen.end == SightingEnd::Told);
    }

    // The shop would learn of it only when it answers, and the next request is judged before that.
    void clientThatLeft_isNoticedWhenItComesAgain()
    {
        const auto first = std::make_shared<FakeExchange>(payment("k"));
        const auto watched = m_witness->watched(first);
        first->leave();
        const auto again = m_witness->watched(std::make_shared<FakeExchange>(payment("k")));
        const auto seen = m_witness->look().sightings;
        QCOMPARE(seen.front().end, SightingEnd::Left);
        QVERIFY(*seen.front().endedAt <= seen.back().at.mono); // or it would not have been over then
        watched->answer(answer(201, kSucceeded), {});
        QCOMPARE(m_witness->look().sightings.front().end, SightingEnd::Left);
        QCOMPARE(m_witness->look().open, 1);
    }

    void requestThatEndsAtItsHead_isSeenWithoutItsBody()
    {
        const auto ended = m_witness->watchedHead(std::make_shared<FakeExchange>(request("POST", "/v1/payments", "k")));
        QCOMPARE(m_witness->look().open, 1); // a client that is held up there is not quiet
        QCOMPARE(m_witness->look().requests, std::uint64_t(0));
        ended->end(payonce::http::End::Rst);
        QCOMPARE(m_witness->look().open, 0);
        QCOMPARE(m_witness->look().requests, std::uint64_t(1));
        QVERIFY(only().isHeadOnly && only().cartId.empty());
        QCOMPARE(bytes(only().key), QByteArray("k"));
        QCOMPARE(only().number, std::uint64_t(1));
        QCOMPARE(only().end, SightingEnd::Lost);
        m_witness->watchedHead(std::make_shared<FakeExchange>(request("POST", "/v1/payments", "k")))
            ->answer(answer(503, {}, {{"Retry-After", "7"}}), {});
        QVERIFY(m_witness->look().sightings.back().retryAfter == std::chrono::seconds(7));
        m_witness->watchedHead(std::make_shared<FakeExchange>(request("GET", "/v1/cart")))->silence();
        QCOMPARE(m_witness->look().requests, std::uint64_t(3));
        QCOMPARE(m_witness->look().sightings.size(), std::size_t(2));
    }

    void requestThatPassesItsHead_isSeenOnce()
    {
        const auto exchange = std::make_shared<FakeExchange>(request("POST", "/v1/payments", "k"));
        auto head = m_witness->watchedHead(exchange);
        head->resume();
        QCOMPARE(exchange->did, QByteArrayList{"resume"});
        QCOMPARE(m_witness->look().open, 0);
        head.reset();
        QVERIFY(m_witness->look().sightings.empty());
        m_witness->watched(std::make_shared<FakeExchange>(payment("k")))->answer(answer(201, kSucceeded), {});
        QCOMPARE(m_witness->look().requests, std::uint64_t(1));
        QVERIFY(!only().isHeadOnly);
    }

    void clientThatLeavesAtAGate_isNoticed()
    {
        const auto exchange = std::make_shared<FakeExchange>(request("POST", "/v1/payments", "k"));
        const auto head = m_witness->watchedHead(exchange);
        exchange->leave();
        head->resume(); // too late
        QCOMPARE(only().end, SightingEnd::Left);
        QCOMPARE(m_witness->look().open, 0);
    }

    void connectionThatEndsUnread_isCounted()
    {
        m_witness->watchedConnection(std::make_shared<FakeExchange>())->end(payonce::http::End::Fin);
        m_witness->watchedConnection(std::make_shared<FakeExchange>())->resume();
        QCOMPARE(m_moves, 4);
        QCOMPARE(m_witness->look().unread, std::uint64_t(1));
        QCOMPARE(m_witness->look().requests, std::uint64_t(0));
        QCOMPARE(m_witness->look().open, 0);
    }

    void bankAndWatchers_areNotTheClient()
    {
        for (const auto& foreign :
             {request("POST", "/v1/webhooks/bank"), request("GET", "/healthz"), request("GET", "/metrics")}) {
            const auto exchange = std::make_shared<FakeExchange>(foreign);
            QVERIFY(m_witness->watched(exchange) == exchange);
        }
        QCOMPARE(m_moves, 0);
        m_witness->watched(std::make_shared<FakeExchange>(request("GET", "/v1/cart")))->answer(answer(200, {}), {});
        m_witness->watched(std::make_shared<FakeExchange>(request("GET", "/nowhere")))->answer(answer(404, {}), {});
        QCOMPARE(m_witness->look().requests, std::uint64_t(2));
        QVERIFY(m_witness->look().sightings.empty());
    }

    void bodyThatIsNoPayment_isSeenAllTheSame()
    {
        for (const QByteArray& body : {QByteArray("{"), QByteArray("[]"), QByteArray(R"({"amount":1,"cart_id":2})")})
            m_witness->watched(std::make_shared<FakeExchange>(request("POST", "/v1/payments", "k", body)))
                ->answer(answer(400, {}), {});
        QCOMPARE(m_witness->look().sightings.size(), std::size_t(3));
    }

    void beyondTheBound_requestsAreOnlyCounted()
    {
        for (std::size_t i = 0; i <= payonce::judge::kMostSightings; ++i)
            m_witness->watched(std::make_shared<FakeExchange>(request("GET", "/v1/actions/k")))->answer(answer(404, {}), {});
        QCOMPARE(m_witness->look().sightings.size(), payonce::judge::kMostSightings);
        QCOMPARE(m_witness->look().requests, payonce::judge::kMostSightings + 1);
        QVERIFY(m_witness->look().isFull);
        QCOMPARE(m_witness->look().open, 0);
    }

    void killedWitness_goesOnWithWhatItSaw()
    {
        const QTemporaryDir dir;
        const QString path = dir.filePath(QStringLiteral("judge.jsonl"));
        auto first = std::make_unique<Witness>(
            m_accounts, KeyLayer::On, [] {}, payonce::judge::Notes::open(path));
        first->watched(std::make_shared<FakeExchange>(payment("k")))->answer(answer(503, {}, {{"Retry-After", "2"}}), {});
        first->watched(std::make_shared<FakeExchange>(payment("k")))->answer(answer(201, kSucceeded), {});
        const auto unanswered = first->watched(std::make_shared<FakeExchange>(payment("other")));
        const auto seenFirst = first->look().sightings;
        first.reset(); // as if killed: nobody writes down how the third ended
        QFile torn(path);
        QVERIFY(torn.open(QIODevice::Append));
        torn.write("{");
        torn.close();

        for (int life = 0; life < 2; ++life) { // the torn line harms nobody later either
            Witness again(
                m_accounts, KeyLayer::On, [] {}, payonce::judge::Notes::open(path));
            const auto& seen = again.look();
            QCOMPARE(seen.requests, std::uint64_t(3 + life));
            QCOMPARE(seen.sightings.size(), std::size_t(3 + life));
            QVERIFY(seen.sightings[0].retryAfter == std::chrono::seconds(2));
            QCOMPARE(seen.sightings[1].said, Said::Charged);
            QCOMPARE(seen.sightings[1].endedAt->time_since_epoch().count(), seenFirst[1].endedAt->time_since_epoch().count());
            QCOMPARE(bytes(seen.sightings[1].amount), QByteArray("42.00 EUR"));
            QCOMPARE(seen.sightings[2].end, SightingEnd::Lost);
            QCOMPARE(bytes(seen.sightings[2].key), QByteArray("other"));
            again.watched(std::make_shared<FakeExchange>(payment("k")))->answer(answer(201, {}), {});
        }
        QVERIFY(!(QFileInfo(path).permissions() & (QFileDevice::ReadGroup | QFileDevice::ReadOther)));
        QVERIFY(!payonce::judge::Notes::open(dir.path())); // a directory is no file
    }

    void keyLayerOff_everyPaymentIsAnotherAction()
    {
        Witness naive(m_accounts, KeyLayer::Off, [] {});
        const auto one = naive.watched(std::make_shared<FakeExchange>(payment("k")));
        const auto other = naive.watched(std::make_shared<FakeExchange>(payment("k")));
        const auto keyless = naive.watched(std::make_shared<FakeExchange>(payment({})));
        QCOMPARE(one->request().values("Idempotency-Key").size(), 1);
        const auto& seen = naive.look().sightings;
        QCOMPARE(bytes(seen[0].key), QByteArray("k"));
        QCOMPARE(bytes(seen[1].key), QByteArray("k"));
        QVERIFY(seen[2].key.empty() && !seen[2].actionId.empty());
        QVERIFY(seen[0].actionId != seen[1].actionId);
        QCOMPARE(one->request().value("Idempotency-Key"), '"' + bytes(seen[0].actionId) + '"');
        QVERIFY(one->request().body.contains("\"naive-1\"") && other->request().body.contains("\"naive-2\""));
        QVERIFY(one->request().body.contains("4200") && one->request().body.contains("pm_1"));
        const auto broken = naive.watched(std::make_shared<FakeExchange>(request("POST", "/v1/payments", "k", "{")));
        QCOMPARE(broken->request().body, QByteArray("{"));
        const auto look = naive.watched(std::make_shared<FakeExchange>(request("GET", "/v1/actions/k")));
        QVERIFY(look->request().values("Idempotency-Key").isEmpty());
    }

private:
    [[nodiscard]] const Sighting& only() { return m_witness->look().sightings.at(0); }

    payonce::shop::Accounts m_accounts;
    std::unique_ptr<Witness> m_witness;
    int m_moves = 0;
};

QTEST_GUILESS_MAIN(WitnessTest)
#include "tst_witness.moc"
