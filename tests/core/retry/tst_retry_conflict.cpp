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

WireResult withDiscrepancy(WireResult result)
{
    result.body->discrepancy = true;
    return result;
}

WireResult ofAnotherAmount()
{
    WireResult result = paid();
    result.body->amount->minorUnits = 1;
    return result;
}

WireResult cartTakenBy(const payonce::values::ActionId& id)
{
    WireResult result = problem(409, "cart-taken");
    result.body->heldBy = id.toString();
    return result;
}

StoredAction adoptedAction(const MachineDriver& driver)
{
    StoredAction action = driver.stored();
    action.id = anotherId();
    action.ready.reset();
    action.adopted = true;
    return action;
}

/// The own action is closed, and the one that holds the cart is being asked about.
void toAdopted(MachineDriver& driver)
{
    driver.toSending();
    driver.give(PostEnded{1, cartTakenBy(anotherId())});
    driver.give(Adopted{adoptedAction(driver)});
}

WireResult about(WireResult result, const payonce::values::ActionId& id)
{
    result.body->actionId = id;
    return result;
}

} // namespace

/// Answers that contradict, and carts that another action holds (docs/client.md, invariants 2 and 13).
class TestRetryConflict : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }
    void contradictions_endInConflict_data();
    void contradictions_endInConflict();
    void conflict_sendsNothingAnyMore();
    void contraryFinalAnswerBehindAFinalOne_isAConflict();
    void sameAnswerTwice_isNone();
    void conflict_isShownAfterARestart();
    void conflict_isSeenWhenThePersonTookItAlong();
    void takenCart_closesTheOwnActionAndAsksAboutTheOther();
    void takenCartFoundByAProbe_isAdoptedToo();
    void adoptedAction_isNeverPosted();
    void adoptedAction_mayHaveAnyAmount();
    void adoptedAction_isNotFencedByItself();
    void adoptedAction_canBeCancelledByAPerson();
    void adoptedActionThatIsFinalHere_isShown();
    void failedAdoption_isTriedAgain();
    void hint_doesNotDisturbAnAdoption();
};

void TestRetryConflict::contradictions_endInConflict_data()
{
    QTest::addColumn<WireResult>("answer");
    QTest::addColumn<bool>("toPost");
    QTest::addColumn<Cause>("cause");
    QTest::newRow("key-reused") << problem(422, "key-reused") << true << Cause::KeyReused;
    QTest::newRow("another amount") << ofAnotherAmount() << true << Cause::WrongAmount;
    QTest::newRow("another amount, found by a probe") << ofAnotherAmount() << false << Cause::WrongAmount;
    QTest::newRow("key-too-old") << problem(410, "key-too-old") << true << Cause::TooOld;
    QTest::newRow("key-too-old, found by a probe") << problem(410, "key-too-old") << false << Cause::TooOld;
    QTest::newRow("discrepancy") << withDiscrepancy(found(RecordState::Failed)) << false << Cause::Discrepancy;
    QTest::newRow("discrepancy in a paid answer") << withDiscrepancy(paid()) << true << Cause::Discrepancy;
}

void TestRetryConflict::contradictions_endInConflict()
{
    QFETCH(WireResult, answer);
    QFETCH(bool, toPost);
    QFETCH(Cause, cause);
    if (!toPost && answer.status == 201)
        answer.status = 200;
    MachineDriver driver;
    driver.toSending();
    driver.give(PostEnded{1, toPost ? answer : lost()});
    if (!toPost)
        driver.give(ProbeEnded{answer});
    QCOMPARE(driver.state(), State::Conflict);
    QCOMPARE(driver.cause(), cause);
    QCOMPARE(driver.all<SaveConflict>().at(0).cause, cause);
    QVERIFY(!driver.has<SaveFinal>());
}

void TestRetryConflict::conflict_sendsNothingAnyMore()
{
    MachineDriver driver;
    driver.toSending();
    driver.give(PostEnded{1, problem(422, "key-reused")});
    for (const Event& event : {Event(NetworkHint{}), Event(ClockJumped{}), Event(TryAgainPressed{}), Event(CheckAgainPressed{}),
                               Event(CancelPressed{}), Event(StartOverPressed{}), Event(TimerFired{TimerKind::NextPost}),
                               Event(TimerFired{TimerKind::NextProbe}), Event(TimerFired{TimerKind::FenceDue})}) {
        driver.give(event);
        QVERIFY(driver.effects().empty());
        QCOMPARE(driver.state(), State::Conflict);
    }
    for (int timer = 0; timer <= static_cast<int>(TimerKind::FenceDue); ++timer)
        QVERIFY(!driver.left(static_cast<TimerKind>(timer)));
}

void TestRetryConflict::contraryFinalAnswerBehindAFinalOne_isAConflict()
{
    MachineDriver driver;
    driver.toSending();
    QVERIFY(driver.fire(TimerKind::SoftDeadline));
    driver.give(ProbeEnded{found(RecordState::Succeeded)});
    QCOMPARE(driver.state(), State::Paid);
    driver.give(PostEnded{1, declined()});
    QCOMPARE(driver.state(), State::Conflict);
    QCOMPARE(driver.cause(), Cause::ContraryAnswer);
    QCOMPARE(driver.snapshot().answer.state, State::Paid); // what was final stays saved
    driver.give(FinalSaveFailed{JournalError::DiskFull});
    QVERIFY(driver.fire(TimerKind::SaveAgain));
    QCOMPARE(driver.all<SaveFinal>().at(0).answer.state, State::Paid);
}

void TestRetryConflict::sameAnswerTwice_isNone()
{
    MachineDriver driver;
    driver.toSending();
    QVERIFY(driver.fire(TimerKind::SoftDeadline));
    driver.give(PostEnded{1, paid()});
    driver.give(ProbeEnded{found(RecordState::Succeeded)});
    QCOMPARE(driver.state(), State::Paid);
}

void TestRetryConflict::conflict_isShownAfterARestart()
{
    MachineDriver driver;
    auto stored = driver.stored();
    stored.attempts = {MachineDriver::attempt(1, 300)};
    stored.conflict = Cause::KeyReused;
    driver.give(Resumed{stored, MachineDriver::aScope()});
    QCOMPARE(driver.state(), State::Conflict);
    QCOMPARE(driver.cause(), Cause::KeyReused);
    QVERIFY(driver.effects().empty());
}

void TestRetryConflict::conflict_isSeenWhenThePersonTookItAlong()
{
    MachineDriver driver;
    driver.toSending();
    driver.give(Acknowledged{});
    QVERIFY(driver.effects().empty()); // nothing has ended
    driver.give(PostEnded{1, problem(422, "key-reused")});
    driver.give(Acknowledged{});
    QCOMPARE(driver.all<MarkSeen>().at(0).id, anId());
    QCOMPARE(driver.state(), State::Conflict);
}

void TestRetryConflict::takenCart_closesTheOwnActionAndAsksAboutTheOther()
{
    MachineDriver driver;
    driver.toSending();
    driver.give(PostEnded{1, cartTakenBy(anotherId())});
    QCOMPARE(driver.state(), State::Unresolved);
    QCOMPARE(driver.cause(), Cause::CartTaken);
    const auto adoption = driver.all<AdoptHolder>().at(0);
    QCOMPARE(adoption.own, anId());
    QCOMPARE(adoption.holder.id, anotherId());
    QVERIFY(adoption.holder.adopted && !adoption.holder.ready);
    driver.give(Adopted{adoptedAction(driver)});
    QCOMPARE(driver.state(), State::Confirming);
    QVERIFY(driver.snapshot().anyByteTaken); // somebody sent it
    QCOMPARE(driver.all<SendProbe>().at(0).request.id, anotherId());
}

void TestRetryConflict::takenCartFoundByAProbe_isAdoptedToo()
{
    WireResult result = found(RecordState::Abandoned);
    result.body->reason = "cart-taken";
    result.body->heldBy = anotherId().toString();
    MachineDriver driver;
    driver.toSending();
    QVERIFY(driver.fire(TimerKind::SoftDeadline));
    driver.give(ProbeEnded{result});
    QVERIFY(driver.has<AdoptHolder>() && driver.has<AbortPost>());
    driver.give(PostEnded{1, aborted(EndReason::Finished)});
    driver.give(Adopted{adoptedAction(driver)});
    QCOMPARE(driver.state(), State::Confirming);
}

void TestRetryConflict::adoptedAction_isNeverPosted()
{
    MachineDriver driver;
    toAdopted(driver);
    for (int time = 0; time < 5; ++time) {
        driver.give(ProbeEnded{about(notFound(), anotherId())});
        QVERIFY(!driver.has<SaveAttemptRow>());
        driver.give(CheckAgainPressed{});
        if (!driver.has<SendProbe>())
            QVERIFY(driver.fire(TimerKind::NextProbe));
    }
    QVERIFY(driver.fire(TimerKind::GiveUp));
    QCOMPARE(driver.state(), State::Unresolved);
    driver.give(ProbeEnded{about(notFound(), anotherId())});
    driver.give(CheckAgainPressed{});
    driver.give(ProbeEnded{about(notFound(), anotherId())});
    QVERIFY(!driver.has<SaveAttemptRow>());
}

void TestRetryConflict::adoptedAction_mayHaveAnyAmount()
{
    MachineDriver driver;
    toAdopted(driver);
    WireResult other = about(found(RecordState::Succeeded), anotherId());
    other.body->amount = payonce::values::Money{1, anAmount().currency};
    driver.give(ProbeEnded{other});
    QCOMPARE(driver.state(), State::Paid);
    QCOMPARE(driver.snapshot().answer.charged->minorUnits, 1);
}

void TestRetryConflict::adoptedAction_isNotFencedByItself()
{
    MachineDriver driver;
    toAdopted(driver);
    QVERIFY(!driver.left(TimerKind::FenceDue));
    driver.advance(std::chrono::hours(24));
    driver.give(ClockJumped{});
    QVERIFY(!driver.left(TimerKind::FenceDue));
}

void TestRetryConflict::adoptedAction_canBeCancelledByAPerson()
{
    MachineDriver driver;
    toAdopted(driver);
    driver.give(ProbeEnded{about(found(RecordState::Unknown), anotherId())});
    QVERIFY(driver.fire(TimerKind::LongWait));
    driver.give(CancelPressed{});
    QCOMPARE(driver.all<SaveWish>().at(0).id, anotherId());
}

void TestRetryConflict::adoptedActionThatIsFinalHere_isShown()
{
    MachineDriver driver;
    driver.toSending();
    driver.give(PostEnded{1, cartTakenBy(anotherId())});
    auto paidHere = driver.stored();
    paidHere.id = anotherId();
    paidHere.final = FinalAnswer{State::Paid, Cause::None, "1001", "ch_1", {}, anAmount(), {}};
    driver.give(Adopted{paidHere});
    QCOMPARE(driver.state(), State::Paid);
    QCOMPARE(driver.snapshot().answer.orderNumber, std::string("1001"));
}

void TestRetryConflict::failedAdoption_isTriedAgain()
{
    MachineDriver driver;
    driver.toSending();
    driver.give(PostEnded{1, cartTakenBy(anotherId())});
    driver.give(AdoptFailed{JournalError::DiskFull});
    QCOMPARE(driver.state(), State::Unresolved);
    QVERIFY(driver.fire(TimerKind::SaveAgain));
    QVERIFY(driver.has<AdoptHolder>());
    driver.give(AdoptFailed{JournalError::Displaced});
    QCOMPARE(driver.cause(), Cause::OtherOwner);
}

void TestRetryConflict::hint_doesNotDisturbAnAdoption()
{
    MachineDriver driver;
    driver.toSending();
    driver.give(PostEnded{1, cartTakenBy(anotherId())});
    for (const Event& event :
         {Event(NetworkHint{}), Event(ClockJumped{}), Event(CheckAgainPressed{}), Event(CancelPressed{})}) {
        driver.give(event);
        QVERIFY(driver.effects().empty());
    }
}

QTEST_APPLESS_MAIN(TestRetryConflict)
#include "tst_retry_conflict.moc"
