#include "core/retry/machine_driver.h"
#include "core/retry/wire_results.h"

#include <QtCore/QRegularExpression>
#include <QtTest/QTest>

using namespace payonce::retry;
using namespace payonce::retry_tests;
using payonce::values::RecordState;
using ms = std::chrono::milliseconds;

class TestRetryConfirmation : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }
    void replyLost_isAskedAboutAtOnce();
    void softDeadline_asksBesideThePost();
    void nextPost_needsAnAnswerAndItsBackoff();
    void failedProbe_permitsTheSameIdAgain();
    void recordFoundOpen_permitsNothing();
    void fourPosts_areTheMost();
    void repeat_carriesTheSameBytesAndId();
    void probes_followTheirSchedule();
    void probe_hasItsOwnLimit();
    void workingShop_isAskedOn();
    void postAnsweredInProgress_isServerWorking();
    void shopsAdvice_mayBringTheNextProbeForward();
    void hangingPost_isAbortedAtItsHardLimit();
    void frozenPost_isAbortedAfterTwoNotFounds();
    void hangingPostThatArrived_isNotAborted();
    void lastPost_isNotAbortedAsFrozen();
    void finalFromTheProbe_winsOverThePost();
    void finalFromThePost_winsOverTheProbe();
    void finalAnswer_neverReverts();
    void clockJump_asksNow();
    void hintWhileSending_asksBesideThePost();
    void pastValidity_nothingIsPosted();
    void rowSavedAfterAFinalAnswer_isNotSent();
    void rowSavedAfterGivingUp_isNotSent();
};

void TestRetryConfirmation::replyLost_isAskedAboutAtOnce()
{
    MachineDriver driver;
    driver.toSending();
    driver.give(PostEnded{1, lost()});
    QCOMPARE(driver.state(), State::Confirming);
    QCOMPARE(driver.all<SendProbe>().at(0).request.id, anId());
    QVERIFY(!driver.has<SaveAttemptRow>());
    driver.give(ProbeEnded{found(RecordState::Succeeded)});
    QCOMPARE(driver.state(), State::Paid);
    QCOMPARE(driver.snapshot().posts, 1);
    QCOMPARE(driver.snapshot().probes, 1);
}

void TestRetryConfirmation::softDeadline_asksBesideThePost()
{
    MachineDriver driver;
    driver.toSending();
    QCOMPARE(driver.left(TimerKind::SoftDeadline), std::optional<ms>(1000));
    QVERIFY(driver.fire(TimerKind::SoftDeadline));
    QCOMPARE(driver.state(), State::Confirming);
    QVERIFY(driver.has<SendProbe>());
    QVERIFY(!driver.has<AbortPost>());
    QCOMPARE(driver.snapshot().networkPending, 2);
}

void TestRetryConfirmation::nextPost_needsAnAnswerAndItsBackoff()
{
    MachineDriver driver;
    driver.toSending();
    driver.give(PostEnded{1, lost()});
    QVERIFY(driver.fire(TimerKind::NextPost)); // its backoff, but nothing is known yet
    QVERIFY(driver.effects().empty());
    driver.give(ProbeEnded{notFound()});
    QVERIFY(driver.has<SaveAttemptRow>());

    MachineDriver other;
    other.toSending();
    other.give(PostEnded{1, lost()});
    other.give(ProbeEnded{notFound()}); // known, but too early
    QVERIFY(!other.has<SaveAttemptRow>());
    QVERIFY(other.fire(TimerKind::NextPost));
    QVERIFY(other.has<SaveAttemptRow>());
}

void TestRetryConfirmation::failedProbe_permitsTheSameIdAgain()
{
    MachineDriver driver;
    driver.toSending();
    driver.give(PostEnded{1, lost()});
    driver.give(ProbeEnded{lost()});
    QVERIFY(driver.fire(TimerKind::NextPost));
    QCOMPARE(driver.all<SaveAttemptRow>().at(0).id, anId());
}

void TestRetryConfirmation::recordFoundOpen_permitsNothing()
{
    for (const auto open : {RecordState::InProgress, RecordState::Unknown}) {
        MachineDriver driver;
        driver.toSending();
        driver.give(PostEnded{1, lost()});
        driver.give(ProbeEnded{notFound()});
        QVERIFY(driver.fire(TimerKind::NextProbe));
        driver.give(ProbeEnded{found(open)}); // taken back
        (void)driver.fire(TimerKind::NextPost);
        QVERIFY(!driver.has<SaveAttemptRow>());
        QCOMPARE(driver.state(), open == RecordState::InProgress ? State::ServerWorking : State::Confirming);
    }
}

void TestRetryConfirmation::fourPosts_areTheMost()
{
    MachineDriver driver;
    driver.toAttemptsSpent();
    QCOMPARE(driver.cause(), Cause::AttemptsSpent);
    QCOMPARE(driver.snapshot().posts, 4);
    QVERIFY(!driver.left(TimerKind::NextPost));
    QCOMPARE(driver.left(TimerKind::NextProbe), std::optional<ms>(5000));
}

void TestRetryConfirmation::repeat_carriesTheSameBytesAndId()
{
    MachineDriver driver;
    driver.toSending();
    driver.loseAndAllowNext(1);
    driver.give(AttemptRowSaved{2});
    const auto request = driver.all<SendPost>().at(0).request;
    QCOMPARE(request.id, anId());
    QCOMPARE(request.body, MachineDriver::aRequest().body);
    QCOMPARE(request.note.number, 2);
    QCOMPARE(driver.state(), State::Confirming);
}

void TestRetryConfirmation::probes_followTheirSchedule()
{
    MachineDriver driver;
    driver.toSending();
    driver.give(PostEnded{1, lost()});
    driver.give(ProbeEnded{found(RecordState::InProgress)});
    for (const int whole : {500, 1000, 2000, 4000, 8000, 15000, 15000}) {
        const auto left = driver.left(TimerKind::NextProbe).value().count();
        QVERIFY2(left >= whole / 2 && left < whole, qPrintable(QStringLiteral("%1 of %2").arg(left).arg(whole)));
        QVERIFY(driver.fire(TimerKind::NextProbe));
        QVERIFY(driver.has<SendProbe>());
        driver.give(ProbeEnded{found(RecordState::InProgress)});
    }
}

void TestRetryConfirmation::probe_hasItsOwnLimit()
{
    MachineDriver driver;
    driver.toSending();
    driver.give(PostEnded{1, lost()});
    QCOMPARE(driver.left(TimerKind::ProbeLimit), std::optional<ms>(5000));
    QVERIFY(driver.fire(TimerKind::ProbeLimit));
    QCOMPARE(driver.all<AbortProbe>().at(0).reason, EndReason::HardDeadline);
    driver.give(ProbeEnded{lost(TransportError::Timeout)});
    QVERIFY(driver.left(TimerKind::NextProbe).has_value() || driver.has<SaveAttemptRow>());
}

void TestRetryConfirmation::workingShop_isAskedOn()
{
    MachineDriver driver;
    driver.toSending();
    driver.give(PostEnded{1, lost()});
    driver.give(ProbeEnded{found(RecordState::InProgress)});
    QCOMPARE(driver.state(), State::ServerWorking);
    QVERIFY(driver.fire(TimerKind::NextProbe));
    driver.give(ProbeEnded{found(RecordState::Unknown)});
    QCOMPARE(driver.state(), State::Confirming);
    QVERIFY(driver.fire(TimerKind::NextProbe));
    driver.give(ProbeEnded{found(RecordState::Failed)});
    QCOMPARE(driver.state(), State::Declined);
}

void TestRetryConfirmation::postAnsweredInProgress_isServerWorking()
{
    MachineDriver driver;
    driver.toSending();
    driver.give(PostEnded{1, withRetryAfter(problem(409, "in-progress"), ms(1000))});
    QCOMPARE(driver.state(), State::ServerWorking);
    QVERIFY(driver.has<SendProbe>()); // held by the shop itself
}

void TestRetryConfirmation::shopsAdvice_mayBringTheNextProbeForward()
{
    MachineDriver driver;
    driver.toSending();
    driver.give(PostEnded{1, lost()});
    for (int i = 0; i < 6; ++i) {
        driver.give(ProbeEnded{withRetryAfter(found(RecordState::InProgress), ms(1000))});
        QVERIFY(driver.left(TimerKind::NextProbe).value() <= ms(1000));
        QVERIFY(driver.fire(TimerKind::NextProbe));
    }
}

void TestRetryConfirmation::hangingPost_isAbortedAtItsHardLimit()
{
    MachineDriver driver;
    driver.toSending();
    QCOMPARE(driver.left(TimerKind::HardLimit), std::optional<ms>(30000));
    QVERIFY(driver.fire(TimerKind::HardLimit));
    QCOMPARE(driver.all<AbortPost>().at(0).reason, EndReason::HardDeadline);
    driver.give(PostEnded{1, aborted(EndReason::HardDeadline)});
    QCOMPARE(driver.state(), State::Confirming);
    QVERIFY(driver.has<SendProbe>());
}

void TestRetryConfirmation::frozenPost_isAbortedAfterTwoNotFounds()
{
    MachineDriver driver;
    driver.toSending();
    QVERIFY(driver.fire(TimerKind::SoftDeadline));
    const auto first = driver.now().mono;
    for (;;) {
        driver.give(ProbeEnded{notFound()});
        if (driver.now().mono - first >= ms(2000))
            break;
        QVERIFY(!driver.has<AbortPost>());
        QVERIFY(driver.fire(TimerKind::NextProbe));
    }
    QCOMPARE(driver.all<AbortPost>().at(0).reason, EndReason::FrozenPost);
    driver.give(PostEnded{1, aborted(EndReason::FrozenPost)});
    QVERIFY(driver.fire(TimerKind::NextProbe) || driver.has<SendProbe>());
    driver.give(ProbeEnded{notFound()});
    (void)driver.fire(TimerKind::NextPost);
    QCOMPARE(driver.all<SaveAttemptRow>().at(0).number, 2);
}

void TestRetryConfirmation::hangingPostThatArrived_isNotAborted()
{
    MachineDriver driver;
    driver.toSending();
    QVERIFY(driver.fire(TimerKind::SoftDeadline));
    driver.give(ProbeEnded{notFound()});
    driver.advance(ms(1900));
    QVERIFY(driver.fire(TimerKind::NextProbe));
    driver.give(ProbeEnded{found(RecordState::InProgress)});
    driver.advance(ms(1900));
    QVERIFY(driver.fire(TimerKind::NextProbe));
    driver.give(ProbeEnded{notFound()});
    QVERIFY(!driver.has<AbortPost>());
}

void TestRetryConfirmation::lastPost_isNotAbortedAsFrozen()
{
    MachineDriver driver;
    driver.toSending();
    for (int number = 1; number < 4; ++number) {
        driver.loseAndAllowNext(number);
        driver.saveRow(number + 1);
    }
    QVERIFY(driver.fire(TimerKind::SoftDeadline));
    for (int i = 0; i < 6; ++i) {
        driver.give(ProbeEnded{notFound()});
        QVERIFY(!driver.has<AbortPost>());
        QVERIFY(driver.fire(TimerKind::NextProbe));
    }
}

void TestRetryConfirmation::finalFromTheProbe_winsOverThePost()
{
    MachineDriver driver;
    driver.toSending();
    QVERIFY(driver.fire(TimerKind::SoftDeadline));
    driver.give(ProbeEnded{found(RecordState::Succeeded)});
    QCOMPARE(driver.state(), State::Paid);
    QVERIFY(driver.has<AbortPost>() && driver.has<SaveFinal>());
    driver.give(PostEnded{1, aborted(EndReason::Finished)});
    QVERIFY(driver.has<SaveAttemptEnd>());
    QVERIFY(!driver.has<SendProbe>());
    QCOMPARE(driver.state(), State::Paid);
    QCOMPARE(driver.snapshot().networkPending, 0);
}

void TestRetryConfirmation::finalFromThePost_winsOverTheProbe()
{
    MachineDriver driver;
    driver.toSending();
    QVERIFY(driver.fire(TimerKind::SoftDeadline));
    driver.give(PostEnded{1, paid()});
    QCOMPARE(driver.state(), State::Paid);
    QVERIFY(driver.has<AbortProbe>());
    driver.give(ProbeEnded{notFound()});
    QVERIFY(driver.effects().empty());
    QCOMPARE(driver.snapshot().networkPending, 0);
}

void TestRetryConfirmation::finalAnswer_neverReverts()
{
    MachineDriver driver;
    driver.toSending();
    QVERIFY(driver.fire(TimerKind::SoftDeadline));
    driver.give(ProbeEnded{found(RecordState::Succeeded)});
    driver.give(PostEnded{1, lost()});
    QCOMPARE(driver.state(), State::Paid);
    QVERIFY(!driver.has<SaveFinal>());
    for (const Event& event : {Event(NetworkHint{}), Event(ClockJumped{}), Event(TryAgainPressed{}), Event(CheckAgainPressed{}),
                               Event(TimerFired{TimerKind::GiveUp}), Event(TimerFired{TimerKind::NextPost})}) {
        driver.give(event);
        QVERIFY(driver.effects().empty());
        QCOMPARE(driver.state(), State::Paid);
    }
}

void TestRetryConfirmation::clockJump_asksNow()
{
    MachineDriver driver;
    driver.toSending();
    driver.give(PostEnded{1, lost()});
    driver.give(ProbeEnded{found(RecordState::InProgress)});
    driver.give(ClockJumped{});
    QVERIFY(driver.has<SendProbe>());
    QVERIFY(!driver.left(TimerKind::NextProbe));
}

void TestRetryConfirmation::hintWhileSending_asksBesideThePost()
{
    MachineDriver driver;
    driver.toSending();
    driver.give(NetworkHint{});
    QVERIFY(driver.has<SendProbe>());
    driver.give(NetworkHint{});
    QVERIFY(driver.effects().empty()); // one is in flight
}

void TestRetryConfirmation::pastValidity_nothingIsPosted()
{
    MachineDriver driver;
    driver.toSending();
    driver.give(PostEnded{1, lost()});
    driver.advance(std::chrono::minutes(15));
    driver.give(ProbeEnded{notFound()});
    QVERIFY(!driver.has<SaveAttemptRow>());
    QCOMPARE(driver.state(), State::Unresolved);
    QCOMPARE(driver.cause(), Cause::PastValidity);
    driver.give(CheckAgainPressed{});
    QVERIFY(driver.has<SendProbe>());
    driver.give(ProbeEnded{notFound()});
    QVERIFY(!driver.has<SaveAttemptRow>());
}

void TestRetryConfirmation::rowSavedAfterAFinalAnswer_isNotSent()
{
    MachineDriver driver;
    driver.toSending();
    driver.give(PostEnded{1, lost()});
    driver.give(ProbeEnded{notFound()});
    QVERIFY(driver.fire(TimerKind::NextProbe));
    QVERIFY(driver.fire(TimerKind::NextPost)); // row 2 is being saved, a probe is in flight
    QVERIFY(driver.has<SaveAttemptRow>());
    driver.give(ProbeEnded{found(RecordState::Succeeded)});
    QCOMPARE(driver.state(), State::Paid);
    driver.give(AttemptRowSaved{2});
    QVERIFY(!driver.has<SendPost>());
    QCOMPARE(driver.all<SaveAttemptEnd>().at(0).end.bytesTaken, 0);
}

void TestRetryConfirmation::rowSavedAfterGivingUp_isNotSent()
{
    MachineDriver driver;
    driver.toSending();
    driver.loseAndAllowNext(1);
    QVERIFY(driver.fire(TimerKind::GiveUp));
    QCOMPARE(driver.state(), State::Unresolved);
    driver.give(AttemptRowSaved{2});
    QVERIFY(!driver.has<SendPost>());
    QVERIFY(driver.left(TimerKind::NextProbe).has_value());
}

QTEST_APPLESS_MAIN(TestRetryConfirmation)
#include "tst_retry_confirmation.moc"
