// What each action does at each point, and which rule fires when.
#include "faults/scenario_engine.h"
#include "server_mock/faults/fake_exchange.h"
#include "server_mock/faults/scenarios.h"

#include <QtCore/QElapsedTimer>
#include <QtCore/QTemporaryDir>
#include <QtTest/QTest>

using namespace payonce::console;
using namespace payonce::faults;
using namespace std::chrono_literals;
using payonce::http::ByteFault;
using payonce::http::Request;
using payonce::http::Response;
using payonce::tests::FakeExchange;
using payonce::tests::rule;
using payonce::tests::scenarioOf;

Q_DECLARE_METATYPE(payonce::console::FaultAction)
Q_DECLARE_METATYPE(payonce::console::Point)

namespace {

Response okResponse()
{
    Response response;
    response.body = "{}";
    return response;
}

/// One request on its way through the shop.
struct Passage
{
    explicit Passage(const std::string& action = "a", Operation operation = Operation::Pay)
    {
        Request request;
        request.bytesIn = 100;
        exchange = std::make_shared<FakeExchange>(request);
        arrival.exchange = exchange;
        arrival.account = "acct_1";
        arrival.actionId = action;
        arrival.attempt = "1";
        arrival.operation = operation;
    }
    /// True if the work went on before reach() returned.
    bool reach(FaultPoints& points, Point point)
    {
        const int before = proceeded;
        points.reach(point, arrival, [this] { ++proceeded; });
        return proceeded > before;
    }

    std::shared_ptr<FakeExchange> exchange;
    Arrival arrival;
    int proceeded = 0;
};

} // namespace

class TestScenarioEngine : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();

    void withoutScenario_onlyTheArrivalIsWritten();
    void action_endsOrContinuesTheWork_data();
    void action_endsOrContinuesTheWork();
    void delay_holdsTheWorkBack();
    void replyPoint_becomesAByteFault_data();
    void replyPoint_becomesAByteFault();
    void replyBuilt_isPassedBeforeTheBytes_data();
    void replyBuilt_isPassedBeforeTheBytes();
    void delayedReply_leavesWhole();
    void nth_countsPerActionAndOperation();
    void times_boundsTheRule();
    void firstRuleInFileOrder_fires();
    void otherOperation_isLeftAlone();
    void restartedServer_goesOnCounting();
    void clientThatLeft_isWrittenDown();
    void refusedRequest_isWrittenDown();
    void reset_dropsWhatArrivedBefore();
    void reset_endsSleepersAndSilentConnections();
    void rowOfARule_isWrittenBeforeItsAction();
    void silentConnections_areBounded();

private:
    void restart()
    {
        m_engine.reset();
        m_journal.reset();
        m_journal = std::move(*ArrivalJournal::open(m_dir->filePath(QStringLiteral("arrivals.jsonl"))));
        m_engine = std::make_unique<ScenarioEngine>(*m_journal);
    }
    [[nodiscard]] const ArrivalRow& lastRow() const { return m_journal->rows().back(); }

    std::unique_ptr<QTemporaryDir> m_dir;
    std::unique_ptr<ArrivalJournal> m_journal;
    std::unique_ptr<ScenarioEngine> m_engine;
};

void TestScenarioEngine::init()
{
    m_engine.reset();
    m_dir = std::make_unique<QTemporaryDir>();
    restart();
}

void TestScenarioEngine::withoutScenario_onlyTheArrivalIsWritten()
{
    Passage passage;
    for (const auto point : {Point::Received, Point::KeyClaimed, Point::BankBefore, Point::BankCommitted, Point::ResultSaved})
        QVERIFY(passage.reach(*m_engine, point));
    m_engine->answer(passage.arrival, okResponse());
    QCOMPARE(passage.exchange->did, QByteArrayList{"answer 200 {}"});
    QVERIFY(!passage.exchange->faults.front());
    QCOMPARE(m_journal->rows().size(), std::size_t(1));
    QCOMPARE(lastRow().bytesIn, std::int64_t(100));
    QCOMPARE(passage.arrival.nth, 1);
}

void TestScenarioEngine::action_endsOrContinuesTheWork_data()
{
    QTest::addColumn<FaultAction>("action");
    QTest::addColumn<Point>("point");
    QTest::addColumn<bool>("goesOn");
    QTest::addColumn<QByteArray>("did");
    const std::vector<std::tuple<const char*, FaultAction, QByteArray>> actions = {
        {"hang", Hang{}, "silence"},
        {"fin", Fin{}, "fin"},
        {"rst", Rst{}, "rst"},
        {"reply", Reply{500, "oops", {}}, "answer 500 oops"},
    };
    for (const auto& [name, action, did] : actions)
        for (const auto point :
             {Point::Received, Point::KeyClaimed, Point::BankBefore, Point::BankCommitted, Point::ResultSaved})
            QTest::addRow("%s at %s", name, std::string(nameOf(point)).c_str())
                << action << point << (point != Point::Received) << did;
}

void TestScenarioEngine::action_endsOrContinuesTheWork()
{
    QFETCH(FaultAction, action);
    QFETCH(Point, point);
    QFETCH(bool, goesOn);
    QFETCH(QByteArray, did);
    m_engine->load(scenarioOf({rule(point, action)}));
    Passage passage;
    if (point != Point::Received)
        QVERIFY(passage.reach(*m_engine, Point::Received));
    QCOMPARE(passage.reach(*m_engine, point), goesOn);
    QCOMPARE(passage.exchange->did, QByteArrayList{did});
    QCOMPARE(lastRow().rule, std::string("r1"));
    QCOMPARE(lastRow().point, point);
    const auto rows = m_journal->rows().size();
    QCOMPARE(rows, std::size_t(point == Point::Received ? 1 : 2));
    // The shop's own answer is never sent after it, nor taken for a client that left
    m_engine->answer(passage.arrival, okResponse());
    QCOMPARE(passage.exchange->did, QByteArrayList{did});
    QCOMPARE(m_journal->rows().size(), rows);
}

void TestScenarioEngine::delay_holdsTheWorkBack()
{
    m_engine->load(scenarioOf({rule(Point::BankBefore, Delay{50ms})}));
    Passage passage;
    QVERIFY(passage.reach(*m_engine, Point::Received));
    QElapsedTimer watch;
    watch.start();
    QVERIFY(!passage.reach(*m_engine, Point::BankBefore));
    QTRY_COMPARE(passage.proceeded, 2);
    QVERIFY(watch.elapsed() >= 50);
    QVERIFY(passage.exchange->isOpen());
}

void TestScenarioEngine::replyPoint_becomesAByteFault_data()
{
    QTest::addColumn<FaultAction>("action");
    QTest::addColumn<int>("kind");
    QTest::addColumn<int>("end");
    const auto row = [](const char* name, const FaultAction& action, ByteFault::Kind kind,
                        payonce::http::End end = payonce::http::End::Fin) {
        QTest::newRow(name) << action << static_cast<int>(kind) << static_cast<int>(end);
    };
    row("delay", Delay{5ms}, ByteFault::Kind::Pause);
    row("hang", Hang{}, ByteFault::Kind::Silence);
    row("fin", Fin{}, ByteFault::Kind::End);
    row("rst", Rst{}, ByteFault::Kind::End, payonce::http::End::Rst);
    row("cut with fin", Cut{ConnectionEnd::Fin}, ByteFault::Kind::End);
    row("cut with rst", Cut{ConnectionEnd::Rst}, ByteFault::Kind::End, payonce::http::End::Rst);
}

void TestScenarioEngine::replyPoint_becomesAByteFault()
{
    QFETCH(FaultAction, action);
    QFETCH(int, kind);
    QFETCH(int, end);
    for (const auto point : {Point::ReplyHead, Point::ReplyBody}) {
        init();
        m_engine->load(scenarioOf({rule(point, action, {}, {}, 1)}));
        Passage passage;
        passage.reach(*m_engine, Point::Received);
        m_engine->answer(passage.arrival, okResponse());
        QCOMPARE(passage.exchange->did, QByteArrayList{"answer 200 {}"});
        const auto& fault = passage.exchange->faults.front();
        QVERIFY(fault);
        QCOMPARE(fault->part, point == Point::ReplyHead ? ByteFault::Part::Head : ByteFault::Part::Body);
        QCOMPARE(fault->offset, 1);
        QCOMPARE(static_cast<int>(fault->kind), kind);
        QCOMPARE(static_cast<int>(fault->end), end);
        QCOMPARE(placeName(lastRow().point, lastRow().offset), point == Point::ReplyHead ? "reply.head@1" : "reply.body@1");
        QVERIFY(point == Point::ReplyHead ? lastRow().bytesOut == 1 : lastRow().bytesOut > 100);
    }
}

void TestScenarioEngine::replyBuilt_isPassedBeforeTheBytes_data()
{
    QTest::addColumn<FaultAction>("action");
    QTest::addColumn<QByteArray>("did");
    QTest::newRow("hang") << FaultAction(Hang{}) << QByteArray("silence");
    QTest::newRow("fin") << FaultAction(Fin{}) << QByteArray("fin");
    QTest::newRow("rst") << FaultAction(Rst{}) << QByteArray("rst");
    QTest::newRow("reply") << FaultAction(Reply{503, "", {{"Content-Type", "text/plain"}, {"Retry-After", "1"}}})
                           << QByteArray("answer 503 ");
}

void TestScenarioEngine::replyBuilt_isPassedBeforeTheBytes()
{
    QFETCH(FaultAction, action);
    QFETCH(QByteArray, did);
    m_engine->load(scenarioOf({rule(Point::ReplyBuilt, action), rule(Point::ReplyHead, Cut{})}));
    Passage passage;
    passage.reach(*m_engine, Point::Received);
    m_engine->answer(passage.arrival, okResponse());
    QCOMPARE(passage.exchange->did, QByteArrayList{did});
    QCOMPARE(m_journal->rows().size(), std::size_t(2));
    if (!passage.exchange->answers.empty()) {
        QCOMPARE(passage.exchange->answers.front().contentType, QByteArray("text/plain"));
        QCOMPARE(passage.exchange->answers.front().headers.size(), 1);
    }
}

void TestScenarioEngine::delayedReply_leavesWhole()
{
    m_engine->load(scenarioOf({rule(Point::ReplyBuilt, Delay{20ms})}));
    Passage passage;
    passage.reach(*m_engine, Point::Received);
    m_engine->answer(passage.arrival, okResponse());
    QVERIFY(passage.exchange->did.isEmpty());
    QTRY_COMPARE(passage.exchange->did, QByteArrayList{"answer 200 {}"});
}

void TestScenarioEngine::nth_countsPerActionAndOperation()
{
    m_engine->load(scenarioOf({rule(Point::Received, Fin{}, 2)}));
    QVERIFY(Passage("a").reach(*m_engine, Point::Received));
    QVERIFY(Passage("b").reach(*m_engine, Point::Received));
    QVERIFY(Passage("a", Operation::Status).reach(*m_engine, Point::Received));
    QVERIFY(!Passage("a").reach(*m_engine, Point::Received));
    QVERIFY(!Passage("b").reach(*m_engine, Point::Received));
    QVERIFY(Passage("a").reach(*m_engine, Point::Received));
}

void TestScenarioEngine::times_boundsTheRule()
{
    m_engine->load(scenarioOf({rule(Point::Received, Fin{}, {}, 2)}));
    QVERIFY(!Passage().reach(*m_engine, Point::Received));
    QVERIFY(!Passage("b").reach(*m_engine, Point::Received));
    QVERIFY(Passage().reach(*m_engine, Point::Received));
    QCOMPARE(m_journal->tally().hitsOf("r1"), 2);
}

void TestScenarioEngine::firstRuleInFileOrder_fires()
{
    auto second = rule(Point::Received, Rst{});
    second.id = "r2";
    m_engine->load(scenarioOf({rule(Point::Received, Fin{}, {}, 1), second}));
    Passage first;
    first.reach(*m_engine, Point::Received);
    QCOMPARE(first.exchange->did, QByteArrayList{"fin"});
    Passage next;
    next.reach(*m_engine, Point::Received);
    QCOMPARE(next.exchange->did, QByteArrayList{"rst"});
}

void TestScenarioEngine::otherOperation_isLeftAlone()
{
    m_engine->load(scenarioOf({rule(Point::Received, Fin{})}));
    Passage policy("", Operation::Policy);
    QVERIFY(policy.reach(*m_engine, Point::Received));
    QVERIFY(lastRow().rule.empty());
}

void TestScenarioEngine::restartedServer_goesOnCounting()
{
    const auto scenario = scenarioOf({rule(Point::Received, Fin{}, {}, 1)});
    m_engine->load(scenario);
    QVERIFY(!Passage().reach(*m_engine, Point::Received));
    restart();
    m_engine->load(scenario);
    QCOMPARE(m_journal->tally().hitsOf("r1"), 1);
    Passage again;
    QVERIFY(again.reach(*m_engine, Point::Received));
    QCOMPARE(again.arrival.nth, 2);
    // Another scenario starts from zero
    m_engine->load(scenarioOf({rule(Point::Received, Rst{}, 1, 1)}));
    QVERIFY(!Passage().reach(*m_engine, Point::Received));
}

void TestScenarioEngine::clientThatLeft_isWrittenDown()
{
    Passage passage;
    passage.reach(*m_engine, Point::Received);
    passage.exchange->leave();
    m_engine->answer(passage.arrival, okResponse());
    QCOMPARE(m_journal->rows().size(), std::size_t(2));
    QCOMPARE(lastRow().end, RowEnd::Closed);
    QCOMPARE(lastRow().point, Point::ReplyBuilt);
}

void TestScenarioEngine::refusedRequest_isWrittenDown()
{
    Passage passage;
    passage.reach(*m_engine, Point::Received);
    passage.arrival.refusal = "key-reused";
    m_engine->answer(passage.arrival, okResponse());
    QCOMPARE(m_journal->rows().size(), std::size_t(2));
    QCOMPARE(lastRow().refusal, std::string("key-reused"));
    QCOMPARE(lastRow().point, Point::ReplyBuilt);
    QCOMPARE(lastRow().end, RowEnd::None);
    restart(); // the file says the same
    QCOMPARE(lastRow().refusal, std::string("key-reused"));
}

void TestScenarioEngine::reset_dropsWhatArrivedBefore()
{
    Passage atPoint;
    Passage atAnswer;
    atPoint.reach(*m_engine, Point::Received);
    atAnswer.reach(*m_engine, Point::Received);
    m_engine->reset();
    QVERIFY(!atPoint.reach(*m_engine, Point::BankBefore));
    m_engine->answer(atAnswer.arrival, okResponse());
    QCOMPARE(atPoint.exchange->did, QByteArrayList{"fin"});
    QCOMPARE(atAnswer.exchange->did, QByteArrayList{"fin"});
    QVERIFY(m_journal->rows().empty());
    // What arrives now is served
    Passage next;
    QVERIFY(next.reach(*m_engine, Point::Received));
    QVERIFY(next.reach(*m_engine, Point::BankBefore));
    QCOMPARE(next.arrival.nth, 1);
}

void TestScenarioEngine::reset_endsSleepersAndSilentConnections()
{
    m_engine->load(scenarioOf({rule(Point::Received, Hang{}, 1), rule(Point::Received, Delay{10ms}, 2)}));
    Passage silent;
    silent.reach(*m_engine, Point::Received);
    Passage sleeper;
    sleeper.reach(*m_engine, Point::Received);
    m_engine->reset();
    QCOMPARE(silent.exchange->did, (QByteArrayList{"silence", "fin"}));
    // A delay that starts later ends later: when it is over, the other's time has long passed
    m_engine->load(scenarioOf({rule(Point::Received, Delay{30ms})}));
    Passage later;
    later.reach(*m_engine, Point::Received);
    QTRY_COMPARE(later.proceeded, 1);
    QCOMPARE(sleeper.proceeded, 0);
}

void TestScenarioEngine::rowOfARule_isWrittenBeforeItsAction()
{
    m_engine->load(scenarioOf({rule(Point::Received, Fin{})}));
    Passage passage;
    QByteArrayList whenWritten{"never"};
    connect(m_journal.get(), &ArrivalJournal::appended, this, [&] { whenWritten = passage.exchange->did; });
    passage.reach(*m_engine, Point::Received);
    QCOMPARE(whenWritten, QByteArrayList());
    QCOMPARE(passage.exchange->did, QByteArrayList{"fin"});
}

void TestScenarioEngine::silentConnections_areBounded()
{
    m_engine->load(scenarioOf({rule(Point::Received, Hang{})}));
    Passage first;
    first.reach(*m_engine, Point::Received);
    for (std::size_t i = 1; i < kMostSilent; ++i)
        Passage("b").reach(*m_engine, Point::Received);
    QCOMPARE(first.exchange->did, QByteArrayList{"silence"});
    Passage("b").reach(*m_engine, Point::Received);
    QCOMPARE(first.exchange->did, (QByteArrayList{"silence", "fin"}));
}

QTEST_GUILESS_MAIN(TestScenarioEngine)
#include "tst_scenario_engine.moc"
