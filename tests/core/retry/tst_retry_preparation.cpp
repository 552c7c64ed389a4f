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

} // namespace

class TestRetryPreparation : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }
    void press_onlySaves();
    void savedAction_exchangesTheCard();
    void exchangedCard_savesTheExactBytes();
    void save2AndTheFirstRowDurableTogether_areFollowedByThePost();
    void refusedFirstRow_sendsNothingAndYields();
    void firstRowThatComesTooLate_isClosedUnsent();
    void secondPress_isCountedAndDoesNothing();
    void failedExchange_isTriedThreeTimesThenNotStarted();
    void refusedCard_leadsBackToEditingAndKeepsTheId();
    void failedSave1_isNotStartedAndTriedAgainUnderTheSameId();
    void heldCart_isNotStartedWithItsCause();
    void takenReference_isMintedAgainAFewTimes();
    void lateAnswersOfTheJournal_changeNothing();
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
    QVERIFY((driver.all<SaveReady>().at(0).first == AttemptStart{1, driver.now().wall}));
    QCOMPARE(driver.state(), State::Saving);
    QCOMPARE(driver.snapshot().savesPending, 1);
}

void TestRetryPreparation::save2AndTheFirstRowDurableTogether_areFollowedByThePost()
{
    MachineDriver driver;
    driver.toReadySave();
    const auto first = driver.all<SaveReady>().at(0).first;
    driver.advance(std::chrono::milliseconds(5));
    driver.give(ReadySaved{MachineDriver::aRequest(), AttemptBegun::Inserted});
    QVERIFY(!driver.has<SaveAttemptRow>()); // it came with save 2
    QCOMPARE(driver.all<SendPost>().at(0).request.body, MachineDriver::aRequest().body);
    QCOMPARE(driver.all<SendPost>().at(0).request.note.number, 1);
    QCOMPARE(driver.snapshot().action->attempts, (std::vector{Attempt{1, first.at, {}}}));
    QCOMPARE(driver.state(), State::Sending);
    QCOMPARE(driver.snapshot().posts, 1);
    QCOMPARE(driver.snapshot().savesPending, 0);
}

void TestRetryPreparation::refusedFirstRow_sendsNothingAndYields()
{
    MachineDriver driver;
    driver.toReadySave();
    driver.give(ReadySaved{MachineDriver::aRequest(), AttemptBegun::Refused});
    QCOMPARE(driver.effects().size(), std::size_t(1));
    QVERIFY(driver.has<RereadJournal>());
    QCOMPARE(driver.state(), State::Unresolved);
    QCOMPARE(driver.cause(), Cause::OtherOwner);
    QVERIFY(driver.snapshot().action->ready); // save 2 stays
    QVERIFY(driver.snapshot().action->attempts.empty());
}

void TestRetryPreparation::firstRowThatComesTooLate_isClosedUnsent()
{
    MachineDriver driver;
    driver.toReadySave();
    driver.advance(std::chrono::minutes(15));
    driver.give(ReadySaved{MachineDriver::aRequest(), AttemptBegun::Inserted});
    QVERIFY(!driver.has<SendPost>());
    QCOMPARE(driver.all<SaveAttemptEnd>().at(0).number, 1);
    QCOMPARE(driver.all<SaveAttemptEnd>().at(0).end.bytesTaken, 0);
    QVERIFY(driver.has<SaveWish>()); // only the journal knows whether another window sent it
    driver.give(WishSaved{WishKept::ClosedUnsent});
    QCOMPARE(driver.state(), State::Cancelled);
    QCOMPARE(driver.cause(), Cause::NeverSent);
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
    driver.give(ReadySaved{MachineDriver::aRequest(), AttemptBegun::Inserted});
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

void TestRetryPreparation::lateAnswersOfTheJournal_changeNothing()
{
    MachineDriver driver;
    driver.toSending();
    const std::vector<Event> events = {ActionSaved{9},
                                       ActionSaveFailed{JournalError::DiskFull},
                                       CardExchanged{refusedCard()},
                                       ReadySaved{MachineDriver::aRequest(), AttemptBegun::Inserted},
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

QTEST_APPLESS_MAIN(TestRetryPreparation)
#include "tst_retry_preparation.moc"
