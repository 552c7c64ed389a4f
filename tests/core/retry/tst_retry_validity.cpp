#include "core/retry/machine_driver.h"
#include "core/retry/wire_results.h"

#include <QtCore/QRegularExpression>
#include <QtTest/QTest>

using namespace payonce::retry;
using namespace payonce::retry_tests;

class TestRetryValidity : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }
    void validityThatEnded_isFencedByItself();
    void clockSetBack_delaysTheFence();
    void clockThatWasCorrectedByAnAnswer_movesTheFence();
    void clockThatWasCorrected_letsAPersonSendAgain();
    void clockJumpWhileANewActionIsEdited_closesNothing();
    void unsentHereButSentByAnotherWindow_isFencedNotClosed();
};

void TestRetryValidity::validityThatEnded_isFencedByItself()
{
    MachineDriver driver;
    driver.toAttemptsSpent();
    QVERIFY(driver.left(TimerKind::FenceDue).value() <= std::chrono::minutes(15) + std::chrono::seconds(30));
    QVERIFY(driver.fire(TimerKind::FenceDue));
    QCOMPARE(driver.state(), State::Fencing);
    QCOMPARE(driver.cause(), Cause::Expired);
    driver.give(WishSaved{WishKept::Fence});
    QVERIFY(driver.has<SendProbe>() || driver.has<AbortProbe>());
}

void TestRetryValidity::clockSetBack_delaysTheFence()
{
    MachineDriver driver;
    driver.toAttemptsSpent();
    const auto left = driver.left(TimerKind::FenceDue).value();
    driver.give(TimerFired{TimerKind::FenceDue}); // the wall clock says that it is not time yet
    QCOMPARE(driver.state(), State::Unresolved);
    QCOMPARE(driver.left(TimerKind::FenceDue).value(), left);
}

void TestRetryValidity::clockThatWasCorrectedByAnAnswer_movesTheFence()
{
    MachineDriver driver;
    driver.toAttemptsSpent();
    driver.stepClock(-std::chrono::hours(24));
    driver.give(ClockJumped{});
    QVERIFY(driver.left(TimerKind::FenceDue).value() > std::chrono::hours(24));
    driver.stepClock(std::chrono::hours(24)); // nobody tells, but the answer was dated
    driver.give(ProbeEnded{notFound()});
    QVERIFY(driver.left(TimerKind::FenceDue).value() < std::chrono::minutes(16));
}

void TestRetryValidity::clockThatWasCorrected_letsAPersonSendAgain()
{
    MachineDriver driver;
    driver.toSending();
    driver.give(PostEnded{1, lost()});
    driver.stepClock(std::chrono::hours(24));
    driver.give(ProbeEnded{notFound()});
    QCOMPARE(driver.cause(), Cause::PastValidity);
    driver.stepClock(-std::chrono::hours(24));
    driver.give(CheckAgainPressed{});
    driver.give(ProbeEnded{notFound()});
    QVERIFY(driver.has<SaveAttemptRow>());
}

void TestRetryValidity::clockJumpWhileANewActionIsEdited_closesNothing()
{
    MachineDriver driver;
    driver.toSending();
    driver.give(PostEnded{1, declined()});
    driver.give(FinalSaved{});
    driver.give(StartOverPressed{});
    driver.toExchange();
    driver.give(CardExchanged{{ExchangeResult::Kind::Refused, {}, {}}});
    driver.give(TryAgainPressed{});
    QCOMPARE(driver.state(), State::Editing);
    driver.stepClock(std::chrono::hours(24));
    driver.give(ClockJumped{});
    QVERIFY(driver.effects().empty());
}

/// This process froze behind save 2; the journal's owner is another one by now, or was in between.
void TestRetryValidity::unsentHereButSentByAnotherWindow_isFencedNotClosed()
{
    MachineDriver driver;
    driver.toReadySave();
    driver.advance(std::chrono::minutes(15));
    driver.give(ReadySaved{MachineDriver::aRequest(), AttemptBegun::Inserted});
    QCOMPARE(driver.state(), State::Fencing);
    QVERIFY(!driver.has<SaveFinal>());
    driver.give(WishSaved{WishKept::Fence});
    const auto probes = driver.all<SendProbe>();
    QVERIFY(probes.size() == 1 && probes[0].request.purpose == ProbeRequest::Purpose::Fence);
}

QTEST_APPLESS_MAIN(TestRetryValidity)
#include "tst_retry_validity.moc"
