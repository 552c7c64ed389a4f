#include "core/retry/machine_driver.h"
#include "core/retry/wire_results.h"

#include <QtCore/QRegularExpression>
#include <QtTest/QTest>

using namespace payonce::retry;
using namespace payonce::retry_tests;
using ms = std::chrono::milliseconds;

class TestRetrySending : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }
    void paidAnswer_isShownAndSaved();
    void declinedAnswer_isShownWithItsCode();
    void expiredAction_isCancelled();
    void actionExpiredBeforeItsTime_wasMadeByAWrongClock();
    void everyEnd_isRecorded();
    void previousEnd_isToldToTheServer_data();
    void previousEnd_isToldToTheServer();
    void oneNotSent_waitsAndTriesAgain();
    void twoNotSent_areOfflineOnTheirSchedule();
    void notSentAttempts_doNotCount();
    void networkHint_triesAtOnceWhenOffline();
    void offlinePastValidity_isClosedHere();
    void notSentAfterBytes_keepsConfirming();
    void retryAfter_isObeyedExactly();
    void nonsenseAdvice_isAbsent();
    void hintDuringAdvice_doesNothing();
    void refusedRow_sendsNothing_data();
    void refusedRow_sendsNothing();
    void refusedRowAfterBytes_isUnresolved();
    void displacedRow_stopsEverything();
    void anOtherOwnersFinalAnswer_isShownOnCheckAgain();
    void rowThatComesTooLate_isClosedUnsent();
    void newActionWaitsForTheOldPost();
};

void TestRetrySending::paidAnswer_isShownAndSaved()
{
    MachineDriver driver;
    driver.toSending();
    driver.give(PostEnded{1, paid()});
    QCOMPARE(driver.state(), State::Paid);
    QCOMPARE(driver.snapshot().answer.orderNumber, std::string("1001"));
    QCOMPARE(driver.all<SaveFinal>().at(0).answer.state, State::Paid);
    QVERIFY(!driver.left(TimerKind::HardLimit) && !driver.left(TimerKind::SoftDeadline) && !driver.left(TimerKind::GiveUp));
    driver.give(FinalSaved{});
    QVERIFY(driver.effects().empty());
    QCOMPARE(driver.snapshot().savesPending, 0);
    QCOMPARE(driver.snapshot().networkPending, 0);
}

void TestRetrySending::declinedAnswer_isShownWithItsCode()
{
    MachineDriver driver;
    driver.toSending();
    driver.give(PostEnded{1, declined()});
    QCOMPARE(driver.state(), State::Declined);
    QCOMPARE(driver.snapshot().answer.declineCode, std::string("insufficient_funds"));
}

void TestRetrySending::expiredAction_isCancelled()
{
    MachineDriver driver;
    driver.toSending();
    driver.advance(std::chrono::minutes(15));
    driver.give(PostEnded{1, problem(410, "action-expired")});
    QCOMPARE(driver.state(), State::Cancelled);
    QCOMPARE(driver.cause(), Cause::Expired);
}

void TestRetrySending::actionExpiredBeforeItsTime_wasMadeByAWrongClock()
{
    MachineDriver driver;
    driver.toSending();
    driver.give(PostEnded{1, problem(410, "action-expired")});
    QCOMPARE(driver.state(), State::Cancelled);
    QCOMPARE(driver.cause(), Cause::ClockWrong);
}

void TestRetrySending::everyEnd_isRecorded()
{
    MachineDriver driver;
    driver.toSending();
    driver.give(PostEnded{1, lost()});
    const auto end = driver.all<SaveAttemptEnd>().at(0);
    QCOMPARE(end.number, 1);
    QCOMPARE(end.end.error, TransportError::RemoteClosed);
    QVERIFY(end.end.bytesTaken > 0);
    QVERIFY(driver.snapshot().anyByteTaken);
}

void TestRetrySending::previousEnd_isToldToTheServer_data()
{
    QTest::addColumn<int>("how");
    QTest::newRow("closed") << static_cast<int>(PreviousEnd::Closed);
    QTest::newRow("timeout") << static_cast<int>(PreviousEnd::Timeout);
    QTest::newRow("5xx") << static_cast<int>(PreviousEnd::Http5xx);
    QTest::newRow("bad answer") << static_cast<int>(PreviousEnd::BadAnswer);
}

void TestRetrySending::previousEnd_isToldToTheServer()
{
    QFETCH(int, how);
    const auto previous = static_cast<PreviousEnd>(how);
    WireResult end = lost();
    if (previous == PreviousEnd::Timeout)
        end = aborted(EndReason::HardDeadline);
    if (previous == PreviousEnd::Http5xx)
        end = problem(502, "x");
    if (previous == PreviousEnd::BadAnswer)
        end.status = 201;
    MachineDriver driver;
    driver.toSending();
    driver.give(PostEnded{1, end});
    driver.give(ProbeEnded{notFound()});
    QVERIFY(driver.fire(TimerKind::NextPost));
    driver.give(AttemptRowSaved{2});
    const auto note = driver.all<SendPost>().at(0).request.note;
    QCOMPARE(note.previous, previous);
    QCOMPARE(note.number, 2);
}

void TestRetrySending::oneNotSent_waitsAndTriesAgain()
{
    MachineDriver driver;
    driver.toSending();
    driver.give(PostEnded{1, notSent()});
    QCOMPARE(driver.state(), State::RetryWait);
    QVERIFY(!driver.snapshot().anyByteTaken);
    QVERIFY(!driver.has<SendProbe>());
    QVERIFY(driver.left(TimerKind::NextPost).value() >= ms(100) && driver.left(TimerKind::NextPost).value() <= ms(300));
    QCOMPARE(driver.snapshot().nextTry.value(), driver.now().mono + driver.left(TimerKind::NextPost).value());
    QVERIFY(driver.fire(TimerKind::NextPost));
    QCOMPARE(driver.all<SaveAttemptRow>().at(0).number, 2);
    driver.give(AttemptRowSaved{2});
    QCOMPARE(driver.state(), State::Sending);
    QCOMPARE(driver.all<SendPost>().at(0).request.note.previous, PreviousEnd::NotSent);
}

void TestRetrySending::twoNotSent_areOfflineOnTheirSchedule()
{
    MachineDriver driver;
    driver.toSending();
    driver.give(PostEnded{1, notSent()});
    int number = 1;
    for (const ms delay : {ms(2000), ms(5000), ms(15000), ms(30000), ms(30000)}) {
        QVERIFY(driver.fire(TimerKind::NextPost));
        driver.saveRow(++number);
        QCOMPARE(driver.state(), State::Sending); // a byte may be leaving: no word about "nothing was sent"
        driver.give(PostEnded{number, notSent()});
        QCOMPARE(driver.state(), State::Offline);
        QCOMPARE(driver.left(TimerKind::NextPost), std::optional<ms>(delay));
        QVERIFY(!driver.left(TimerKind::GiveUp));
    }
}

void TestRetrySending::notSentAttempts_doNotCount()
{
    MachineDriver driver;
    driver.toSending();
    for (int number = 1; number < 9; ++number) {
        driver.give(PostEnded{number, notSent()});
        QVERIFY(driver.fire(TimerKind::NextPost));
        driver.saveRow(number + 1);
    }
    for (int number = 9; number < 12; ++number) {
        driver.loseAndAllowNext(number);
        driver.saveRow(number + 1);
    }
    driver.give(PostEnded{12, lost()});
    driver.give(ProbeEnded{notFound()});
    QCOMPARE(driver.cause(), Cause::AttemptsSpent);
}

void TestRetrySending::networkHint_triesAtOnceWhenOffline()
{
    MachineDriver driver;
    driver.toSending();
    driver.give(PostEnded{1, notSent()});
    QVERIFY(driver.fire(TimerKind::NextPost));
    driver.saveRow(2);
    driver.give(PostEnded{2, notSent()});
    QCOMPARE(driver.state(), State::Offline);
    driver.give(NetworkHint{});
    QVERIFY(driver.has<SaveAttemptRow>());
    QVERIFY(!driver.left(TimerKind::NextPost));
}

void TestRetrySending::offlinePastValidity_isClosedHere()
{
    MachineDriver driver;
    driver.toSending();
    driver.give(PostEnded{1, notSent()});
    driver.advance(std::chrono::minutes(15));
    QVERIFY(driver.fire(TimerKind::NextPost));
    QVERIFY(!driver.has<SaveAttemptRow>());
    QVERIFY(driver.has<SaveWish>());
    driver.give(WishSaved{WishKept::ClosedUnsent});
    QCOMPARE(driver.state(), State::Cancelled);
    QCOMPARE(driver.cause(), Cause::NeverSent);
}

void TestRetrySending::notSentAfterBytes_keepsConfirming()
{
    MachineDriver driver;
    driver.toSending();
    driver.loseAndAllowNext(1);
    driver.saveRow(2);
    for (int number = 2; number < 6; ++number) {
        driver.give(PostEnded{number, notSent()});
        QCOMPARE(driver.state(), State::Confirming);
        driver.give(ProbeEnded{lost()});
        QVERIFY(driver.fire(TimerKind::NextPost));
        driver.saveRow(number + 1);
    }
    QVERIFY(driver.fire(TimerKind::GiveUp));
    QCOMPARE(driver.state(), State::Unresolved);
    QCOMPARE(driver.cause(), Cause::Late);
}

void TestRetrySending::retryAfter_isObeyedExactly()
{
    for (const auto& refusal : {problem(429, "rate-limited"), problem(503, "store-unavailable")}) {
        MachineDriver driver;
        driver.toSending();
        driver.give(PostEnded{1, withRetryAfter(refusal, ms(20000))});
        QCOMPARE(driver.state(), State::RetryWait);
        const ms left = driver.left(TimerKind::NextPost).value();
        QVERIFY(left >= ms(20000) && left <= ms(22000));
        QVERIFY(driver.snapshot().nextTry.has_value());
        QVERIFY(driver.fire(TimerKind::NextPost));
        QVERIFY(driver.has<SaveAttemptRow>());
    }
}

void TestRetrySending::nonsenseAdvice_isAbsent()
{
    MachineDriver driver;
    driver.toSending();
    driver.give(PostEnded{1, withRetryAfter(problem(429, "rate-limited"), std::chrono::hours(25))});
    QVERIFY(driver.left(TimerKind::NextPost).value() <= ms(300));
}

void TestRetrySending::hintDuringAdvice_doesNothing()
{
    MachineDriver driver;
    driver.toSending();
    driver.give(PostEnded{1, withRetryAfter(problem(429, "rate-limited"), ms(20000))});
    driver.give(NetworkHint{});
    QVERIFY(driver.effects().empty());
    driver.give(ClockJumped{});
    QVERIFY(!driver.has<SendProbe>() && !driver.has<SaveAttemptRow>());
}

void TestRetrySending::refusedRow_sendsNothing_data()
{
    QTest::addColumn<int>("error");
    for (const auto error : {JournalError::DiskFull, JournalError::ReadOnly, JournalError::Locked, JournalError::Failed})
        QTest::addRow("error %d", static_cast<int>(error)) << static_cast<int>(error);
}

void TestRetrySending::refusedRow_sendsNothing()
{
    QFETCH(int, error);
    MachineDriver driver;
    driver.toRowSave();
    driver.give(AttemptRowRefused{2, static_cast<JournalError>(error)});
    QVERIFY(driver.has<MarkToldNotStarted>());
    QVERIFY(!driver.has<SendPost>() && !driver.has<SendProbe>() && !driver.has<SaveAttemptRow>());
    QCOMPARE(driver.state(), State::NotStarted);
    QCOMPARE(driver.cause(), Cause::DiskRefused);
    driver.give(TryAgainPressed{});
    QCOMPARE(driver.all<SaveReady>().at(0).first.number, 3); // row 2 may be durable all the same
}

void TestRetrySending::refusedRowAfterBytes_isUnresolved()
{
    MachineDriver driver;
    driver.toSending();
    driver.loseAndAllowNext(1);
    driver.give(AttemptRowRefused{2, JournalError::DiskFull});
    QVERIFY(!driver.has<SendPost>());
    QCOMPARE(driver.state(), State::Unresolved);
    QCOMPARE(driver.cause(), Cause::DiskRefused);
    QVERIFY(driver.left(TimerKind::NextProbe).has_value());
}

void TestRetrySending::displacedRow_stopsEverything()
{
    for (const auto& error : {std::optional<JournalError>(), std::optional(JournalError::Displaced)}) {
        MachineDriver driver;
        driver.toSending();
        driver.loseAndAllowNext(1);
        driver.give(AttemptRowRefused{2, error});
        QVERIFY(!driver.has<SendPost>() && driver.has<RereadJournal>());
        QCOMPARE(driver.state(), State::Unresolved);
        QCOMPARE(driver.cause(), Cause::OtherOwner);
        for (int timer = 0; timer <= static_cast<int>(TimerKind::FenceDue); ++timer)
            QVERIFY(!driver.left(static_cast<TimerKind>(timer)));
        driver.give(NetworkHint{});
        QVERIFY(driver.effects().empty());
    }
}

void TestRetrySending::anOtherOwnersFinalAnswer_isShownOnCheckAgain()
{
    MachineDriver driver;
    driver.toRowSave();
    driver.give(AttemptRowRefused{2, {}});
    driver.give(CheckAgainPressed{});
    QVERIFY(driver.effects().empty()); // one reading is under way
    driver.give(JournalReread{false, {}});
    driver.give(CheckAgainPressed{});
    QVERIFY(driver.has<RereadJournal>());
    auto action = driver.stored();
    action.final = FinalAnswer{State::Paid, Cause::None, "1001", "ch_1", {}};
    driver.give(JournalReread{true, action});
    QCOMPARE(driver.state(), State::Paid);
    QVERIFY(!driver.has<SaveFinal>());
}

void TestRetrySending::rowThatComesTooLate_isClosedUnsent()
{
    MachineDriver driver;
    driver.toRowSave();
    driver.advance(std::chrono::minutes(15));
    driver.give(AttemptRowSaved{2});
    QVERIFY(!driver.has<SendPost>());
    QCOMPARE(driver.all<SaveAttemptEnd>().at(0).end.bytesTaken, 0);
    driver.give(WishSaved{WishKept::ClosedUnsent});
    QCOMPARE(driver.state(), State::Cancelled);
    QCOMPARE(driver.cause(), Cause::NeverSent);
}

void TestRetrySending::newActionWaitsForTheOldPost()
{
    MachineDriver driver;
    driver.toSending();
    QVERIFY(driver.fire(TimerKind::SoftDeadline));
    driver.give(ProbeEnded{found(payonce::values::RecordState::Failed)});
    QCOMPARE(driver.state(), State::Declined);
    QVERIFY(driver.has<AbortPost>());
    driver.give(FinalSaved{});
    driver.give(StartOverPressed{});
    QCOMPARE(driver.state(), State::Editing);
    driver.give(PayPressed{anotherId(), MachineDriver::aScope(), MachineDriver::aPurchase()});
    driver.give(ActionSaved{1});
    driver.give(CardExchanged{MachineDriver::exchanged()});
    driver.give(ReadySaved{MachineDriver::aRequest(), AttemptBegun::Inserted});
    QVERIFY(!driver.has<SaveAttemptRow>() && !driver.has<SendPost>());
    QCOMPARE(driver.all<SaveAttemptEnd>().at(0).id, anotherId()); // its row is closed unsent
    QCOMPARE(driver.all<SaveAttemptEnd>().at(0).end.bytesTaken, 0);
    driver.give(PostEnded{1, paid()}); // late, and contrary at that
    QCOMPARE(driver.all<SaveAttemptEnd>().at(0).id, anId());
    QCOMPARE(driver.all<SaveAttemptRow>().at(0).id, anotherId());
    QCOMPARE(driver.all<SaveAttemptRow>().at(0).number, 2);
    QVERIFY(driver.state() != State::Paid && !driver.snapshot().anyByteTaken);
}

QTEST_APPLESS_MAIN(TestRetrySending)
#include "tst_retry_sending.moc"
