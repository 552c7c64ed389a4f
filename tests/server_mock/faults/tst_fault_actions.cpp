// What the engine does for each action beside the answer: waiting, copies, the surroundings, the bank.
#include "server_mock/faults/engine_rig.h"

#include <QtTest/QSignalSpy>
#include <QtTest/QTest>

#include <atomic>
#include <thread>

using namespace payonce::console;
using namespace payonce::faults;
using namespace std::chrono_literals;
using payonce::tests::answerOf;
using payonce::tests::EngineRig;
using payonce::tests::kActionId;
using payonce::tests::Passage;
using payonce::tests::rule;
using payonce::tests::scenarioOf;

Q_DECLARE_METATYPE(payonce::console::FaultAction)
Q_DECLARE_METATYPE(payonce::console::Point)

class TestFaultActions : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        QTest::failOnWarning(QRegularExpression(QStringLiteral(".*")));
        m_rig = std::make_unique<EngineRig>();
    }

    void connectionAction_endsTheWorkOnlyBeforeIt_data();
    void connectionAction_endsTheWorkOnlyBeforeIt();
    void pause_waitsForItsRelease();
    void pauseThatIsReset_neverGoesOn();
    void pauses_areBounded();
    void heldRequest_isProcessedBehindTheLostConnection_data();
    void heldRequest_isProcessedBehindTheLostConnection();
    void secondDelivery_isACopyThatNobodyHears();
    void copyOfACopy_isNotMade();
    void surroundings_areActedOnAndTheWorkGoesOn();
    void failingSave_isTheNextOneOfThatWorkOnly();
    void failingSave_waitsForADelayBetween();
    void bankInside_isDoneOnTheBanksThread();
    void bankInside_pauseIsReleased();
    void nthAtTheHead_isTheRequestsOwn();
    void pointThatIsWrittenDown_hasItsRow();
    void addedRule_countsFromZero();

private:
    std::unique_ptr<EngineRig> m_rig;
};

void TestFaultActions::connectionAction_endsTheWorkOnlyBeforeIt_data()
{
    QTest::addColumn<FaultAction>("action");
    QTest::addColumn<Point>("point");
    QTest::addColumn<QByteArray>("did");
    const std::vector<std::tuple<const char*, FaultAction, QByteArray>> actions = {
        {"halfclose", HalfClose{}, "halfclose"},
        {"garbage", Garbage{}, "raw 35"},
        {"redirect", Redirect{}, "answer 307 "},
    };
    for (const auto& [name, action, did] : actions)
        for (const auto point : {Point::Head, Point::Received, Point::KeyLookedUp, Point::BankAnswered, Point::ResultSaved})
            QTest::addRow("%s at %s", name, std::string(nameOf(point)).c_str()) << action << point << did;
}

void TestFaultActions::connectionAction_endsTheWorkOnlyBeforeIt()
{
    QFETCH(FaultAction, action);
    QFETCH(Point, point);
    QFETCH(QByteArray, did);
    m_rig->engine().load(scenarioOf({rule(point, action)}));
    Passage passage;
    const bool isBefore = point == Point::Received || point == Point::Head;
    if (!isBefore)
        QVERIFY(passage.reach(m_rig->engine(), Point::Received));
    QCOMPARE(passage.reach(m_rig->engine(), point), !isBefore);
    QCOMPARE(passage.exchange->did, QByteArrayList{did});
    QVERIFY(passage.arrival.isHit);
    m_rig->engine().answer(passage.arrival, answerOf());
    QCOMPARE(passage.exchange->did, QByteArrayList{did});
    QCOMPARE(m_rig->hits(), 1);
}

void TestFaultActions::pause_waitsForItsRelease()
{
    m_rig->engine().load(scenarioOf({rule(Point::BankBefore, Pause{})}));
    const QSignalSpy paused(&m_rig->engine().held(), &HeldWork::hasPaused);
    Passage passage;
    passage.reach(m_rig->engine(), Point::Received);
    QVERIFY(!passage.reach(m_rig->engine(), Point::BankBefore));
    QCOMPARE(paused.count(), 1);
    const auto all = m_rig->engine().held().paused();
    QCOMPARE(all.size(), std::size_t(1));
    QCOMPARE(all.begin()->second.point, Point::BankBefore);
    QCOMPARE(all.begin()->second.actionId, std::string(kActionId));
    QCOMPARE(all.begin()->second.nth, 1);
    QVERIFY(!m_rig->engine().held().release(all.begin()->first + 1));
    QVERIFY(m_rig->engine().held().release(all.begin()->first));
    QCOMPARE(passage.proceeded, 2);
    QVERIFY(!m_rig->engine().held().release(all.begin()->first));
    QVERIFY(passage.exchange->isOpen());
}

void TestFaultActions::pauseThatIsReset_neverGoesOn()
{
    m_rig->engine().load(scenarioOf({rule(Point::Received, Pause{}, 1)}));
    Passage passage;
    passage.reach(m_rig->engine(), Point::Received);
    const auto token = m_rig->engine().held().paused().begin()->first;
    m_rig->engine().reset();
    QVERIFY(!m_rig->engine().held().release(token));
    QCOMPARE(passage.proceeded, 0);
}

void TestFaultActions::pauses_areBounded()
{
    m_rig->engine().load(scenarioOf({rule(Point::Received, Pause{})}));
    std::vector<std::unique_ptr<Passage>> passages;
    for (std::size_t i = 0; i < kMostPaused; ++i) {
        passages.push_back(std::make_unique<Passage>());
        QVERIFY(!passages.back()->reach(m_rig->engine(), Point::Received));
    }
    Passage beyond;
    QVERIFY(beyond.reach(m_rig->engine(), Point::Received));
    m_rig->engine().dropWork();
}

void TestFaultActions::heldRequest_isProcessedBehindTheLostConnection_data()
{
    QTest::addColumn<int>("meanwhile");
    QTest::addColumn<QByteArray>("did");
    QTest::newRow("hang") << int(Meanwhile::Hang) << QByteArray("silence");
    QTest::newRow("fin") << int(Meanwhile::Fin) << QByteArray("fin");
    QTest::newRow("rst") << int(Meanwhile::Rst) << QByteArray("rst");
}

void TestFaultActions::heldRequest_isProcessedBehindTheLostConnection()
{
    QFETCH(int, meanwhile);
    QFETCH(QByteArray, did);
    m_rig->engine().load(scenarioOf({rule(Point::Received, HoldThenProcess{20ms, static_cast<Meanwhile>(meanwhile)}, 1)}));
    Passage passage;
    QVERIFY(!passage.reach(m_rig->engine(), Point::Received));
    QCOMPARE(passage.exchange->did, QByteArrayList{did});
    QTRY_COMPARE(passage.proceeded, 1);
    QVERIFY(passage.reach(m_rig->engine(), Point::BankBefore));
    m_rig->engine().answer(passage.arrival, answerOf());
    QCOMPARE(passage.exchange->did, QByteArrayList{did});
    QCOMPARE(m_rig->journal().rows().size(), std::size_t(1)); // the client sent it once
}

void TestFaultActions::secondDelivery_isACopyThatNobodyHears()
{
    m_rig->engine().load(scenarioOf({rule(Point::Received, ProcessTwice{}, 1)}));
    Passage passage;
    QVERIFY(passage.reach(m_rig->engine(), Point::Received));
    QCOMPARE(m_rig->did, QByteArrayList{"copy"});
    QCOMPARE(m_rig->delivered.size(), std::size_t(1));
    QCOMPARE(m_rig->delivered.front()->request().path, QByteArray("/v1/payments"));
    QCOMPARE(m_rig->journal().rows().size(), std::size_t(2));
    QVERIFY(m_rig->delivered.front()->isOpen());
    m_rig->delivered.front()->answer(answerOf());
    QVERIFY(!m_rig->delivered.front()->isOpen());
    m_rig->engine().answer(passage.arrival, answerOf());
    QCOMPARE(passage.exchange->answers.size(), std::size_t(1));
}

void TestFaultActions::copyOfACopy_isNotMade()
{
    m_rig->engine().load(scenarioOf({rule(Point::Received, ProcessTwice{5ms})}));
    Passage passage;
    QVERIFY(passage.reach(m_rig->engine(), Point::Received));
    QVERIFY(m_rig->delivered.empty());
    QTRY_COMPARE(m_rig->delivered.size(), std::size_t(1));
    QCOMPARE(m_rig->engine().held().sleeping(), 0); // no other is on its way
}

void TestFaultActions::surroundings_areActedOnAndTheWorkGoesOn()
{
    auto second = rule(Point::KeyClaimed, ClockStep{-1000ms});
    second.id = "r2";
    auto third = rule(Point::ReplyFlushed, Forget{});
    third.id = "r3";
    m_rig->engine().load(scenarioOf({rule(Point::Received, Refuse{300ms}), second, third}));
    Passage passage;
    QVERIFY(passage.reach(m_rig->engine(), Point::Received));
    QVERIFY(passage.reach(m_rig->engine(), Point::KeyClaimed));
    m_rig->engine().answer(passage.arrival, answerOf());
    passage.exchange->faults.front()->flushed();
    QCOMPARE(m_rig->did, (QByteArrayList{"refuse 300", "step -1000", QByteArray("forget acct_1 ") + kActionId}));
    QCOMPARE(passage.exchange->did.last(), QByteArray("resume"));
}

void TestFaultActions::failingSave_isTheNextOneOfThatWorkOnly()
{
    m_rig->engine().load(scenarioOf({rule(Point::Received, StoreFail{}, 1)}));
    Passage passage;
    QVERIFY(!m_rig->engine().failsSave());
    std::vector<bool> saves;
    m_rig->engine().reach(Point::Received, passage.arrival, [&] {
        saves.push_back(m_rig->engine().failsSave());
        saves.push_back(m_rig->engine().failsSave());
    });
    QVERIFY(saves == (std::vector<bool>{true, false}));
    QVERIFY(!m_rig->engine().failsSave());
}

void TestFaultActions::failingSave_waitsForADelayBetween()
{
    auto delay = rule(Point::BankAnswered, Delay{5ms});
    delay.id = "r2";
    m_rig->engine().load(scenarioOf({rule(Point::BankCommitted, StoreFail{}), delay}));
    Passage passage;
    passage.reach(m_rig->engine(), Point::Received);
    std::vector<bool> saves;
    m_rig->engine().reach(Point::BankCommitted, passage.arrival, [&] {
        m_rig->engine().reach(Point::BankAnswered, passage.arrival, [&] { saves.push_back(m_rig->engine().failsSave()); });
    });
    QVERIFY(!m_rig->engine().failsSave()); // somebody else's
    QTRY_COMPARE(saves.size(), std::size_t(1));
    QVERIFY(saves.front());
}

void TestFaultActions::bankInside_isDoneOnTheBanksThread()
{
    m_rig->engine().load(scenarioOf(
        {rule(Point::BankInside, StoreFail{}, 1), rule(Point::BankInside, Delay{10ms}, 2), rule(Point::BankInside, Rst{}, 3)}));
    std::vector<FaultPoints::InsideBank> inside;
    for (int i = 1; i <= 4; ++i) {
        Passage passage;
        passage.reach(m_rig->engine(), Point::Received);
        inside.push_back(m_rig->engine().insideBank(passage.arrival));
        QCOMPARE(passage.exchange->did, i == 3 ? QByteArrayList{"rst"} : QByteArrayList());
    }
    QVERIFY(!inside.at(0)());
    const auto since = std::chrono::steady_clock::now();
    QVERIFY(inside.at(1)());
    QVERIFY(std::chrono::steady_clock::now() - since >= 10ms);
    QVERIFY(!inside.at(2) && !inside.at(3));
}

void TestFaultActions::bankInside_pauseIsReleased()
{
    m_rig->engine().load(scenarioOf({rule(Point::BankInside, Pause{})}));
    for (const bool isReleased : {true, false}) {
        Passage passage;
        passage.reach(m_rig->engine(), Point::Received);
        std::atomic<bool> isOver = false;
        std::atomic<bool> hasBegun = false;
        std::thread bank([inside = m_rig->engine().insideBank(passage.arrival), &hasBegun, &isOver] {
            hasBegun = true;
            isOver = inside();
        });
        QTRY_VERIFY(hasBegun);
        QVERIFY(!isOver);
        if (isReleased)
            QVERIFY(m_rig->engine().held().release(m_rig->engine().held().paused().begin()->first));
        else
            m_rig->engine().dropWork(); // nobody waits for ever
        bank.join();
        QVERIFY(isOver);
    }
}

void TestFaultActions::nthAtTheHead_isTheRequestsOwn()
{
    m_rig->engine().load(scenarioOf({rule(Point::Head, Rst{}, 1), rule(Point::BankBefore, Rst{}, 2)}));
    Passage lost;
    QVERIFY(!lost.reach(m_rig->engine(), Point::Head));
    Passage second;
    QVERIFY(second.reach(m_rig->engine(), Point::Head));
    Passage asReceived;
    QVERIFY(asReceived.reach(m_rig->engine(), Point::Received));
    QCOMPARE(asReceived.arrival.nth, 2);
    QVERIFY(asReceived.reach(m_rig->engine(), Point::BankBefore));
    QCOMPARE(asReceived.exchange->did, QByteArrayList{"rst"});
    // Only what was received is a POST
    QCOMPARE(m_rig->journal().tally().counts().begin()->second.arrivals, 1);
    m_rig->restart();
    m_rig->engine().load(scenarioOf({rule(Point::Head, Rst{}, 1), rule(Point::BankBefore, Rst{}, 2)}));
    Passage third;
    QVERIFY(third.reach(m_rig->engine(), Point::Head));
    QCOMPARE(third.arrival.nth, 3);
}

void TestFaultActions::pointThatIsWrittenDown_hasItsRow()
{
    Passage passage;
    passage.reach(m_rig->engine(), Point::Received);
    m_rig->engine().writeDown(Point::BankCommitted);
    passage.reach(m_rig->engine(), Point::BankCommitted);
    QCOMPARE(m_rig->journal().rows().size(), std::size_t(2));
    QCOMPARE(m_rig->journal().rows().back().point, Point::BankCommitted);
    m_rig->engine().writeDownNoMore(Point::BankCommitted);
    passage.reach(m_rig->engine(), Point::BankCommitted);
    QCOMPARE(m_rig->journal().rows().size(), std::size_t(2));
}

void TestFaultActions::addedRule_countsFromZero()
{
    QVERIFY(m_rig->engine().addRule(rule(Point::Received, Fin{}, {}, 1)));
    QVERIFY(!m_rig->engine().addRule(rule(Point::Received, Fin{}, {}, 1)));
    QVERIFY(!Passage().reach(m_rig->engine(), Point::Received));
    QVERIFY(Passage().reach(m_rig->engine(), Point::Received));
    QVERIFY(m_rig->engine().removeRule("r1"));
    QVERIFY(!m_rig->engine().removeRule("r1"));
    QVERIFY(m_rig->engine().addRule(rule(Point::Received, Fin{}, {}, 1)));
    QVERIFY(!Passage().reach(m_rig->engine(), Point::Received));
}

QTEST_GUILESS_MAIN(TestFaultActions)
#include "tst_fault_actions.moc"
