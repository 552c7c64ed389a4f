// An action that another process owns: what is shown of it, and that nothing is done for it.
#include "core/retry/machine_driver.h"

#include <QtTest/QTest>

using namespace payonce;
using namespace payonce::retry;
using retry_tests::MachineDriver;
using namespace std::chrono_literals;

Q_DECLARE_METATYPE(payonce::retry::WatchedAction)
Q_DECLARE_METATYPE(payonce::retry::State)
Q_DECLARE_METATYPE(payonce::retry::Event)

class RetryWatchingTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void whatMayBeSaid_data();
    void whatMayBeSaid();
    void viewer_doesNothingForIt_data();
    void viewer_doesNothingForIt();
    void displacedOwner_dropsItsCalls();
    void displacedWhileTheCardIsExchanged_savesNothing();
    void rowUnderWayWhenDisplaced_sendsNothing();
    void takenOver_asksFirst();
    void ownFinalAnswer_isNotReplaced();

private:
    /// Of another owner, with one attempt under way.
    [[nodiscard]] static WatchedAction seen(const MachineDriver& driver, std::optional<Shown> shown = {});
};

WatchedAction RetryWatchingTest::seen(const MachineDriver& driver, std::optional<Shown> shown)
{
    StoredAction action = driver.stored();
    action.lease = 7;
    action.attempts = {MachineDriver::attempt(1, {})};
    return {action, std::move(shown)};
}

void RetryWatchingTest::whatMayBeSaid_data()
{
    QTest::addColumn<WatchedAction>("seen");
    QTest::addColumn<State>("said");

    const MachineDriver driver;
    WatchedAction action = seen(driver);
    const auto row = [&action](const char* name, std::optional<State> shown, State said) {
        action.shown = shown ? std::optional(Shown{*shown}) : std::nullopt;
        QTest::newRow(name) << action << said;
    };
    row("what the owner says", State::RetryWait, State::RetryWait);
    row("nothing yet, on its way", {}, State::Sending);
    row("not started, but a row may have left", State::NotStarted, State::Sending);
    row("an end that is not saved", State::Paid, State::Sending);
    action.action.attempts = {MachineDriver::attempt(1, 10)};
    row("nothing yet, an attempt without an answer", {}, State::Confirming);
    action.action.wish = CancelWish{Cause::ByPerson, {}};
    row("a wish to cancel is saved", State::Confirming, State::Fencing);
    action.action.wish.reset();
    action.action.attempts.clear();
    row("nothing yet, nothing sent", {}, State::Saving);
    row("the owner asks for another card", State::Editing, State::NotStarted);
    action.action.toldNotStarted = true;
    row("told not started", {}, State::NotStarted);
    action.action.adopted = true;
    row("another device's", {}, State::Confirming);
}

void RetryWatchingTest::whatMayBeSaid()
{
    QFETCH(const WatchedAction, seen);
    QFETCH(const State, said);
    MachineDriver driver;

    driver.give(Watched{seen});

    QVERIFY(driver.state() == said);
    QVERIFY(driver.snapshot().isViewer);
    QCOMPARE(driver.snapshot().action->lease, 0);
    for (int timer = 0; timer <= static_cast<int>(TimerKind::FenceDue); ++timer)
        QVERIFY(!driver.left(static_cast<TimerKind>(timer)));
}

void RetryWatchingTest::viewer_doesNothingForIt_data()
{
    QTest::addColumn<Event>("event");

    const MachineDriver driver;
    QTest::newRow("Pay") << Event(PayPressed{driver.stored().id, MachineDriver::aScope(), MachineDriver::aPurchase()});
    QTest::newRow("Try again") << Event(TryAgainPressed{});
    QTest::newRow("Check again") << Event(CheckAgainPressed{});
    QTest::newRow("Cancel") << Event(CancelPressed{});
    QTest::newRow("the network is back") << Event(NetworkHint{});
    QTest::newRow("a clock jumped") << Event(ClockJumped{});
}

void RetryWatchingTest::viewer_doesNothingForIt()
{
    QFETCH(const Event, event);
    for (const State state : {State::NotStarted, State::Offline, State::Unresolved, State::RetryWait}) {
        MachineDriver driver;
        auto watched = seen(driver, Shown{state});
        if (state == State::NotStarted)
            watched.action.attempts.clear();
        driver.give(Watched{watched});

        driver.give(event);

        QVERIFY(driver.effects().empty());
        QVERIFY(driver.state() == state && driver.snapshot().isViewer);
    }
}

void RetryWatchingTest::displacedOwner_dropsItsCalls()
{
    MachineDriver driver;
    driver.toSending();

    driver.give(Watched{seen(driver, Shown{State::Confirming})});

    QVERIFY(driver.has<AbortPost>());
    QVERIFY(driver.snapshot().isViewer);
    QVERIFY(!driver.left(TimerKind::SoftDeadline) && !driver.left(TimerKind::GiveUp));
}

void RetryWatchingTest::displacedWhileTheCardIsExchanged_savesNothing()
{
    MachineDriver driver;
    driver.toExchange();
    auto watched = seen(driver, Shown{State::NotStarted});
    watched.action.id = driver.snapshot().action->id;
    watched.action.attempts.clear();
    driver.give(Watched{watched});
    QVERIFY(driver.snapshot().isViewer);

    driver.give(CardExchanged{MachineDriver::exchanged()});

    QVERIFY(driver.effects().empty());
    QVERIFY(driver.snapshot().isViewer);
    QCOMPARE(driver.snapshot().networkPending, 0);
}

void RetryWatchingTest::rowUnderWayWhenDisplaced_sendsNothing()
{
    MachineDriver driver;
    driver.toRowSave();
    driver.give(Watched{seen(driver, Shown{State::Confirming})});

    driver.give(AttemptRowSaved{2});

    QVERIFY(!driver.has<SendPost>());
}

void RetryWatchingTest::takenOver_asksFirst()
{
    MachineDriver driver;
    const auto watched = seen(driver, Shown{State::RetryWait});
    driver.give(Watched{watched});
    StoredAction taken = watched.action;
    taken.lease = 8;

    driver.give(Resumed{taken, MachineDriver::aScope()});

    QVERIFY(driver.has<SendProbe>() && !driver.has<SendPost>());
    QVERIFY(driver.state() == State::Confirming && !driver.snapshot().isViewer);
    QCOMPARE(driver.snapshot().action->lease, 8);
}

void RetryWatchingTest::ownFinalAnswer_isNotReplaced()
{
    MachineDriver driver;
    auto ended = seen(driver);
    ended.action.final = FinalAnswer{State::Paid, Cause::None, "1001", "ch_1", {}, {}, {}};
    driver.give(Watched{ended});
    QVERIFY(driver.state() == State::Paid && !driver.snapshot().isViewer);
    ended.action.final.reset();
    ended.action.lease = 9;

    driver.give(Watched{ended});

    QVERIFY(driver.state() == State::Paid);
    driver.give(StartOverPressed{});
    QVERIFY(driver.state() == State::Editing && !driver.snapshot().action);
}

QTEST_GUILESS_MAIN(RetryWatchingTest)
#include "tst_retry_watching.moc"
