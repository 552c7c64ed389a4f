#include "core/retry/machine_driver.h"
#include "core/retry/wire_results.h"

#include <QtCore/QRegularExpression>
#include <QtTest/QTest>

using namespace payonce::retry;
using namespace payonce::retry_tests;

namespace {

ExchangeResult failedExchange()
{
    return {};
}

ExchangeResult refusedCard()
{
    ExchangeResult result;
    result.kind = ExchangeResult::Kind::Refused;
    result.detail = "This card number does not exist.";
    return result;
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

class TestRetryPreparation : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }
    void press_onlySaves();
    void savedAction_exchangesTheCard();
    void exchangedCard_savesTheExactBytes();
    void readyAction_savesARowBeforeAnythingIsSent();
    void secondPress_isCountedAndDoesNothing();
    void failedExchange_isTriedThreeTimesThenNotStarted();
    void refusedCard_leadsBackToEditingAndKeepsTheId();
    void failedSave1_isNotStartedAndTriedAgainUnderTheSameId();
    void heldCart_isNotStartedWithItsCause();
    void takenReference_isMintedAgainAFewTimes();
    void failedSave2_isNotStartedOnlyAfterTheJournalWasReadAgain();
    void failedSave2ThatIsDurable_isMarkedAndSentByTryAgainOnly();
    void unreadableJournalAfterSave2_isMarkedAndTriedAgain();
    void tryAgainAfterSave2_keepsTheTokenAndCountsValidityAnew();
    void pressInNotStartedWithFixedBytes_goesOnWithThem();
    void displacedSave2_yields();
    void lateAnswersOfTheJournal_changeNothing();
    void readyActionPastItsValidity_isClosedHere();
};

void TestRetryPreparation::press_onlySaves()
{
    MachineDriver driver;
    driver.press();
    QCOMPARE(driver.state(), State::Saving);
    QCOMPARE(driver.effects().size(), std::size_t(1));
    const auto saved = driver.all<SaveAction>().at(0).action;
    QCOMPARE(saved.id, anId());
    QCOMPARE(saved.scope, MachineDriver::aScope());
    QCOMPARE(saved.purchase, MachineDriver::aPurchase());
    QCOMPARE(saved.validUntil, driver.now().wall + std::chrono::minutes(15));
    QVERIFY(!saved.ready);
    QCOMPARE(driver.snapshot().savesPending, 1);
}

void TestRetryPreparation::savedAction_exchangesTheCard()
{
    MachineDriver driver;
    driver.press();
    driver.give(ActionSaved{7});
    QCOMPARE(driver.effects().size(), std::size_t(1));
    QVERIFY(driver.has<ExchangeCard>());
    QCOMPARE(driver.snapshot().action->lease, LeaseNumber(7));
    QCOMPARE(driver.snapshot().networkPending, 1);
}

void TestRetryPreparation::exchangedCard_savesTheExactBytes()
{
    MachineDriver driver;
    driver.toExchange();
    driver.give(CardExchanged{MachineDriver::exchanged()});
    QCOMPARE(driver.effects().size(), std::size_t(1));
    QCOMPARE(driver.all<SaveReady>().at(0).card, MachineDriver::aRequest().card);
    QCOMPARE(driver.state(), State::Saving);
}

void TestRetryPreparation::readyAction_savesARowBeforeAnythingIsSent()
{
    MachineDriver driver;
    driver.toReadySave();
    driver.give(ReadySaved{MachineDriver::aRequest()});
    QCOMPARE(driver.effects().size(), std::size_t(1));
    QCOMPARE(driver.all<SaveAttemptRow>().at(0).number, 1);
    driver.give(AttemptRowSaved{1});
    QCOMPARE(driver.all<SendPost>().at(0).request.body, MachineDriver::aRequest().body);
    QCOMPARE(driver.state(), State::Sending);
    QCOMPARE(driver.snapshot().posts, 1);
}

void TestRetryPreparation::secondPress_isCountedAndDoesNothing()
{
    MachineDriver driver;
    driver.press();
    driver.press();
    QVERIFY(driver.effects().empty());
    driver.give(ActionSaved{1});
    driver.press();
    QVERIFY(driver.effects().empty());
    QCOMPARE(driver.snapshot().presses, 3);
    driver.give(CardExchanged{MachineDriver::exchanged()});
    driver.give(ReadySaved{MachineDriver::aRequest()});
    driver.give(AttemptRowSaved{1});
    QCOMPARE(driver.all<SendPost>().at(0).request.note.presses, 3);
    driver.press();
    QVERIFY(driver.effects().empty());
    driver.give(PostEnded{1, paid()});
    driver.press();
    QVERIFY(driver.effects().empty());
    QCOMPARE(driver.state(), State::Paid);
}

void TestRetryPreparation::failedExchange_isTriedThreeTimesThenNotStarted()
{
    MachineDriver driver;
    driver.toExchange();
    for (int tries = 1; tries < 3; ++tries) {
        driver.give(CardExchanged{failedExchange()});
        QVERIFY(!driver.has<ExchangeCard>());
        QVERIFY(driver.fire(TimerKind::NextExchange));
        QVERIFY(driver.has<ExchangeCard>());
    }
    driver.give(CardExchanged{failedExchange()});
    QVERIFY(driver.effects().empty());
    QCOMPARE(driver.state(), State::NotStarted);
    QCOMPARE(driver.cause(), Cause::ShopUnreachable);
    driver.give(TryAgainPressed{});
    QCOMPARE(driver.all<SaveAction>().at(0).action.id, anId());
    driver.give(ActionSaved{2});
    QVERIFY(driver.has<ExchangeCard>());
}

void TestRetryPreparation::refusedCard_leadsBackToEditingAndKeepsTheId()
{
    MachineDriver driver;
    driver.toExchange();
    driver.give(CardExchanged{refusedCard()});
    QCOMPARE(driver.state(), State::NotStarted);
    QCOMPARE(driver.cause(), Cause::CardRefused);
    QCOMPARE(driver.snapshot().detail, refusedCard().detail);
    driver.give(TryAgainPressed{});
    QCOMPARE(driver.state(), State::Editing);
    QVERIFY(driver.effects().empty());
    driver.give(PayPressed{anotherId(), MachineDriver::aScope(), MachineDriver::aPurchase()});
    QCOMPARE(driver.all<SaveAction>().at(0).action.id, anId());
    driver.give(ActionSaved{2});
    QVERIFY(driver.has<ExchangeCard>());
}

void TestRetryPreparation::failedSave1_isNotStartedAndTriedAgainUnderTheSameId()
{
    for (const auto error : {JournalError::DiskFull, JournalError::ReadOnly, JournalError::Locked, JournalError::Damaged,
                             JournalError::NewerVersion, JournalError::Failed, JournalError::ReferenceTaken}) {
        MachineDriver driver;
        driver.press();
        driver.give(ActionSaveFailed{error});
        QVERIFY(driver.effects().empty());
        QCOMPARE(driver.state(), State::NotStarted);
        QCOMPARE(driver.cause(), Cause::DiskRefused);
        driver.give(TryAgainPressed{});
        QCOMPARE(driver.all<SaveAction>().at(0).action.id, anId());
    }
}

void TestRetryPreparation::heldCart_isNotStartedWithItsCause()
{
    MachineDriver driver;
    driver.press();
    driver.give(ActionSaveFailed{JournalError::CartHeld});
    QCOMPARE(driver.state(), State::NotStarted);
    QCOMPARE(driver.cause(), Cause::CartHeld);
}

void TestRetryPreparation::takenReference_isMintedAgainAFewTimes()
{
    MachineDriver driver;
    driver.press();
    for (int mints = 1; mints < Numbers{}.mintTries; ++mints) {
        driver.give(ActionSaveFailed{JournalError::ReferenceTaken, anotherId()});
        QCOMPARE(driver.all<SaveAction>().at(0).action.id, anotherId());
        QCOMPARE(driver.state(), State::Saving);
    }
    driver.give(ActionSaveFailed{JournalError::ReferenceTaken, anotherId()});
    QVERIFY(driver.effects().empty());
    QCOMPARE(driver.state(), State::NotStarted);
}

void TestRetryPreparation::failedSave2_isNotStartedOnlyAfterTheJournalWasReadAgain()
{
    MachineDriver driver;
    driver.toReadySave();
    driver.give(ReadySaveFailed{JournalError::Failed});
    QCOMPARE(driver.state(), State::Saving);
    QCOMPARE(driver.effects().size(), std::size_t(1));
    QVERIFY(driver.has<RereadJournal>());
    auto notReady = driver.stored();
    notReady.ready.reset();
    driver.give(JournalReread{true, notReady});
    QVERIFY(driver.effects().empty());
    QCOMPARE(driver.state(), State::NotStarted);
    QCOMPARE(driver.cause(), Cause::DiskRefused);
}

void TestRetryPreparation::failedSave2ThatIsDurable_isMarkedAndSentByTryAgainOnly()
{
    MachineDriver fresh;
    auto driver = afterFailedSave2(JournalReread{true, fresh.stored()});
    QCOMPARE(driver.effects().size(), std::size_t(1));
    QVERIFY(driver.has<MarkToldNotStarted>());
    QCOMPARE(driver.state(), State::NotStarted);
    QVERIFY(driver.snapshot().action->toldNotStarted);
    driver.give(NetworkHint{});
    QVERIFY(driver.effects().empty());
    driver.give(TryAgainPressed{});
    QCOMPARE(driver.state(), State::Saving);
    QVERIFY(driver.has<SaveReady>()); // takes the mark back first
    driver.give(ReadySaved{MachineDriver::aRequest()});
    QVERIFY(driver.has<SaveAttemptRow>());
    QVERIFY(!driver.snapshot().action->toldNotStarted);
}

void TestRetryPreparation::unreadableJournalAfterSave2_isMarkedAndTriedAgain()
{
    auto driver = afterFailedSave2(JournalReread{false, {}});
    QVERIFY(driver.has<MarkToldNotStarted>());
    QCOMPARE(driver.state(), State::NotStarted);
    driver.give(TryAgainPressed{});
    QCOMPARE(driver.all<SaveReady>().at(0).card, MachineDriver::aRequest().card);
    QCOMPARE(driver.all<SaveReady>().at(0).action.id, anId());
}

void TestRetryPreparation::tryAgainAfterSave2_keepsTheTokenAndCountsValidityAnew()
{
    auto driver = afterFailedSave2(JournalReread{true, {}});
    driver.advance(std::chrono::minutes(20));
    driver.give(TryAgainPressed{});
    QCOMPARE(driver.all<SaveAction>().at(0).action.validUntil, driver.now().wall + std::chrono::minutes(15));
    driver.give(ActionSaved{2});
    QVERIFY(!driver.has<ExchangeCard>()); // the card was dropped when it became a token
    QCOMPARE(driver.all<SaveReady>().at(0).card, MachineDriver::aRequest().card);
}

void TestRetryPreparation::pressInNotStartedWithFixedBytes_goesOnWithThem()
{
    MachineDriver fresh;
    auto driver = afterFailedSave2(JournalReread{true, fresh.stored()});
    driver.give(PayPressed{anotherId(), MachineDriver::aScope(), MachineDriver::aPurchase()});
    QVERIFY(driver.has<SaveReady>());
    QCOMPARE(driver.all<SaveReady>().at(0).action.id, anId());
}

void TestRetryPreparation::displacedSave2_yields()
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

void TestRetryPreparation::lateAnswersOfTheJournal_changeNothing()
{
    MachineDriver driver;
    driver.toSending();
    const std::vector<Event> events = {ActionSaved{9},
                                       ActionSaveFailed{JournalError::DiskFull},
                                       CardExchanged{refusedCard()},
                                       ReadySaved{},
                                       ReadySaveFailed{JournalError::Failed},
                                       JournalReread{false, {}},
                                       AttemptRowSaved{1},
                                       AttemptRowRefused{1, JournalError::DiskFull},
                                       FinalSaved{},
                                       FinalSaveFailed{JournalError::DiskFull},
                                       TryAgainPressed{},
                                       StartOverPressed{},
                                       CheckAgainPressed{},
                                       TimerFired{TimerKind::NextExchange}};
    for (const auto& event : events) {
        driver.give(event);
        QVERIFY(driver.effects().empty());
        QCOMPARE(driver.state(), State::Sending);
    }
    QCOMPARE(driver.snapshot().action->lease, LeaseNumber(1));
}

void TestRetryPreparation::readyActionPastItsValidity_isClosedHere()
{
    MachineDriver fresh;
    auto driver = afterFailedSave2(JournalReread{true, fresh.stored()});
    driver.advance(std::chrono::minutes(15));
    driver.give(TryAgainPressed{});
    QCOMPARE(driver.state(), State::Cancelled);
    QCOMPARE(driver.cause(), Cause::NeverSent);
    QVERIFY(driver.has<SaveFinal>());
    QVERIFY(!driver.has<SaveReady>());
}

QTEST_APPLESS_MAIN(TestRetryPreparation)
#include "tst_retry_preparation.moc"
