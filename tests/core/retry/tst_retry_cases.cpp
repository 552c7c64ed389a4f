// What went wrong in real clients, played against these rules; each is named after what went wrong there.
#include "core/retry/machine_driver.h"
#include "core/retry/wire_results.h"

#include <QtCore/QRegularExpression>
#include <QtTest/QTest>

using namespace payonce::retry;
using namespace payonce::retry_tests;
using payonce::values::RecordState;

namespace {

PayPressed pressWith(const payonce::values::ActionId& id, std::int64_t minorUnits)
{
    auto purchase = MachineDriver::aPurchase();
    purchase.amount = payonce::values::Money{minorUnits, purchase.amount.currency};
    return {id, MachineDriver::aScope(), purchase};
}

} // namespace

class TestRetryCases : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    void pollRanOut_soTheNextPressWasAFreshPayment();
    void keyWasDroppedAfterAnHour_soTheNextPressWasAFreshPayment();
    void backButtonGaveTheFormANewKey();
    void restartResumedAPaymentThatTheOtherSideHadEnded_andNeverEnded();
    void amountWasReadAgainWhenItWasSentAgain();
    void oldAmountWasChargedForTheChangedOrder();
    void lookUpClockBeganBeforeThePaymentWasSent();
};

/// akash-network/console PR #3449: one to three more presses, minutes apart, and each of them was charged.
void TestRetryCases::pollRanOut_soTheNextPressWasAFreshPayment()
{
    MachineDriver driver;
    driver.toAttemptsSpent();
    for (int press = 0; press < 3; ++press) {
        driver.advance(std::chrono::minutes(2));
        driver.give(pressWith(anotherId(), anAmount().minorUnits));
        QVERIFY(!driver.has<SaveAction>() && !driver.has<SendPost>());
        driver.give(StartOverPressed{});
        QVERIFY(driver.snapshot().action && driver.snapshot().action->id == anId());
    }
    driver.give(CheckAgainPressed{});
    driver.give(ProbeEnded{found(RecordState::Succeeded)});
    QCOMPARE(driver.state(), State::Paid);
    QCOMPARE(driver.all<SaveFinal>().at(0).id, anId());
}

/// The review of the same: the key was given up after sixty minutes.
void TestRetryCases::keyWasDroppedAfterAnHour_soTheNextPressWasAFreshPayment()
{
    MachineDriver driver;
    driver.toAttemptsSpent();
    driver.advance(std::chrono::minutes(61));
    driver.give(ClockJumped{});
    driver.give(pressWith(anotherId(), anAmount().minorUnits));
    QVERIFY(!driver.has<SaveAction>() && !driver.has<SendPost>());
    QVERIFY(driver.snapshot().action && driver.snapshot().action->id == anId());
    QVERIFY(!isOver(driver.state())); // closed at the shop by now, but nobody has said so
}

/// A form that is left and come back to is a new form: only what has ended may be followed by another ID.
void TestRetryCases::backButtonGaveTheFormANewKey()
{
    MachineDriver driver;
    driver.toSending();
    for (const Event& wayBack : std::initializer_list<Event>{StartOverPressed{}, TryAgainPressed{}, Acknowledged{}}) {
        driver.give(wayBack);
        driver.give(pressWith(anotherId(), anAmount().minorUnits));
        QVERIFY(!driver.has<SaveAction>());
        QVERIFY(driver.snapshot().action && driver.snapshot().action->id == anId());
        QCOMPARE(driver.state(), State::Sending);
    }
}

/// lightningnetwork/lnd #6249: the attempt was in flight again after every start, although it had failed long ago.
void TestRetryCases::restartResumedAPaymentThatTheOtherSideHadEnded_andNeverEnded()
{
    MachineDriver driver;
    auto stored = driver.stored();
    stored.attempts = {MachineDriver::attempt(1, {})};
    driver.advance(std::chrono::minutes(5));
    driver.give(Resumed{stored, MachineDriver::aScope()});
    QVERIFY(driver.has<SendProbe>() && !driver.has<SendPost>());
    QVERIFY(driver.left(TimerKind::ProbeLimit).has_value()); // and if nobody answers, it still goes on
    driver.give(ProbeEnded{found(RecordState::Failed)});
    QCOMPARE(driver.state(), State::Declined);
    QCOMPARE(driver.all<SaveFinal>().at(0).answer.state, State::Declined);
}

/// openfoodfoundation/openfoodnetwork #6330: what a copy says was computed when it was sent.
void TestRetryCases::amountWasReadAgainWhenItWasSentAgain()
{
    MachineDriver driver;
    driver.toSending();
    const auto first = driver.all<SendPost>().at(0).request;
    driver.give(pressWith(anotherId(), anAmount().minorUnits / 2)); // the form says something else by now
    driver.loseAndAllowNext(1);
    driver.saveRow(2);
    const auto second = driver.all<SendPost>().at(0).request;
    QCOMPARE(second.id, first.id);
    QCOMPARE(second.body, first.body);
}

/// woocommerce/woocommerce-gateway-stripe PR #4093: 18.00 declined, the cart made 10.00, and 18.00 charged.
void TestRetryCases::oldAmountWasChargedForTheChangedOrder()
{
    constexpr std::int64_t kChanged = 1000;
    MachineDriver driver;
    driver.toSending();
    driver.give(PostEnded{1, declined()});
    driver.give(FinalSaved{});
    driver.give(StartOverPressed{});
    driver.give(pressWith(anotherId(), kChanged));
    const auto saved = driver.all<SaveAction>().at(0).action;
    QCOMPARE(saved.id, anotherId());
    QCOMPARE(saved.purchase.amount.minorUnits, kChanged);
    driver.give(ActionSaved{1});
    driver.give(CardExchanged{MachineDriver::exchanged()});
    QVERIFY(!driver.all<SaveReady>().at(0).action.ready); // nothing of the first one's bytes is used
    QCOMPARE(driver.all<SaveReady>().at(0).action.id, anotherId());
}

/// interledger/web-monetization-extension PR #1161: sending took most of the time there was for asking.
void TestRetryCases::lookUpClockBeganBeforeThePaymentWasSent()
{
    MachineDriver driver;
    driver.toExchange();
    driver.advance(std::chrono::seconds(55)); // the card's exchange is slow
    driver.give(CardExchanged{MachineDriver::exchanged()});
    driver.give(ReadySaved{MachineDriver::aRequest(), AttemptBegun::Inserted});
    driver.give(PostEnded{1, lost()});
    QCOMPARE(driver.state(), State::Confirming);
    QVERIFY(driver.left(TimerKind::GiveUp).value_or(MachineDriver::ms(0)) > std::chrono::seconds(55));
}

QTEST_APPLESS_MAIN(TestRetryCases)
#include "tst_retry_cases.moc"
