// The control API over a real socket, with a ledger in memory.
#include "faults/control_api.h"
#include "protocol/verdict_json.h"
#include "server_mock/faults/fake_exchange.h"
#include "server_mock/faults/scenarios.h"
#include "server_mock/http/raw_peer.h"

#include <QtCore/QTemporaryDir>
#include <QtTest/QTest>

using namespace payonce::faults;
using payonce::console::Point;
using payonce::tests::FakeExchange;
using payonce::tests::RawPeer;

namespace {

constexpr auto kToken = "control-token";
constexpr auto kScenario = R"({"schema":1,"name":"reply-lost","rules":[
 {"id":"r1","match":{"op":"pay","nth":1},"at":"bank.committed","do":{"rst":{}},"times":1}],
 "expect":{"rules_fired":["r1"],"charges":1}})";

/// Answers when the test says so.
class FakeLedger final : public LedgerSource
{
public:
    void read(std::function<void(std::optional<LedgerView>)> done) override { reads.push_back(std::move(done)); }
    void reset(std::function<void(bool)> done) override { resets.push_back(std::move(done)); }

    std::vector<std::function<void(std::optional<LedgerView>)>> reads;
    std::vector<std::function<void(bool)>> resets;
};

LedgerView oneCharge()
{
    const payonce::values::Money amount{4200, *payonce::values::Currency::fromCode("EUR")};
    LedgerView ledger;
    ledger.charges.push_back({"ch_1", "a", amount, "approved", "2026-11-30T10:00:00.000Z"});
    ledger.orders.push_back({"ord_1", "1001", "a", "cart_1", amount, "paid", "2026-11-30T10:00:01.000Z"});
    ledger.records.push_back({"a", "succeeded"});
    ledger.accounts.push_back({"acc_1", "b", "a@example.com", "2026-11-30T10:00:02.000Z"});
    return ledger;
}

} // namespace

class TestControlApi : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();

    void requestWithoutTheToken_isRefused_data();
    void requestWithoutTheToken_isRefused();
    void unknownPlace_isRefused_data();
    void unknownPlace_isRefused();
    void points_areListed();
    void scenario_isPutShownAndDropped();
    void badScenario_namesThePlaceAndKeepsTheOldOne();
    void journal_showsRowsAfterASequence();
    void journal_showsRowsOfOneAction();
    void journal_waitsForTheNextRow();
    void journal_waitThatPasses_answersEmpty();
    void journal_badQuery_isRefused_data();
    void journal_badQuery_isRefused();
    void journal_waitersAreBounded();
    void journal_longAnswer_isCutAndSaysSo();
    void ledger_isShown();
    void unreadableLedger_isSaid_data();
    void unreadableLedger_isSaid();
    void verdict_isShown();
    void reset_startsANewEpochThenEmptiesTheLedger();
    void failedReset_isSaid();
    void ledgerThatAnswersAfterTheEnd_isHarmless();

private:
    [[nodiscard]] std::unique_ptr<RawPeer> ask(const QByteArray& line, const QByteArray& body = {}) const;
    /// The body of the answer, once its status is `status`.
    static QByteArray bodyOf(RawPeer& peer) { return peer.received().mid(peer.received().indexOf("\r\n\r\n") + 4); }
    void arrive(const std::string& action);

    std::unique_ptr<QTemporaryDir> m_dir;
    std::unique_ptr<ArrivalJournal> m_journal;
    std::unique_ptr<ScenarioEngine> m_engine;
    FakeLedger m_ledger;
    ServerClock m_clock{{[] { return payonce::values::WallTime{}; }, [] { return std::chrono::milliseconds(0); }}};
    std::unique_ptr<ControlApi> m_api;
};

#define ANSWERS(peer, status)                                                                                                  \
    QTRY_COMPARE((peer).ending(), RawPeer::Ending::Fin);                                                                       \
    QCOMPARE((peer).received().mid(9, 3), QByteArray(status))

void TestControlApi::init()
{
    m_api.reset();
    m_engine.reset();
    m_ledger.reads.clear();
    m_ledger.resets.clear();
    m_dir = std::make_unique<QTemporaryDir>();
    auto journal = ArrivalJournal::open(m_dir->filePath(QStringLiteral("arrivals.jsonl")));
    QVERIFY(journal);
    m_journal = std::move(*journal);
    m_engine = std::make_unique<ScenarioEngine>(*m_journal);
    m_api = std::make_unique<ControlApi>(ControlApi::Parts{*m_engine, *m_journal, m_ledger, m_clock}, kToken);
    QVERIFY(m_api->listen(0));
}

std::unique_ptr<RawPeer> TestControlApi::ask(const QByteArray& line, const QByteArray& body) const
{
    auto peer = std::make_unique<RawPeer>(m_api->port());
    peer->send(line + " HTTP/1.1\r\nHost: control\r\nConnection: close\r\nAuthorization: Bearer " + kToken +
               "\r\nContent-Length: " + QByteArray::number(body.size()) + "\r\n\r\n" + body);
    return peer;
}

void TestControlApi::arrive(const std::string& action)
{
    Arrival arrival;
    arrival.exchange = std::make_shared<FakeExchange>();
    arrival.account = std::string("acct_1");
    arrival.actionId = action;
    arrival.attempt = std::string("1"); // the plain literal makes GCC 12 warn of an overlap that is none
    m_engine->reach(Point::Received, arrival, [] {});
}

void TestControlApi::requestWithoutTheToken_isRefused_data()
{
    QTest::addColumn<QByteArray>("line");
    QTest::newRow("none") << QByteArray();
    QTest::newRow("other scheme") << QByteArray("Authorization: Basic control-token\r\n");
    QTest::newRow("scheme alone") << QByteArray("Authorization: Bearer\r\n");
    QTest::newRow("empty") << QByteArray("Authorization: Bearer \r\n");
    QTest::newRow("shorter") << QByteArray("Authorization: Bearer control-toke\r\n");
    QTest::newRow("longer") << QByteArray("Authorization: Bearer control-tokencontrol-token\r\n");
    QTest::newRow("other") << QByteArray("Authorization: Bearer control-tokeN\r\n");
    QTest::newRow("twice") << QByteArray("Authorization: Bearer control-token\r\nAuthorization: Bearer control-token\r\n");
}

void TestControlApi::requestWithoutTheToken_isRefused()
{
    QFETCH(QByteArray, line);
    RawPeer peer(m_api->port());
    peer.send("POST /reset HTTP/1.1\r\nHost: control\r\nConnection: close\r\nContent-Length: 0\r\n" + line + "\r\n");
    ANSWERS(peer, "401");
    QVERIFY(peer.received().contains("WWW-Authenticate: Bearer\r\n"));
    QVERIFY(peer.received().contains(R"("code":"unauthorized")"));
    QVERIFY(m_ledger.resets.empty());
    QCOMPARE(m_journal->epoch(), 1);
}

void TestControlApi::unknownPlace_isRefused_data()
{
    QTest::addColumn<QByteArray>("line");
    QTest::addColumn<QByteArray>("status");
    QTest::addColumn<QByteArray>("contains");
    QTest::newRow("path") << QByteArray("GET /nowhere") << QByteArray("404") << QByteArray(R"("code":"not-found")");
    QTest::newRow("path below") << QByteArray("GET /scenario/") << QByteArray("404") << QByteArray(R"("code":"not-found")");
    QTest::newRow("method") << QByteArray("POST /scenario") << QByteArray("405") << QByteArray("Allow: GET, PUT, DELETE\r\n");
    QTest::newRow("reset by GET") << QByteArray("GET /reset") << QByteArray("405") << QByteArray("Allow: POST\r\n");
}

void TestControlApi::unknownPlace_isRefused()
{
    QFETCH(QByteArray, line);
    QFETCH(QByteArray, status);
    QFETCH(QByteArray, contains);
    const auto peer = ask(line);
    ANSWERS(*peer, status);
    QVERIFY(peer->received().contains(contains));
}

void TestControlApi::points_areListed()
{
    const auto peer = ask("GET /points");
    ANSWERS(*peer, "200");
    QCOMPARE(bodyOf(*peer), pointsBody());
}

void TestControlApi::scenario_isPutShownAndDropped()
{
    auto peer = ask("PUT /scenario", kScenario);
    ANSWERS(*peer, "200");
    QVERIFY(m_engine->scenario());
    QVERIFY(bodyOf(*peer).contains(R"("rules":[{"id":"r1","hits":0,"remaining":1}])"));
    // When the rule fires, the hits show it
    Arrival arrival;
    arrival.exchange = std::make_shared<FakeExchange>();
    m_engine->reach(Point::Received, arrival, [] {});
    m_engine->reach(Point::BankCommitted, arrival, [] {});
    peer = ask("GET /scenario");
    ANSWERS(*peer, "200");
    QVERIFY(bodyOf(*peer).contains(R"("name":"reply-lost")"));
    QVERIFY(bodyOf(*peer).contains(R"({"id":"r1","hits":1,"remaining":0})"));

    peer = ask("DELETE /scenario");
    ANSWERS(*peer, "204");
    QVERIFY(!m_engine->scenario());
    peer = ask("GET /scenario");
    ANSWERS(*peer, "200");
    QCOMPARE(bodyOf(*peer), QByteArray(R"({"scenario":null,"rules":[]})"));
}

void TestControlApi::badScenario_namesThePlaceAndKeepsTheOldOne()
{
    auto peer = ask("PUT /scenario", kScenario);
    ANSWERS(*peer, "200");
    peer =
        ask("PUT /scenario", QByteArray(kScenario).replace("bank.committed", "bank.comitted").replace("reply-lost", "other"));
    ANSWERS(*peer, "422");
    QVERIFY(bodyOf(*peer).contains("bank.comitted"));
    QVERIFY(bodyOf(*peer).contains("line 2"));
    QVERIFY(bodyOf(*peer).contains("/rules/0/at"));
    QVERIFY(m_engine->scenario() && m_engine->scenario()->name == "reply-lost");
}

void TestControlApi::journal_showsRowsAfterASequence()
{
    arrive("a");
    arrive("b");
    auto peer = ask("GET /journal");
    ANSWERS(*peer, "200");
    QVERIFY(bodyOf(*peer).startsWith(R"({"epoch":1,"rows":[{"seq":1,)"));
    QVERIFY(bodyOf(*peer).endsWith(R"(],"more":false,"memory_only":0})"));
    peer = ask("GET /journal?after=1");
    ANSWERS(*peer, "200");
    QVERIFY(bodyOf(*peer).startsWith(R"({"epoch":1,"rows":[{"seq":2,)"));
    peer = ask("GET /journal?after=2");
    ANSWERS(*peer, "200");
    QCOMPARE(bodyOf(*peer), QByteArray(R"({"epoch":1,"rows":[],"more":false,"memory_only":0})"));
}

void TestControlApi::journal_showsRowsOfOneAction()
{
    arrive("a");
    arrive("b");
    const auto peer = ask("GET /journal?action=b");
    ANSWERS(*peer, "200");
    QVERIFY(bodyOf(*peer).startsWith(R"({"epoch":1,"rows":[{"seq":2,)"));
}

void TestControlApi::journal_waitsForTheNextRow()
{
    const auto waiting = ask("GET /journal?action=b&wait=25");
    const auto other = ask("GET /points");
    ANSWERS(*other, "200");
    QCOMPARE(waiting->ending(), RawPeer::Ending::Open);
    arrive("a");
    QCoreApplication::processEvents();
    QCOMPARE(waiting->received(), QByteArray());
    arrive("b");
    ANSWERS(*waiting, "200");
    QVERIFY(bodyOf(*waiting).startsWith(R"({"epoch":1,"rows":[{"seq":2,)"));
}

void TestControlApi::journal_waitThatPasses_answersEmpty()
{
    const auto peer = ask("GET /journal?wait=1");
    ANSWERS(*peer, "200");
    QCOMPARE(bodyOf(*peer), QByteArray(R"({"epoch":1,"rows":[],"more":false,"memory_only":0})"));
}

void TestControlApi::journal_badQuery_isRefused_data()
{
    QTest::addColumn<QByteArray>("query");
    QTest::newRow("after is no number") << QByteArray("after=x");
    QTest::newRow("after is negative") << QByteArray("after=-1");
    QTest::newRow("wait is too long") << QByteArray("wait=26");
    QTest::newRow("wait is empty") << QByteArray("wait=");
}

void TestControlApi::journal_badQuery_isRefused()
{
    QFETCH(QByteArray, query);
    const auto peer = ask("GET /journal?" + query);
    ANSWERS(*peer, "422");
}

void TestControlApi::journal_waitersAreBounded()
{
    std::vector<std::unique_ptr<RawPeer>> waiting;
    for (std::size_t i = 0; i < kMostWaiters; ++i)
        waiting.push_back(ask("GET /journal?wait=25"));
    const auto before = ask("GET /points"); // accepted after them, so they are all held when it is answered
    ANSWERS(*before, "200");
    const auto beyond = ask("GET /journal?wait=25");
    ANSWERS(*beyond, "429");
    // When one leaves, there is room
    waiting.pop_back();
    std::unique_ptr<RawPeer> next;
    const auto isHeld = [&] {
        next = ask("GET /journal?wait=25");
        const auto after = ask("GET /points");
        return QTest::qWaitFor([&] { return after->ending() == RawPeer::Ending::Fin; }) &&
               next->ending() == RawPeer::Ending::Open;
    };
    QTRY_VERIFY(isHeld());
}

void TestControlApi::journal_longAnswer_isCutAndSaysSo()
{
    for (std::size_t i = 0; i <= kMostRowsAnswered; ++i)
        arrive("a");
    const auto peer = ask("GET /journal");
    ANSWERS(*peer, "200");
    QVERIFY(bodyOf(*peer).endsWith(R"(],"more":true,"memory_only":0})"));
    QCOMPARE(bodyOf(*peer).count("{\"seq\":"), static_cast<qsizetype>(kMostRowsAnswered));
}

void TestControlApi::ledger_isShown()
{
    const auto peer = ask("GET /ledger");
    QTRY_COMPARE(m_ledger.reads.size(), std::size_t(1));
    m_ledger.reads.front()(oneCharge());
    ANSWERS(*peer, "200");
    QCOMPARE(
        bodyOf(*peer),
        QByteArray(R"({"charges":[{"id":"ch_1","action_id":"a","amount":{"value":4200,"currency":"EUR"},"status":"approved",)"
                   R"("at":"2026-11-30T10:00:00.000Z"}],"mails":[],"orders":[{"id":"ord_1","number":"1001","action_id":"a",)"
                   R"("cart_id":"cart_1","amount":{"value":4200,"currency":"EUR"},"status":"paid",)"
                   R"("at":"2026-11-30T10:00:01.000Z"}],"accounts":[{"id":"acc_1","action_id":"b","email":"a@example.com",)"
                   R"("at":"2026-11-30T10:00:02.000Z"}],"records":[{"action_id":"a","state":"succeeded"}],"complete":true})"));
}

void TestControlApi::unreadableLedger_isSaid_data()
{
    QTest::addColumn<QByteArray>("line");
    QTest::newRow("ledger") << QByteArray("GET /ledger");
    QTest::newRow("verdict") << QByteArray("GET /verdict");
}

void TestControlApi::unreadableLedger_isSaid()
{
    QFETCH(QByteArray, line);
    const auto peer = ask(line);
    QTRY_COMPARE(m_ledger.reads.size(), std::size_t(1));
    m_ledger.reads.front()({});
    ANSWERS(*peer, "503");
    QVERIFY(peer->received().contains(R"("code":"store-unavailable")"));
}

void TestControlApi::verdict_isShown()
{
    arrive("a");
    const auto put = ask("PUT /scenario", kScenario);
    ANSWERS(*put, "200");
    const auto peer = ask("GET /verdict");
    QTRY_COMPARE(m_ledger.reads.size(), std::size_t(1));
    m_ledger.reads.front()(oneCharge());
    ANSWERS(*peer, "200");
    const auto report = payonce::protocol::parseVerdict(bodyOf(*peer).toStdString());
    QVERIFY(report);
    QCOMPARE(report->code, payonce::console::VerdictCode::ChargedOnce);
    QVERIFY(!report->holds()); // its rule never fired
    QCOMPARE(report->actions.size(), std::size_t(1));
    QCOMPARE(report->actions.front().facts.posts, 1);
    QCOMPARE(report->rules.size(), std::size_t(1));
}

void TestControlApi::reset_startsANewEpochThenEmptiesTheLedger()
{
    arrive("a");
    const auto peer = ask("POST /reset");
    QTRY_COMPARE(m_ledger.resets.size(), std::size_t(1));
    QCOMPARE(m_journal->epoch(), 2);
    QVERIFY(m_journal->rows().empty());
    QCOMPARE(peer->received(), QByteArray());
    m_ledger.resets.front()(true);
    ANSWERS(*peer, "204");
}

void TestControlApi::failedReset_isSaid()
{
    const auto peer = ask("POST /reset");
    QTRY_COMPARE(m_ledger.resets.size(), std::size_t(1));
    m_ledger.resets.front()(false);
    ANSWERS(*peer, "503");
}

void TestControlApi::ledgerThatAnswersAfterTheEnd_isHarmless()
{
    const auto verdict = ask("GET /verdict");
    const auto reset = ask("POST /reset");
    QTRY_COMPARE(m_ledger.reads.size(), std::size_t(1));
    QTRY_COMPARE(m_ledger.resets.size(), std::size_t(1));
    m_api.reset();
    m_ledger.reads.front()(oneCharge());
    m_ledger.resets.front()(true);
    QTRY_VERIFY(verdict->ending() != RawPeer::Ending::Open);
    QVERIFY(verdict->received().isEmpty());
}

QTEST_GUILESS_MAIN(TestControlApi)
#include "tst_control_api.moc"
