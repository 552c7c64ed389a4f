#include "core/runner/runner_bench.h"

#include <QtCore/QRegularExpression>
#include <QtCore/QTimer>
#include <QtTest/QSignalSpy>
#include <QtTest/QTest>

#include <algorithm>

using namespace payonce;
using namespace payonce::runnertest;
using retry::Cause;
using retry::JournalError;
using retry::State;
using support::Durability;
using support::Fate;
using support::JournalCall;

class ActionRunnerTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup();

    void pay_showsSavingInTheSameCall();
    void payBeforeReady_doesNothing();
    void cleanPayment_isPaidAndSavedInOrder();
    void stalledDisk_sendsNothingAndBlocksNobody_data();
    void stalledDisk_sendsNothingAndBlocksNobody();
    void refusedSave_isNotStartedAndTheSameIdGoesOn_data();
    void refusedSave_isNotStartedAndTheSameIdGoesOn();
    void saveThatFailedThoughDurable_isNeverSentByItself();
    void refusedAttemptRow_sendsNothing();
    void takenReference_mintsAnotherId();
    void lostReply_isConfirmedByAProbe();
    void hangingPost_isProbedBesideIt();
    void frozenPost_isAbortedAndSentAgain();
    void notSent_isSentAgain();
    void brokenAnswer_isNotBelieved();
    void answerTwice_isTakenOnce();
    void secondPress_startsNoSecondAction();
    void declinedCard_thenANewIdWithAnotherCard();
    void unreachableExchange_isNotStartedAndKeepsTheCard();
    void refusedFinalSave_isSavedAgain();
    void unreadableJournal_isReported();
    void serverTime_isTheTimeOfIds();

private:
    /// Started, and Pay may be offered.
    void begin();

    std::unique_ptr<RunnerBench> m_bench;
};

void ActionRunnerTest::init()
{
    QTest::failOnWarning(QRegularExpression(QStringLiteral(".*")));
    m_bench = std::make_unique<RunnerBench>();
}

void ActionRunnerTest::cleanup()
{
    const auto broken = m_bench->shop.brokenRules();
    m_bench->disk->release();
    m_bench.reset();
    QVERIFY2(broken.empty(), broken.empty() ? "" : broken.front().c_str());
}

void ActionRunnerTest::begin()
{
    m_bench->launch();
    QTRY_VERIFY(m_bench->isReady);
}

void ActionRunnerTest::pay_showsSavingInTheSameCall()
{
    begin();
    QSignalSpy changed(m_bench->runner.get(), &runner::ActionRunner::snapshotChanged);

    m_bench->runner->pay(aPurchase(), aCard());

    QVERIFY(m_bench->state() == State::Saving);
    QCOMPARE(changed.count(), 1);
    QVERIFY(m_bench->shop.exchanges().empty());
}

void ActionRunnerTest::payBeforeReady_doesNothing()
{
    m_bench->launch();

    m_bench->runner->pay(aPurchase(), aCard());

    QVERIFY(m_bench->state() == State::Editing);
    QTRY_VERIFY(m_bench->isReady);
    QVERIFY(m_bench->state() == State::Editing);
}

void ActionRunnerTest::cleanPayment_isPaidAndSavedInOrder()
{
    begin();

    m_bench->runner->pay(aPurchase(), aCard());

    QTRY_VERIFY(m_bench->state() == State::Paid);
    QCOMPARE(m_bench->runner->snapshot().answer.orderNumber, std::string("1001"));
    QCOMPARE(m_bench->shop.posts().size(), 1U);
    QCOMPARE(m_bench->shop.charges(), 1U);
    QTRY_VERIFY(m_bench->disk->all().front().final);
    const std::vector<JournalCall> wanted = {JournalCall::TakeOverOpen, JournalCall::SaveAction, JournalCall::SaveReady,
                                             JournalCall::EndAttempt, JournalCall::SaveFinal};
    QVERIFY(m_bench->disk->calls() == wanted);
    QVERIFY(m_bench->disk->all().front().attempts.front().end);
    QCOMPARE(m_bench->disk->all().front().ready->body, m_bench->shop.posts().front().body);
}

void ActionRunnerTest::stalledDisk_sendsNothingAndBlocksNobody_data()
{
    QTest::addColumn<int>("stalled");
    QTest::addColumn<int>("exchanges");

    QTest::newRow("save 1") << static_cast<int>(JournalCall::SaveAction) << 0;
    QTest::newRow("save 2 with the first row") << static_cast<int>(JournalCall::SaveReady) << 1;
}

void ActionRunnerTest::stalledDisk_sendsNothingAndBlocksNobody()
{
    QFETCH(const int, stalled);
    QFETCH(const int, exchanges);
    begin();
    const auto call = static_cast<JournalCall>(stalled);
    m_bench->disk->hold(call);
    int ticks = 0;
    QTimer tick;
    connect(&tick, &QTimer::timeout, &tick, [&ticks] { ++ticks; });

    m_bench->runner->pay(aPurchase(), aCard());
    QTRY_COMPARE(m_bench->disk->calls().back(), call);
    tick.start(std::chrono::milliseconds(10));
    QTRY_VERIFY(ticks >= 200); // two seconds of a window that lives

    QVERIFY(m_bench->shop.posts().empty());
    QCOMPARE(m_bench->shop.exchanges().size(), static_cast<std::size_t>(exchanges));
    m_bench->disk->release();
    QTRY_VERIFY(m_bench->state() == State::Paid);
    QCOMPARE(m_bench->shop.posts().size(), 1U);
}

void ActionRunnerTest::refusedSave_isNotStartedAndTheSameIdGoesOn_data()
{
    QTest::addColumn<int>("save");
    QTest::addColumn<int>("error");

    QTest::newRow("save 1, disk full") << static_cast<int>(JournalCall::SaveAction) << static_cast<int>(JournalError::DiskFull);
    QTest::newRow("save 2, disk full") << static_cast<int>(JournalCall::SaveReady) << static_cast<int>(JournalError::DiskFull);
    QTest::newRow("save 2, locked") << static_cast<int>(JournalCall::SaveReady) << static_cast<int>(JournalError::Locked);
}

void ActionRunnerTest::refusedSave_isNotStartedAndTheSameIdGoesOn()
{
    QFETCH(const int, save);
    QFETCH(const int, error);
    begin();
    m_bench->disk->failNext(static_cast<JournalCall>(save), static_cast<JournalError>(error));

    m_bench->runner->pay(aPurchase(), aCard());

    QTRY_VERIFY(m_bench->state() == State::NotStarted);
    QVERIFY(m_bench->cause() == Cause::DiskRefused);
    QVERIFY(m_bench->shop.posts().empty());
    const auto id = m_bench->runner->snapshot().action->id;
    m_bench->runner->tryAgain();
    QTRY_VERIFY(m_bench->state() == State::Paid);
    QVERIFY(m_bench->shop.posts().front().id == id);
    QCOMPARE(m_bench->shop.charges(), 1U);
}

void ActionRunnerTest::saveThatFailedThoughDurable_isNeverSentByItself()
{
    begin();
    m_bench->disk->failNext(JournalCall::SaveReady, JournalError::Failed, Durability::Durable);

    m_bench->runner->pay(aPurchase(), aCard());

    QTRY_VERIFY(m_bench->state() == State::NotStarted);
    QTRY_VERIFY(m_bench->disk->all().front().toldNotStarted);
    QTRY_VERIFY(m_bench->disk->all().front().attempts.front().end); // its row is recorded as never sent
    QCOMPARE(m_bench->disk->all().front().attempts.front().end->bytesTaken, 0);
    const std::string body = m_bench->disk->all().front().ready->body;
    m_bench->launch(); // and not after a restart either
    QTRY_VERIFY(m_bench->isReady);
    QVERIFY(m_bench->state() == State::NotStarted);
    QVERIFY(m_bench->shop.posts().empty());
    m_bench->runner->tryAgain();
    QTRY_VERIFY(m_bench->state() == State::Paid);
    QCOMPARE(m_bench->shop.posts().front().body, body);
}

void ActionRunnerTest::refusedAttemptRow_sendsNothing()
{
    begin();
    m_bench->shop.postPlan = {Fate::NotSent};
    m_bench->disk->failNext(JournalCall::BeginAttempt, JournalError::DiskFull); // of attempt 2

    m_bench->runner->pay(aPurchase(), aCard());

    QTRY_VERIFY(m_bench->state() == State::NotStarted);
    QCOMPARE(m_bench->shop.posts().size(), 1U);
    QCOMPARE(m_bench->shop.charges(), 0U);
}

void ActionRunnerTest::takenReference_mintsAnotherId()
{
    begin();
    m_bench->disk->failNext(JournalCall::SaveAction, JournalError::ReferenceTaken);

    m_bench->runner->pay(aPurchase(), aCard());
    const auto first = m_bench->runner->snapshot().action->id;

    QTRY_VERIFY(m_bench->state() == State::Paid);
    QVERIFY(m_bench->shop.posts().front().id != first);
}

void ActionRunnerTest::lostReply_isConfirmedByAProbe()
{
    begin();
    m_bench->shop.postPlan = {Fate::LoseReply};

    m_bench->runner->pay(aPurchase(), aCard());

    QTRY_VERIFY(m_bench->state() == State::Paid);
    QCOMPARE(m_bench->shop.posts().size(), 1U);
    QVERIFY(!m_bench->shop.probes().empty());
    QCOMPARE(m_bench->shop.charges(), 1U);
}

void ActionRunnerTest::hangingPost_isProbedBesideIt()
{
    begin();
    m_bench->shop.postPlan = {Fate::Hang};

    m_bench->runner->pay(aPurchase(), aCard());

    QTRY_VERIFY(m_bench->state() == State::Paid);
    QCOMPARE(m_bench->shop.posts().size(), 1U);
    QVERIFY(m_bench->shop.aborts() == std::vector{retry::EndReason::Finished});
}

void ActionRunnerTest::frozenPost_isAbortedAndSentAgain()
{
    begin();
    m_bench->shop.postPlan = {Fate::Freeze};

    m_bench->runner->pay(aPurchase(), aCard());

    QTRY_VERIFY_WITH_TIMEOUT(m_bench->state() == State::Paid, kPatience);
    QCOMPARE(m_bench->shop.posts().size(), 2U);
    QVERIFY(m_bench->shop.aborts() == std::vector{retry::EndReason::FrozenPost});
    QVERIFY(m_bench->shop.posts().front().id == m_bench->shop.posts().back().id);
}

void ActionRunnerTest::notSent_isSentAgain()
{
    begin();
    m_bench->shop.postPlan = {Fate::NotSent, Fate::NotSent, Fate::NotSent};

    m_bench->runner->pay(aPurchase(), aCard());

    QTRY_VERIFY_WITH_TIMEOUT(m_bench->state() == State::Paid, kPatience);
    QCOMPARE(m_bench->shop.posts().size(), 4U);
    QCOMPARE(m_bench->shop.charges(), 1U);
}

void ActionRunnerTest::brokenAnswer_isNotBelieved()
{
    begin();
    m_bench->shop.postPlan = {Fate::Break};

    m_bench->runner->pay(aPurchase(), aCard());

    QTRY_VERIFY(m_bench->state() == State::Paid);
    QVERIFY(!m_bench->shop.probes().empty());
}

void ActionRunnerTest::answerTwice_isTakenOnce()
{
    begin();
    m_bench->shop.postPlan = {Fate::Repeat};

    m_bench->runner->pay(aPurchase(), aCard());

    QTRY_VERIFY(m_bench->state() == State::Paid);
    QTRY_VERIFY(m_bench->disk->all().front().final);
    const auto calls = m_bench->disk->calls();
    QCOMPARE(std::count(calls.begin(), calls.end(), JournalCall::SaveFinal), 1);
}

void ActionRunnerTest::secondPress_startsNoSecondAction()
{
    begin();
    m_bench->runner->pay(aPurchase(), aCard());
    const auto id = m_bench->runner->snapshot().action->id;

    m_bench->runner->pay(aPurchase(), aCard());

    QVERIFY(m_bench->runner->snapshot().action->id == id);
    QTRY_VERIFY(m_bench->state() == State::Paid);
    QCOMPARE(m_bench->disk->all().size(), 1U);
    QCOMPARE(m_bench->shop.posts().size(), 1U);
}

void ActionRunnerTest::declinedCard_thenANewIdWithAnotherCard()
{
    begin();
    m_bench->shop.postPlan = {Fate::Decline};
    m_bench->runner->pay(aPurchase(), aCard());
    QTRY_VERIFY(m_bench->state() == State::Declined);
    const auto first = m_bench->runner->snapshot().action->id;

    m_bench->runner->startOver();
    QTRY_VERIFY(m_bench->state() == State::Editing);
    m_bench->runner->pay(aPurchase(), aCard());

    QTRY_VERIFY(m_bench->state() == State::Paid);
    QVERIFY(m_bench->runner->snapshot().action->id != first);
    QCOMPARE(m_bench->shop.charges(), 1U);
}

void ActionRunnerTest::unreachableExchange_isNotStartedAndKeepsTheCard()
{
    begin();
    m_bench->shop.exchangePlan = {{}, {}, {}};

    m_bench->runner->pay(aPurchase(), aCard());

    QTRY_VERIFY_WITH_TIMEOUT(m_bench->state() == State::NotStarted, kPatience);
    QVERIFY(m_bench->cause() == Cause::ShopUnreachable);
    QVERIFY(m_bench->shop.posts().empty());
    m_bench->runner->tryAgain();
    QTRY_VERIFY(m_bench->state() == State::Paid);
    QCOMPARE(m_bench->shop.exchanges().back().number, aCard().number);
}

void ActionRunnerTest::refusedFinalSave_isSavedAgain()
{
    begin();
    m_bench->disk->failNext(JournalCall::SaveFinal, JournalError::DiskFull);

    m_bench->runner->pay(aPurchase(), aCard());

    QTRY_VERIFY(m_bench->state() == State::Paid);
    QTRY_VERIFY(m_bench->disk->all().front().final);
}

void ActionRunnerTest::unreadableJournal_isReported()
{
    m_bench->disk->failNext(JournalCall::TakeOverOpen, JournalError::Damaged);
    m_bench->launch();
    std::optional<JournalError> reported;
    connect(m_bench->runner.get(), &runner::ActionRunner::journalFailed, this,
            [&reported](JournalError error) { reported = error; });

    QTRY_VERIFY(reported == JournalError::Damaged);

    m_bench->runner->pay(aPurchase(), aCard());
    QVERIFY(!m_bench->isReady && m_bench->state() == State::Editing);
}

void ActionRunnerTest::serverTime_isTheTimeOfIds()
{
    begin();
    const auto ahead = m_bench->environment.now().wall + std::chrono::hours(1);
    m_bench->runner->serverTimeSeen(ahead);

    m_bench->runner->pay(aPurchase(), aCard());

    const retry::StoredAction action = *m_bench->runner->snapshot().action;
    QVERIFY(action.id.madeAt().value() >= ahead && action.id.madeAt().value() < ahead + std::chrono::minutes(1));
    QVERIFY(action.validUntil >= ahead + m_bench->numbers.validFor);
}

QTEST_GUILESS_MAIN(ActionRunnerTest)
#include "tst_action_runner.moc"
