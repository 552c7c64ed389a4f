// Save 2, which brings the first attempt's row along, fails or is displaced.
#include "core/retry/machine_driver.h"
#include "core/retry/wire_results.h"

#include <QtCore/QRegularExpression>
#include <QtTest/QTest>

using namespace payonce::retry;
using namespace payonce::retry_tests;

namespace {

/// What the journal shows after a save 2 that was reported as failed and is durable.
StoredAction durableSave2()
{
    auto action = MachineDriver().stored();
    action.lease = 1;
    action.attempts = {MachineDriver::attempt(1, {})};
    return action;
}

/// Save 2 fails, and the journal, read again, answers this.
MachineDriver afterFailedSave2(const JournalReread& reread)
{
    MachineDriver driver;
    driver.toReadySave();
    driver.give(ReadySaveFailed{JournalError::Failed});
    driver.give(reread);
    return driver;
}

} // namespace

class TestRetrySave2 : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }
    void failedSave2_isNotStartedOnlyAfterTheJournalWasReadAgain();
    void failedSave2ThatIsDurable_isMarkedAndSentByTryAgainOnly();
    void rowOfAFailedSave2_isRecordedAsUnsentAndItsNumberNeverUsedAgain();
    void rowOfAnEarlierFailedSave2_isRecordedOnceTheJournalShowsIt();
    void journalOfAnotherOwnerAfterSave2_isYieldedTo();
    void unreadableJournalAfterSave2_isMarkedAndTriedAgain();
    void tryAgainAfterSave2_keepsTheTokenAndCountsValidityAnew();
    void pressInNotStartedWithFixedBytes_goesOnWithThem();
    void displacedSave2_yields();
    void readyActionPastItsValidity_isClosedHere();
};

void TestRetrySave2::failedSave2_isNotStartedOnlyAfterTheJournalWasReadAgain()
{
    MachineDriver driver;
    driver.toReadySave();
    driver.give(ReadySaveFailed{JournalError::Failed});
    QCOMPARE(driver.state(), State::Saving);
    QCOMPARE(driver.effects().size(), std::size_t(1));
    QVERIFY(driver.has<RereadJournal>());
    auto notReady = driver.stored();
    notReady.lease = 1;
    notReady.ready.reset();
    driver.give(JournalReread{true, notReady});
    QVERIFY(driver.effects().empty());
    QCOMPARE(driver.state(), State::NotStarted);
    QCOMPARE(driver.cause(), Cause::DiskRefused);
}

void TestRetrySave2::failedSave2ThatIsDurable_isMarkedAndSentByTryAgainOnly()
{
    auto driver = afterFailedSave2(JournalReread{true, durableSave2()});
    QVERIFY(driver.has<MarkToldNotStarted>() && !driver.has<SendPost>());
    QCOMPARE(driver.state(), State::NotStarted);
    QVERIFY(driver.snapshot().action->toldNotStarted);
    driver.give(NetworkHint{});
    QVERIFY(driver.effects().empty());
    driver.give(TryAgainPressed{});
    QCOMPARE(driver.state(), State::Saving);
    QVERIFY(driver.has<SaveReady>()); // takes the mark back first
    QVERIFY(!driver.has<SendPost>());
    driver.give(ReadySaved{MachineDriver::aRequest(), AttemptBegun::Inserted});
    QVERIFY(driver.has<SendPost>());
    QVERIFY(!driver.snapshot().action->toldNotStarted);
}

void TestRetrySave2::rowOfAFailedSave2_isRecordedAsUnsentAndItsNumberNeverUsedAgain()
{
    auto driver = afterFailedSave2(JournalReread{true, durableSave2()});
    QCOMPARE(driver.effects().size(), std::size_t(2));
    QVERIFY(std::holds_alternative<MarkToldNotStarted>(driver.effects().front())); // never an unmarked row with an end
    const auto end = driver.all<SaveAttemptEnd>().at(0);
    QCOMPARE(end.number, 1);
    QCOMPARE(end.lease, LeaseNumber(1));
    QCOMPARE(end.end.bytesTaken, 0);
    QVERIFY(!driver.snapshot().anyByteTaken);
    driver.give(TryAgainPressed{});
    QCOMPARE(driver.all<SaveReady>().at(0).first.number, 2);
    driver.give(ReadySaved{MachineDriver::aRequest(), AttemptBegun::Inserted});
    QCOMPARE(driver.all<SendPost>().at(0).request.note.number, 2);
    QCOMPARE(driver.all<SendPost>().at(0).request.note.previous, PreviousEnd::NotSent);
}

void TestRetrySave2::rowOfAnEarlierFailedSave2_isRecordedOnceTheJournalShowsIt()
{
    auto driver = afterFailedSave2(JournalReread{false, {}});
    QCOMPARE(driver.all<SaveAttemptEnd>().at(0).number, 1); // it may be there
    driver.give(TryAgainPressed{});
    driver.give(ReadySaveFailed{JournalError::DiskFull});
    driver.give(JournalReread{true, durableSave2()}); // row 1 without an end, no row 2
    QCOMPARE(driver.all<SaveAttemptEnd>().size(), std::size_t(1));
    QCOMPARE(driver.all<SaveAttemptEnd>().at(0).number, 1);
    QCOMPARE(driver.snapshot().action->attempts.size(), std::size_t(1));
    QVERIFY(!driver.snapshot().anyByteTaken);
    driver.give(TryAgainPressed{});
    QCOMPARE(driver.all<SaveReady>().at(0).first.number, 3);
}

void TestRetrySave2::journalOfAnotherOwnerAfterSave2_isYieldedTo()
{
    auto taken = durableSave2();
    taken.lease = 2;
    auto driver = afterFailedSave2(JournalReread{true, taken});
    QVERIFY(!driver.has<SaveAttemptEnd>() && !driver.has<MarkToldNotStarted>());
    QCOMPARE(driver.state(), State::Unresolved);
    QCOMPARE(driver.cause(), Cause::OtherOwner);
}

void TestRetrySave2::unreadableJournalAfterSave2_isMarkedAndTriedAgain()
{
    auto driver = afterFailedSave2(JournalReread{false, {}});
    QVERIFY(driver.has<MarkToldNotStarted>());
    QCOMPARE(driver.state(), State::NotStarted);
    driver.give(TryAgainPressed{});
    QCOMPARE(driver.all<SaveReady>().at(0).card, MachineDriver::aRequest().card);
    QCOMPARE(driver.all<SaveReady>().at(0).action.id, anId());
}

void TestRetrySave2::tryAgainAfterSave2_keepsTheTokenAndCountsValidityAnew()
{
    auto driver = afterFailedSave2(JournalReread{true, {}});
    driver.advance(std::chrono::minutes(20));
    driver.give(TryAgainPressed{});
    QCOMPARE(driver.all<SaveAction>().at(0).action.validUntil, driver.now().wall + std::chrono::minutes(15));
    driver.give(ActionSaved{2});
    QVERIFY(!driver.has<ExchangeCard>()); // the card was dropped when it became a token
    QCOMPARE(driver.all<SaveReady>().at(0).card, MachineDriver::aRequest().card);
}

void TestRetrySave2::pressInNotStartedWithFixedBytes_goesOnWithThem()
{
    auto driver = afterFailedSave2(JournalReread{true, durableSave2()});
    driver.give(PayPressed{anotherId(), MachineDriver::aScope(), MachineDriver::aPurchase()});
    QVERIFY(driver.has<SaveReady>());
    QCOMPARE(driver.all<SaveReady>().at(0).action.id, anId());
}

void TestRetrySave2::displacedSave2_yields()
{
    MachineDriver driver;
    driver.toReadySave();
    driver.give(ReadySaveFailed{JournalError::Displaced});
    QCOMPARE(driver.state(), State::Unresolved);
    QCOMPARE(driver.cause(), Cause::OtherOwner);
    driver.give(JournalReread{true, driver.stored()});
    QVERIFY(driver.effects().empty());
    QCOMPARE(driver.state(), State::Unresolved);
}

void TestRetrySave2::readyActionPastItsValidity_isClosedHere()
{
    auto driver = afterFailedSave2(JournalReread{true, durableSave2()});
    driver.advance(std::chrono::minutes(15));
    driver.give(TryAgainPressed{});
    QVERIFY(driver.has<SaveWish>());
    QVERIFY(!driver.has<SaveReady>());
    driver.give(WishSaved{WishKept::ClosedUnsent});
    QCOMPARE(driver.state(), State::Cancelled);
    QCOMPARE(driver.cause(), Cause::NeverSent);
}

QTEST_APPLESS_MAIN(TestRetrySave2)
#include "tst_retry_save2.moc"
