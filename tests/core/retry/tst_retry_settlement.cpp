#include "core/retry/machine_driver.h"
#include "core/retry/wire_results.h"

#include <QtCore/QRegularExpression>
#include <QtTest/QTest>

using namespace payonce::retry;
using namespace payonce::retry_tests;
using ms = std::chrono::milliseconds;

class TestRetrySettlement : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }
    void finalThatCannotBeSaved_isSavedAgain();
    void startOver_waitsForTheSavedAnswer();
    void startOverFromPaid_isDoneWithIt();
};

void TestRetrySettlement::finalThatCannotBeSaved_isSavedAgain()
{
    MachineDriver driver;
    driver.toSending();
    driver.give(PostEnded{1, paid()});
    for (int tries = 0; tries < 5; ++tries) {
        driver.give(FinalSaveFailed{JournalError::DiskFull});
        QCOMPARE(driver.state(), State::Paid);
        QVERIFY(driver.fire(TimerKind::SaveAgain));
        QCOMPARE(driver.all<SaveFinal>().at(0).answer.state, State::Paid);
    }
    driver.give(FinalSaveFailed{JournalError::Displaced});
    QVERIFY(driver.effects().empty());
    QVERIFY(!driver.left(TimerKind::SaveAgain));
}

void TestRetrySettlement::startOver_waitsForTheSavedAnswer()
{
    MachineDriver driver;
    driver.toSending();
    driver.give(PostEnded{1, declined()});
    driver.give(StartOverPressed{});
    QCOMPARE(driver.state(), State::Declined);
    driver.give(FinalSaveFailed{JournalError::Locked});
    QVERIFY(driver.fire(TimerKind::SaveAgain));
    QCOMPARE(driver.state(), State::Declined);
    driver.give(FinalSaved{});
    QCOMPARE(driver.state(), State::Editing);
    QVERIFY(!driver.snapshot().action);
    driver.give(PayPressed{anotherId(), MachineDriver::aScope(), MachineDriver::aPurchase()});
    QCOMPARE(driver.all<SaveAction>().at(0).action.id, anotherId());
}

void TestRetrySettlement::startOverFromPaid_isDoneWithIt()
{
    MachineDriver driver;
    driver.toSending();
    driver.give(PostEnded{1, paid()});
    driver.give(FinalSaved{});
    driver.give(StartOverPressed{});
    QCOMPARE(driver.all<MarkSeen>().at(0).id, anId());
    QCOMPARE(driver.state(), State::Editing);
    QVERIFY(!driver.snapshot().action);
}

QTEST_APPLESS_MAIN(TestRetrySettlement)
#include "tst_retry_settlement.moc"
