// What the engine does to an answer: others instead of it, its bytes, and what comes when it has left.
#include "server_mock/faults/engine_rig.h"

#include <QtTest/QTest>

using namespace payonce::console;
using namespace payonce::faults;
using namespace std::chrono_literals;
using payonce::http::ByteFault;
using payonce::tests::answerOf;
using payonce::tests::EngineRig;
using payonce::tests::kActionId;
using payonce::tests::Passage;
using payonce::tests::rule;
using payonce::tests::scenarioOf;

Q_DECLARE_METATYPE(payonce::console::FaultAction)
Q_DECLARE_METATYPE(payonce::console::Point)

namespace {

Rule statusRule(Stale stale, std::optional<int> nth = {})
{
    auto made = rule(Point::ReplyBuilt, stale, nth);
    made.match.operation = Operation::Status;
    return made;
}

} // namespace

class TestFaultReplies : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        QTest::failOnWarning(QRegularExpression(QStringLiteral(".*")));
        m_rig = std::make_unique<EngineRig>();
    }

    void redirect_leadsToItselfOrElsewhere();
    void stale_answersWhatWasBefore();
    void swap_answersForAnotherAction();
    void doubledAndDrippedAnswers_areFaultsOfTheBytes();
    void replyFlushed_isPassedWhenTheAnswerHasLeft_data();
    void replyFlushed_isPassedWhenTheAnswerHasLeft();
    void heldByte_goesOnAfterItsAction();

private:
    std::unique_ptr<EngineRig> m_rig;
};

void TestFaultReplies::redirect_leadsToItselfOrElsewhere()
{
    m_rig->engine().load(
        scenarioOf({rule(Point::Received, Redirect{302, "http://127.0.0.1:1/x"}, 1), rule(Point::Received, Redirect{}, 2)}));
    Passage first;
    Passage second;
    first.reach(m_rig->engine(), Point::Received);
    second.reach(m_rig->engine(), Point::Received);
    QCOMPARE(first.exchange->answers.front().headers, (payonce::http::Headers{{"Location", "http://127.0.0.1:1/x"}}));
    QCOMPARE(first.exchange->answers.front().status, 302);
    QCOMPARE(second.exchange->answers.front().headers, (payonce::http::Headers{{"Location", "/v1/payments"}}));
}

void TestFaultReplies::stale_answersWhatWasBefore()
{
    m_rig->engine().load(scenarioOf({statusRule({2}, 2)}));
    std::vector<QByteArray> told;
    for (int i = 1; i <= 4; ++i) {
        Passage look(Operation::Status);
        look.reach(m_rig->engine(), Point::Received);
        m_rig->engine().answer(look.arrival, answerOf("state " + QByteArray::number(i)));
        told.push_back(look.exchange->answers.front().body);
    }
    QVERIFY(told == (std::vector<QByteArray>{"state 1", "state 1", "state 1", "state 4"}));
    // Where nothing was before, nothing was known
    Passage first(Operation::Status, "0198c0de-7a11-7c3e-9f00-6b1f0a2c4d5f");
    m_rig->engine().load(scenarioOf({statusRule({1})}));
    first.reach(m_rig->engine(), Point::Received);
    m_rig->engine().answer(first.arrival, answerOf());
    QCOMPARE(first.exchange->answers.front().status, 404);
    QVERIFY(first.exchange->answers.front().body.contains(R"("code":"action-unknown")"));
}

void TestFaultReplies::swap_answersForAnotherAction()
{
    m_rig->engine().load(scenarioOf({rule(Point::ReplyBuilt, Swap{}, 2)}));
    const auto answerTo = [this](const std::string& action, const QByteArray& body) {
        Passage passage(Operation::Pay, action);
        passage.reach(m_rig->engine(), Point::Received);
        auto response = answerOf(body);
        response.headers.emplaceBack("Action-Id", '"' + QByteArray::fromStdString(action) + '"');
        m_rig->engine().answer(passage.arrival, response);
        return passage.exchange->answers.front();
    };
    QCOMPARE(answerTo(kActionId, "first").body, QByteArray("first"));
    // Nobody else was answered yet: the same content under another ID
    const auto alone = answerTo(kActionId, QByteArray("mine ") + kActionId);
    QCOMPARE(alone.body, QByteArray("mine 0198c0de-7a11-7c3e-9f00-6b1f0a2c4d50"));
    QCOMPARE(alone.headers.front().second, QByteArray("\"0198c0de-7a11-7c3e-9f00-6b1f0a2c4d50\""));
    QCOMPARE(answerTo("b", "of b").body, QByteArray("of b"));
    QCOMPARE(answerTo("b", "of b again").body, QByteArray("first"));
}

void TestFaultReplies::doubledAndDrippedAnswers_areFaultsOfTheBytes()
{
    m_rig->engine().load(scenarioOf({rule(Point::ReplyBuilt, Double{}, 1), rule(Point::ReplyBuilt, Drip{3, 7ms}, 2)}));
    Passage twice;
    twice.reach(m_rig->engine(), Point::Received);
    m_rig->engine().answer(twice.arrival, answerOf());
    QCOMPARE(twice.exchange->faults.front()->copies, 2);
    QCOMPARE(twice.exchange->faults.front()->kind, ByteFault::Kind::None);
    Passage dripped;
    dripped.reach(m_rig->engine(), Point::Received);
    m_rig->engine().answer(dripped.arrival, answerOf());
    const auto& fault = *dripped.exchange->faults.front();
    QCOMPARE(fault.kind, ByteFault::Kind::Drip);
    QCOMPARE(m_rig->engine().held().silent(), std::size_t(0)); // it is slow
    QVERIFY(fault.part == ByteFault::Part::Head && fault.offset == 0 && fault.piece == 3 && fault.pause == 7ms);
}

void TestFaultReplies::replyFlushed_isPassedWhenTheAnswerHasLeft_data()
{
    QTest::addColumn<FaultAction>("action");
    QTest::addColumn<QByteArray>("did");
    QTest::newRow("rst") << FaultAction(Rst{}) << QByteArray("rst");
    QTest::newRow("fin") << FaultAction(Fin{}) << QByteArray("fin");
    QTest::newRow("halfclose") << FaultAction(HalfClose{}) << QByteArray("halfclose");
    QTest::newRow("delay") << FaultAction(Delay{1ms}) << QByteArray("resume");
    QTest::newRow("double") << FaultAction(Double{}) << QByteArray("raw ");
}

void TestFaultReplies::replyFlushed_isPassedWhenTheAnswerHasLeft()
{
    QFETCH(FaultAction, action);
    QFETCH(QByteArray, did);
    m_rig->engine().load(scenarioOf({rule(Point::ReplyFlushed, action, 1)}));
    Passage passage;
    passage.reach(m_rig->engine(), Point::Received);
    m_rig->engine().answer(passage.arrival, answerOf());
    QCOMPARE(passage.exchange->did.size(), 1);
    QCOMPARE(m_rig->hits(), 0); // not before it has left
    passage.exchange->faults.front()->flushed();
    QTRY_COMPARE(passage.exchange->did.size() >= 2, true);
    QVERIFY(passage.exchange->did.at(1).startsWith(did));
    QCOMPARE(m_rig->hits(), 1);
    // Another one goes on at once
    Passage other;
    other.reach(m_rig->engine(), Point::Received);
    m_rig->engine().answer(other.arrival, answerOf());
    other.exchange->faults.front()->flushed();
    QCOMPARE(other.exchange->did.last(), QByteArray("resume"));
}

void TestFaultReplies::heldByte_goesOnAfterItsAction()
{
    m_rig->engine().load(
        scenarioOf({rule(Point::ReplyBody, Pause{}, 1, {}, 4), rule(Point::ReplyHead, ClockStep{9ms}, 2, {}, 2)}));
    Passage paused;
    paused.reach(m_rig->engine(), Point::Received);
    m_rig->engine().answer(paused.arrival, answerOf());
    QCOMPARE(paused.exchange->faults.front()->kind, ByteFault::Kind::Hold);
    QCOMPARE(paused.exchange->faults.front()->offset, 4);
    paused.exchange->faults.front()->reached();
    QCOMPARE(paused.exchange->did.size(), 1);
    QVERIFY(m_rig->engine().held().release(m_rig->engine().held().paused().begin()->first));
    QCOMPARE(paused.exchange->did.last(), QByteArray("resume"));
    Passage stepped;
    stepped.reach(m_rig->engine(), Point::Received);
    m_rig->engine().answer(stepped.arrival, answerOf());
    stepped.exchange->faults.front()->reached();
    QCOMPARE(m_rig->did, QByteArrayList{"step 9"});
    QCOMPARE(stepped.exchange->did.last(), QByteArray("resume"));
}

QTEST_GUILESS_MAIN(TestFaultReplies)
#include "tst_fault_replies.moc"
