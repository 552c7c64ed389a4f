#include "core/retry/machine_driver.h"
#include "core/retry/wire_results.h"

#include <QtCore/QRegularExpression>
#include <QtTest/QTest>

using namespace payonce::retry;
using namespace payonce::retry_tests;
using payonce::values::RecordState;
using ms = std::chrono::milliseconds;

Q_DECLARE_METATYPE(payonce::retry::WireResult)

namespace {

/// An abandon that was carried out.
WireResult abandoned(const std::string& reason = "cancelled")
{
    WireResult result = found(RecordState::Abandoned);
    result.body->reason = reason;
    return result;
}

/// The shop works on POST 1 and a person may cancel.
void toServerWorking(MachineDriver& driver)
{
    driver.toSending();
    driver.give(PostEnded{1, lost()});
    driver.give(ProbeEnded{found(RecordState::InProgress)});
}

/// A person's wish is saved and the shop is being asked to close the action.
void toFence(MachineDriver& driver)
{
    toServerWorking(driver);
    driver.give(CancelPressed{});
    driver.give(WishSaved{WishKept::Fence});
}

bool isFence(const MachineDriver& driver)
{
    const auto probes = driver.all<SendProbe>();
    return probes.size() == 1 && probes[0].request.purpose == ProbeRequest::Purpose::Fence;
}

} // namespace

class TestRetryFencing : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }
    void wish_isSavedBeforeAnythingIsDoneAboutIt();
    void wishDuringAPost_endsThePost();
    void wishWhileARowIsSaved_withholdsThePost();
    void confirming_offersToCancelAfterTenSeconds();
    void states_thatOfferToCancel();
    void endOfTheFence_isTheEnd_data();
    void endOfTheFence_isTheEnd();
    void openAnswers_keepFencing_data();
    void openAnswers_keepFencing();
    void fencing_neverPostsAgain();
    void answerOfThePostDuringTheFence_wins();
    void unsentAction_isClosedByItsJournal();
    void failedWish_isUnresolvedAndNothingIsPostedByItself();
    void failedWish_isSavedAgain();
    void displacedWish_isAnotherOwners();
    void savedWish_isResumedAfterARestart();
    void fencing_saysMoreAfterTenSeconds();
    void secondPress_changesNothing();
    void unsentLeftover_canBeDiscarded();
};

void TestRetryFencing::wish_isSavedBeforeAnythingIsDoneAboutIt()
{
    MachineDriver driver;
    toServerWorking(driver);
    driver.give(CancelPressed{});
    QCOMPARE(driver.state(), State::Fencing);
    QCOMPARE(driver.cause(), Cause::ByPerson);
    QCOMPARE(driver.all<SaveWish>().size(), std::size_t(1));
    QVERIFY(!driver.has<SendProbe>());
    driver.give(WishSaved{WishKept::Fence});
    QVERIFY(isFence(driver));
}

void TestRetryFencing::wishDuringAPost_endsThePost()
{
    MachineDriver driver;
    driver.toSending();
    QVERIFY(driver.fire(TimerKind::SoftDeadline));
    driver.give(ProbeEnded{found(RecordState::InProgress)});
    driver.give(CancelPressed{});
    QVERIFY(!driver.has<AbortPost>());
    driver.give(WishSaved{WishKept::Fence});
    QCOMPARE(driver.all<AbortPost>().at(0).reason, EndReason::User);
    QVERIFY(isFence(driver));
}

void TestRetryFencing::wishWhileARowIsSaved_withholdsThePost()
{
    MachineDriver driver;
    driver.toSending();
    driver.loseAndAllowNext(1);
    QVERIFY(driver.fire(TimerKind::LongWait));
    driver.give(CancelPressed{});
    driver.give(AttemptRowSaved{2});
    QVERIFY(!driver.has<SendPost>());
    QCOMPARE(driver.all<SaveAttemptEnd>().at(0).end.bytesTaken, 0);
    driver.give(WishSaved{WishKept::Fence});
    QVERIFY(isFence(driver));
}

void TestRetryFencing::confirming_offersToCancelAfterTenSeconds()
{
    MachineDriver driver;
    driver.toSending();
    driver.give(PostEnded{1, lost()});
    QCOMPARE(driver.state(), State::Confirming);
    QVERIFY(!mayCancel(driver.snapshot()));
    driver.give(CancelPressed{});
    QVERIFY(!driver.has<SaveWish>());
    QCOMPARE(driver.left(TimerKind::LongWait).value(), ms(10000));
    QVERIFY(driver.fire(TimerKind::LongWait));
    QVERIFY(mayCancel(driver.snapshot()));
    driver.give(CancelPressed{});
    QVERIFY(driver.has<SaveWish>());
}

void TestRetryFencing::states_thatOfferToCancel()
{
    Snapshot snapshot;
    snapshot.action = MachineDriver().stored();
    snapshot.isLong = true;
    for (const State state : {State::Confirming, State::ServerWorking, State::RetryWait, State::Offline, State::OfflineUnknown,
                              State::Unresolved}) {
        snapshot.state = state;
        QVERIFY2(mayCancel(snapshot), nameOf(state));
    }
    for (const State state : {State::Editing, State::Saving, State::NotStarted, State::Sending, State::Paid, State::Declined,
                              State::NotCharged, State::Fencing, State::Cancelled, State::Conflict}) {
        snapshot.state = state;
        QVERIFY2(!mayCancel(snapshot), nameOf(state));
    }
    snapshot.state = State::Unresolved;
    for (const Cause cause : {Cause::OtherServer, Cause::OtherOwner, Cause::CartTaken}) {
        snapshot.cause = cause;
        QVERIFY2(!mayCancel(snapshot), nameOf(cause));
    }
}

void TestRetryFencing::endOfTheFence_isTheEnd_data()
{
    QTest::addColumn<WireResult>("end");
    QTest::addColumn<State>("state");
    QTest::addColumn<Cause>("cause");
    QTest::newRow("abandoned") << abandoned() << State::Cancelled << Cause::Closed;
    QTest::newRow("succeeded") << found(RecordState::Succeeded) << State::Paid << Cause::None;
    QTest::newRow("failed") << found(RecordState::Failed) << State::Declined << Cause::None;
    QTest::newRow("410") << problem(410, "action-abandoned") << State::Cancelled << Cause::Closed;
    QTest::newRow("too old") << problem(410, "key-too-old") << State::Conflict << Cause::TooOld;
}

void TestRetryFencing::endOfTheFence_isTheEnd()
{
    QFETCH(WireResult, end);
    MachineDriver driver;
    toFence(driver);
    driver.give(ProbeEnded{end});
    QTEST(driver.state(), "state");
    QTEST(driver.cause(), "cause");
    QVERIFY(!driver.left(TimerKind::NextProbe));
    QVERIFY(driver.has<SaveFinal>() || driver.has<SaveConflict>());
}

void TestRetryFencing::openAnswers_keepFencing_data()
{
    QTest::addColumn<WireResult>("answer");
    QTest::addColumn<Cause>("cause");
    QTest::newRow("in progress") << found(RecordState::InProgress) << Cause::ByPerson;
    QTest::newRow("unknown") << found(RecordState::Unknown) << Cause::ByPerson;
    QTest::newRow("lost") << lost() << Cause::ByPerson;
    QTest::newRow("unreachable") << notSent() << Cause::ByPerson;
    QTest::newRow("not found") << notFound() << Cause::ByPerson;
    QTest::newRow("429") << withRetryAfter(problem(429, "rate-limited"), ms(3000)) << Cause::ByPerson;
    QTest::newRow("500") << problem(500, "internal") << Cause::ByPerson;
    QTest::newRow("401") << problem(401, "unauthorized") << Cause::SignInNeeded;
}

void TestRetryFencing::openAnswers_keepFencing()
{
    QFETCH(WireResult, answer);
    QFETCH(Cause, cause);
    MachineDriver driver;
    toFence(driver);
    for (int time = 0; time < 12; ++time) {
        driver.give(ProbeEnded{answer});
        QCOMPARE(driver.state(), State::Fencing);
        QCOMPARE(driver.cause(), cause);
        QVERIFY(driver.left(TimerKind::NextProbe).value() >= answer.retryAfter.value_or(ms(0)));
        QVERIFY(driver.fire(TimerKind::NextProbe));
        QVERIFY(isFence(driver));
    }
    driver.give(ProbeEnded{found(RecordState::Unknown)});
    QCOMPARE(driver.cause(), Cause::ByPerson);                       // the shop knows the account again
    QVERIFY(driver.left(TimerKind::NextProbe).value() >= ms(60000)); // as rarely as while Unresolved
}

void TestRetryFencing::fencing_neverPostsAgain()
{
    MachineDriver driver;
    toFence(driver);
    for (const Event& event : {Event(NetworkHint{}), Event(ClockJumped{}), Event(TryAgainPressed{}), Event(CheckAgainPressed{}),
                               Event(CancelPressed{}), Event(TimerFired{TimerKind::NextPost}),
                               Event(TimerFired{TimerKind::GiveUp}), Event(ProbeEnded{notFound()}),
                               Event(TimerFired{TimerKind::NextProbe}), Event(ProbeEnded{lost()}), Event(StartOverPressed{})}) {
        driver.give(event);
        QVERIFY(!driver.has<SaveAttemptRow>() && !driver.has<SendPost>());
        QCOMPARE(driver.state(), State::Fencing);
    }
}

void TestRetryFencing::answerOfThePostDuringTheFence_wins()
{
    MachineDriver driver;
    driver.toSending();
    QVERIFY(driver.fire(TimerKind::SoftDeadline));
    driver.give(ProbeEnded{found(RecordState::InProgress)});
    driver.give(CancelPressed{});
    driver.give(PostEnded{1, paid()});
    QCOMPARE(driver.state(), State::Paid);
    driver.give(WishSaved{WishKept::Fence});
    QCOMPARE(driver.state(), State::Paid);
    QVERIFY(!driver.has<SendProbe>());
}

void TestRetryFencing::unsentAction_isClosedByItsJournal()
{
    MachineDriver driver;
    driver.toSending();
    driver.give(PostEnded{1, notSent()});
    QCOMPARE(driver.state(), State::RetryWait);
    driver.give(CancelPressed{});
    driver.give(WishSaved{WishKept::ClosedUnsent});
    QCOMPARE(driver.state(), State::Cancelled);
    QCOMPARE(driver.cause(), Cause::NeverSent);
    QVERIFY(!driver.has<SendProbe>() && !driver.has<SaveFinal>());
    QVERIFY(!driver.left(TimerKind::NextPost) && !driver.left(TimerKind::NextProbe));
    driver.give(StartOverPressed{});
    QCOMPARE(driver.state(), State::Editing);
}

void TestRetryFencing::failedWish_isUnresolvedAndNothingIsPostedByItself()
{
    MachineDriver driver;
    toServerWorking(driver);
    driver.give(CancelPressed{});
    driver.give(WishSaveFailed{JournalError::DiskFull});
    QCOMPARE(driver.state(), State::Unresolved);
    QCOMPARE(driver.cause(), Cause::DiskRefused);
    driver.give(CheckAgainPressed{});
    QCOMPARE(driver.all<SendProbe>().at(0).request.purpose, ProbeRequest::Purpose::Ask);
    driver.give(ProbeEnded{notFound()});
    QVERIFY(!driver.has<SaveAttemptRow>()); // the wish may be durable
}

void TestRetryFencing::failedWish_isSavedAgain()
{
    MachineDriver driver;
    toServerWorking(driver);
    driver.give(CancelPressed{});
    driver.give(WishSaveFailed{JournalError::DiskFull});
    QVERIFY(driver.fire(TimerKind::FenceDue));
    QCOMPARE(driver.all<SaveWish>().at(0).wish.cause, Cause::ByPerson);
    driver.give(WishSaved{WishKept::Fence});
    QVERIFY(isFence(driver));
}

void TestRetryFencing::displacedWish_isAnotherOwners()
{
    MachineDriver driver;
    toServerWorking(driver);
    driver.give(CancelPressed{});
    driver.give(WishSaveFailed{JournalError::Displaced});
    QCOMPARE(driver.state(), State::Unresolved);
    QCOMPARE(driver.cause(), Cause::OtherOwner);
}

void TestRetryFencing::savedWish_isResumedAfterARestart()
{
    MachineDriver driver;
    auto stored = driver.stored();
    stored.attempts = {MachineDriver::attempt(1, std::nullopt)};
    stored.wish = CancelWish{Cause::Refused, "Too large."};
    driver.give(Resumed{stored, MachineDriver::aScope()});
    QCOMPARE(driver.state(), State::Fencing);
    QCOMPARE(driver.cause(), Cause::Refused);
    QVERIFY(isFence(driver));
    driver.give(ProbeEnded{abandoned()});
    QCOMPARE(driver.state(), State::NotCharged);
    QCOMPARE(driver.snapshot().answer.detail, std::string("Too large."));
}

void TestRetryFencing::fencing_saysMoreAfterTenSeconds()
{
    MachineDriver driver;
    toFence(driver);
    QVERIFY(!driver.snapshot().isLong);
    QVERIFY(driver.fire(TimerKind::LongWait));
    QVERIFY(driver.snapshot().isLong);
    driver.give(ProbeEnded{lost()});
    QVERIFY(driver.snapshot().isLong);
}

void TestRetryFencing::secondPress_changesNothing()
{
    MachineDriver driver;
    toServerWorking(driver);
    driver.give(CancelPressed{});
    const int presses = driver.snapshot().presses;
    driver.give(CancelPressed{});
    QVERIFY(driver.effects().empty());
    QCOMPARE(driver.snapshot().presses, presses + 1);
}

void TestRetryFencing::unsentLeftover_canBeDiscarded()
{
    MachineDriver driver;
    auto stored = driver.stored();
    driver.advance(std::chrono::minutes(2));
    driver.give(Resumed{stored, MachineDriver::aScope()});
    QCOMPARE(driver.cause(), Cause::LeftUnsent);
    QVERIFY(mayCancel(driver.snapshot()));
    driver.give(CancelPressed{});
    driver.give(WishSaved{WishKept::ClosedUnsent});
    QCOMPARE(driver.state(), State::Cancelled);
}

QTEST_APPLESS_MAIN(TestRetryFencing)
#include "tst_retry_fencing.moc"
