#include "core/retry/machine_driver.h"
#include "core/retry/wire_results.h"

#include <QtCore/QRegularExpression>
#include <QtTest/QTest>

using namespace payonce::retry;
using namespace payonce::retry_tests;
using payonce::values::RecordState;
using ms = std::chrono::milliseconds;

Q_DECLARE_METATYPE(payonce::retry::WireResult)
Q_DECLARE_METATYPE(payonce::retry::Cause)

class TestRetryUnresolved : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }
    void refusals_areUnresolvedWithTheirCauseAndAskedAbout_data();
    void refusals_areUnresolvedWithTheirCauseAndAskedAbout();
    void sixtySeconds_areTheMost_data();
    void sixtySeconds_areTheMost();
    void lateSending_isUnresolvedAtItsSoftDeadline();
    void probesGoOn_andSendNothing();
    void finalAnswer_isShownWhenItComes();
    void hangingPostsAnswer_isShownWhenItComes();
    void checkAgain_asksAtOnceAndSendsOnceWhereNothingIsFound();
    void checkAgain_sendsNothingWhereTheProbeFailsOrFindsARecord();
    void checkAgain_sendsOneAPress();
    void checkAgain_sendsOnceMoreWhereSignInWasNeeded();
    void cartTakenByNobodyKnown_isAskedAboutAndNeverSentAgain();
    void fourthActionThatStalls_waitsForOneAnsweredProbe();
    void lostConnectionAfterSending_isOfflineUnknownUntilTheShopAnswers();
    void offlineUnknown_asksRarelyAndPostsNothing();
    void unreachableShop_isOnlyOfflineWhereNoByteLeft();
    void hintThatTheNetworkIsBack_asksAtOnce();
    void signInThatHelped_isNoLongerAskedFor();
    void rateLimitAfterTheLastPost_isUnresolvedAndWaitsAsAdvised();
    void otherServer_isAskedAboutNowhere();
};

void TestRetryUnresolved::refusals_areUnresolvedWithTheirCauseAndAskedAbout_data()
{
    QTest::addColumn<WireResult>("refusal");
    QTest::addColumn<Cause>("cause");
    QTest::newRow("401") << problem(401, "unauthorized") << Cause::SignInNeeded;
    QTest::newRow("403") << problem(403, "forbidden") << Cause::SignInNeeded;
}

void TestRetryUnresolved::refusals_areUnresolvedWithTheirCauseAndAskedAbout()
{
    QFETCH(WireResult, refusal);
    QFETCH(Cause, cause);
    refusal.body->detail = "So it is.";
    MachineDriver driver;
    driver.toSending();
    driver.give(PostEnded{1, refusal});
    QCOMPARE(driver.state(), State::Unresolved);
    QCOMPARE(driver.cause(), cause);
    QCOMPARE(driver.snapshot().detail, std::string("So it is."));
    QVERIFY(driver.has<SendProbe>());
    QVERIFY(!driver.left(TimerKind::NextPost));
    driver.give(ProbeEnded{notFound()});
    QVERIFY(!driver.has<SaveAttemptRow>());
    QCOMPARE(driver.state(), State::Unresolved);
    QVERIFY(driver.left(TimerKind::NextProbe).has_value());
}

void TestRetryUnresolved::sixtySeconds_areTheMost_data()
{
    QTest::addColumn<WireResult>("probe");
    QTest::newRow("working") << found(RecordState::InProgress);
    QTest::newRow("being checked") << found(RecordState::Unknown);
}

void TestRetryUnresolved::sixtySeconds_areTheMost()
{
    QFETCH(WireResult, probe);
    MachineDriver driver;
    driver.toSending();
    const auto start = driver.now().mono;
    driver.give(PostEnded{1, lost()});
    driver.give(ProbeEnded{probe});
    QVERIFY(driver.fire(TimerKind::GiveUp));
    QCOMPARE(driver.now().mono - start, std::chrono::microseconds(std::chrono::seconds(60)));
    QCOMPARE(driver.state(), State::Unresolved);
    QCOMPARE(driver.cause(), Cause::Late);
}

void TestRetryUnresolved::lateSending_isUnresolvedAtItsSoftDeadline()
{
    MachineDriver driver;
    driver.toSending();
    driver.give(PostEnded{1, withRetryAfter(problem(429, "rate-limited"), ms(100000))});
    QVERIFY(driver.fire(TimerKind::GiveUp));
    QCOMPARE(driver.state(), State::RetryWait); // the shop said when; that is still to come
    QVERIFY(driver.fire(TimerKind::NextPost));
    driver.saveRow(2);
    QCOMPARE(driver.state(), State::Sending);
    QVERIFY(driver.fire(TimerKind::SoftDeadline));
    QCOMPARE(driver.state(), State::Unresolved);
    QCOMPARE(driver.cause(), Cause::Late);
}

void TestRetryUnresolved::probesGoOn_andSendNothing()
{
    MachineDriver driver;
    driver.toAttemptsSpent();
    for (const int seconds : {5, 15, 30, 60, 300, 300}) {
        QCOMPARE(driver.left(TimerKind::NextProbe), std::optional<ms>(ms(seconds * 1000)));
        QVERIFY(driver.fire(TimerKind::NextProbe));
        QVERIFY(driver.has<SendProbe>());
        driver.give(ProbeEnded{seconds == 15 ? lost() : notFound()});
        QVERIFY(!driver.has<SaveAttemptRow>());
    }
}

void TestRetryUnresolved::finalAnswer_isShownWhenItComes()
{
    MachineDriver driver;
    driver.toAttemptsSpent();
    QVERIFY(driver.fire(TimerKind::NextProbe));
    driver.give(ProbeEnded{found(RecordState::Succeeded)});
    QCOMPARE(driver.state(), State::Paid);
}

void TestRetryUnresolved::hangingPostsAnswer_isShownWhenItComes()
{
    MachineDriver driver;
    driver.toSending();
    QVERIFY(driver.fire(TimerKind::SoftDeadline));
    driver.give(ProbeEnded{problem(401, "unauthorized")});
    QCOMPARE(driver.cause(), Cause::SignInNeeded);
    driver.give(PostEnded{1, paid()});
    QCOMPARE(driver.state(), State::Paid);
}

void TestRetryUnresolved::checkAgain_asksAtOnceAndSendsOnceWhereNothingIsFound()
{
    MachineDriver driver;
    driver.toAttemptsSpent();
    driver.give(CheckAgainPressed{});
    QVERIFY(driver.has<SendProbe>());
    driver.give(ProbeEnded{notFound()});
    QCOMPARE(driver.all<SaveAttemptRow>().at(0).number, 5);
    driver.give(AttemptRowSaved{5});
    QCOMPARE(driver.all<SendPost>().at(0).request.id, anId());
    QCOMPARE(driver.state(), State::Unresolved);
    driver.give(PostEnded{5, lost()});
    QVERIFY(driver.has<SendProbe>());
    QVERIFY(!driver.left(TimerKind::NextPost));
    driver.give(ProbeEnded{notFound()});
    QVERIFY(!driver.has<SaveAttemptRow>());
    driver.give(CheckAgainPressed{});
    driver.give(ProbeEnded{notFound()});
    driver.give(AttemptRowSaved{6});
    driver.give(PostEnded{6, notSent()});
    QCOMPARE(driver.state(), State::Unresolved);
    QVERIFY(driver.left(TimerKind::NextProbe).has_value());
}

void TestRetryUnresolved::checkAgain_sendsNothingWhereTheProbeFailsOrFindsARecord()
{
    for (const auto& end : {lost(), found(RecordState::InProgress), found(RecordState::Unknown), problem(401, "unauthorized"),
                            problem(429, "rate-limited")}) {
        MachineDriver driver;
        driver.toAttemptsSpent();
        driver.give(CheckAgainPressed{});
        driver.give(ProbeEnded{end});
        QVERIFY(!driver.has<SaveAttemptRow>());
        QVERIFY(driver.fire(TimerKind::NextProbe));
        driver.give(ProbeEnded{notFound()}); // not the answer to the press
        QVERIFY(!driver.has<SaveAttemptRow>());
    }
}

void TestRetryUnresolved::checkAgain_sendsOneAPress()
{
    MachineDriver driver;
    driver.toAttemptsSpent();
    driver.give(CheckAgainPressed{});
    driver.give(CheckAgainPressed{});
    QVERIFY(driver.effects().empty()); // one probe is in flight
    driver.give(ProbeEnded{notFound()});
    QVERIFY(driver.has<SaveAttemptRow>());
    driver.give(CheckAgainPressed{});
    driver.give(ProbeEnded{notFound()});
    QVERIFY(!driver.has<SaveAttemptRow>()); // one row is being saved
}

void TestRetryUnresolved::checkAgain_sendsOnceMoreWhereSignInWasNeeded()
{
    MachineDriver driver;
    driver.toSending();
    driver.give(PostEnded{1, problem(401, "unauthorized")});
    driver.give(ProbeEnded{lost()});
    driver.give(CheckAgainPressed{});
    driver.give(ProbeEnded{notFound()});
    QVERIFY(driver.has<SaveAttemptRow>());
}

void TestRetryUnresolved::cartTakenByNobodyKnown_isAskedAboutAndNeverSentAgain()
{
    MachineDriver driver;
    driver.toSending();
    driver.give(PostEnded{1, problem(409, "cart-taken")});
    QCOMPARE(driver.state(), State::Unresolved);
    QCOMPARE(driver.cause(), Cause::CartTaken);
    driver.give(CheckAgainPressed{});
    driver.give(ProbeEnded{notFound()});
    QVERIFY(!driver.has<SaveAttemptRow>());
    QVERIFY(driver.left(TimerKind::NextProbe).has_value());
}

void TestRetryUnresolved::fourthActionThatStalls_waitsForOneAnsweredProbe()
{
    MachineDriver driver;
    const auto loseFirstPost = [&driver](const payonce::values::ActionId& id) {
        driver.give(PayPressed{id, MachineDriver::aScope(), MachineDriver::aPurchase()});
        driver.give(ActionSaved{1});
        driver.give(CardExchanged{MachineDriver::exchanged()});
        driver.give(ReadySaved{MachineDriver::aRequest(), AttemptBegun::Inserted});
        driver.give(PostEnded{1, lost()});
    };
    for (const char last : {'1', '2', '3'}) {
        const auto id = payonce::values::ActionId::parse(std::string("0198c0de-7a11-7c3e-9f00-6b1f0a2c4d5") + last).value();
        loseFirstPost(id);
        QVERIFY(driver.fire(TimerKind::GiveUp));
        auto failed = found(RecordState::Failed);
        failed.body->actionId = id;
        driver.give(ProbeEnded{failed});
        driver.give(FinalSaved{});
        driver.give(StartOverPressed{});
    }
    loseFirstPost(anId());
    driver.give(ProbeEnded{lost()});
    QVERIFY(driver.fire(TimerKind::NextPost));
    QVERIFY(!driver.has<SaveAttemptRow>());
    QVERIFY(driver.fire(TimerKind::NextProbe));
    driver.give(ProbeEnded{notFound()});
    QVERIFY(driver.has<SaveAttemptRow>());
}

void TestRetryUnresolved::lostConnectionAfterSending_isOfflineUnknownUntilTheShopAnswers()
{
    MachineDriver driver;
    driver.toSending();
    driver.give(PostEnded{1, lost()});
    driver.give(ProbeEnded{notSent()});
    QCOMPARE(driver.state(), State::Confirming); // once may be chance
    QVERIFY(driver.fire(TimerKind::NextPost));   // a failed probe permits it
    driver.saveRow(2);
    driver.give(PostEnded{2, notSent()});
    QCOMPARE(driver.state(), State::OfflineUnknown);
    QVERIFY(driver.has<SendProbe>());
    driver.give(ProbeEnded{found(RecordState::InProgress)});
    QCOMPARE(driver.state(), State::ServerWorking);
}

void TestRetryUnresolved::offlineUnknown_asksRarelyAndPostsNothing()
{
    MachineDriver driver;
    driver.toSending();
    driver.give(PostEnded{1, lost()});
    driver.give(ProbeEnded{notSent()});
    QVERIFY(driver.fire(TimerKind::NextProbe));
    driver.give(ProbeEnded{notSent()});
    QCOMPARE(driver.state(), State::OfflineUnknown);
    QVERIFY(!driver.left(TimerKind::NextPost));
    for (const ms expected : {ms(2000), ms(5000), ms(15000), ms(30000), ms(30000)}) {
        QCOMPARE(driver.left(TimerKind::NextProbe).value(), expected);
        QVERIFY(driver.fire(TimerKind::NextProbe));
        driver.give(ProbeEnded{notSent()});
        QVERIFY(!driver.has<SaveAttemptRow>());
        QCOMPARE(driver.state(), State::OfflineUnknown);
    }
}

void TestRetryUnresolved::unreachableShop_isOnlyOfflineWhereNoByteLeft()
{
    MachineDriver driver;
    driver.toSending();
    driver.give(PostEnded{1, notSent()});
    QVERIFY(driver.fire(TimerKind::NextPost));
    driver.saveRow(2);
    driver.give(PostEnded{2, notSent()});
    QCOMPARE(driver.state(), State::Offline);
    QVERIFY(!driver.snapshot().anyByteTaken);
}

void TestRetryUnresolved::hintThatTheNetworkIsBack_asksAtOnce()
{
    MachineDriver driver;
    driver.toSending();
    driver.give(PostEnded{1, lost()});
    driver.give(ProbeEnded{notSent()});
    QVERIFY(driver.fire(TimerKind::NextProbe));
    driver.give(ProbeEnded{notSent()});
    driver.give(NetworkHint{});
    QVERIFY(driver.has<SendProbe>());
}

void TestRetryUnresolved::signInThatHelped_isNoLongerAskedFor()
{
    MachineDriver driver;
    driver.toSending();
    driver.give(PostEnded{1, problem(401, "unauthorized")});
    driver.give(ProbeEnded{problem(401, "unauthorized")});
    QCOMPARE(driver.left(TimerKind::NextProbe).has_value(), true);
    QVERIFY(driver.fire(TimerKind::NextProbe));
    driver.give(ProbeEnded{found(RecordState::Unknown)});
    QCOMPARE(driver.state(), State::Unresolved);
    QCOMPARE(driver.cause(), Cause::Late);
}

void TestRetryUnresolved::rateLimitAfterTheLastPost_isUnresolvedAndWaitsAsAdvised()
{
    MachineDriver driver;
    driver.toSending();
    for (int number = 1; number < 4; ++number) {
        driver.loseAndAllowNext(number);
        driver.saveRow(number + 1);
    }
    driver.give(PostEnded{4, withRetryAfter(problem(429, "rate-limited"), ms(40000))});
    QCOMPARE(driver.state(), State::Unresolved);
    QCOMPARE(driver.cause(), Cause::AttemptsSpent);
    QVERIFY(driver.left(TimerKind::NextProbe).value() >= ms(40000));
    QVERIFY(!driver.left(TimerKind::NextPost));
}

void TestRetryUnresolved::otherServer_isAskedAboutNowhere()
{
    MachineDriver driver;
    auto action = driver.stored();
    action.attempts = {MachineDriver::attempt(1, {})};
    driver.give(Resumed{action, Scope{"acct_2", "srv_1"}});
    QCOMPARE(driver.cause(), Cause::OtherServer);
    for (const Event& event :
         {Event(CheckAgainPressed{}), Event(NetworkHint{}), Event(ClockJumped{}), Event(TryAgainPressed{})}) {
        driver.give(event);
        QVERIFY(driver.effects().empty());
    }
    driver.give(Resumed{action, MachineDriver::aScope()}); // switched back
    QCOMPARE(driver.state(), State::Confirming);
    QVERIFY(driver.has<SendProbe>());
}

QTEST_APPLESS_MAIN(TestRetryUnresolved)
#include "tst_retry_unresolved.moc"
