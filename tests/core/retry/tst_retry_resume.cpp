#include "core/retry/machine_driver.h"
#include "core/retry/wire_results.h"

#include <QtCore/QRegularExpression>
#include <QtTest/QTest>

using namespace payonce::retry;
using namespace payonce::retry_tests;
using payonce::values::RecordState;
using ms = std::chrono::milliseconds;

namespace {

/// A new process finds `stored` after `away`.
MachineDriver resumedAfter(ms away, const std::function<void(StoredAction&)>& change)
{
    MachineDriver driver;
    auto stored = driver.stored();
    change(stored);
    driver.advance(away);
    driver.give(Resumed{stored, MachineDriver::aScope()});
    return driver;
}

} // namespace

class TestRetryResume : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }
    void actionWithARow_isAskedAboutFirst_data();
    void actionWithARow_isAskedAboutFirst();
    void freshReadyAction_isSentByItself();
    void readyAction_isNotSentByItself_data();
    void readyAction_isNotSentByItself();
    void actionThatIsNotReady_asksForTheCardAgain();
    void finalAnswer_isShown();
    void otherScope_sendsNothing();
    void attemptsOfEarlierProcesses_count();
    void rowNumbers_goOn();
    void toldNotStartedWithARow_isNeverSentByItself();
    void toldNotStartedWithProvenUnsentRows_waitsForTryAgain();
    void onlyUnsentRowsPastValidity_areClosedHere();
    void sixtySeconds_countFromTheStart();
    void secondResume_changesNothing();
};

void TestRetryResume::actionWithARow_isAskedAboutFirst_data()
{
    QTest::addColumn<int>("bytes");
    QTest::newRow("no end: the process died") << -1;
    QTest::newRow("bytes were taken") << 312;
    QTest::newRow("proven unsent") << 0;
}

void TestRetryResume::actionWithARow_isAskedAboutFirst()
{
    QFETCH(int, bytes);
    auto driver = resumedAfter(ms(2000), [bytes](StoredAction& action) {
        action.attempts = {MachineDriver::attempt(1, bytes < 0 ? std::nullopt : std::optional<std::int64_t>(bytes))};
    });
    QCOMPARE(driver.state(), State::Confirming);
    QVERIFY(driver.has<SendProbe>() && !driver.has<SaveAttemptRow>());
    QCOMPARE(driver.snapshot().anyByteTaken, bytes != 0);
    QVERIFY(driver.snapshot().startedAt.has_value());
    driver.give(ProbeEnded{notFound()});
    QVERIFY(driver.fire(TimerKind::NextPost));
    QCOMPARE(driver.all<SaveAttemptRow>().at(0).number, 2);
    QCOMPARE(driver.all<SaveAttemptRow>().at(0).lease, LeaseNumber(2));
}

void TestRetryResume::freshReadyAction_isSentByItself()
{
    auto driver = resumedAfter(ms(59999), [](StoredAction&) {});
    QCOMPARE(driver.state(), State::Saving);
    QVERIFY(driver.has<SaveAttemptRow>());
    driver.give(AttemptRowSaved{1});
    QVERIFY(driver.has<SendPost>());
    QCOMPARE(driver.state(), State::Sending);
}

void TestRetryResume::readyAction_isNotSentByItself_data()
{
    QTest::addColumn<qint64>("away");
    QTest::addColumn<bool>("told");
    QTest::newRow("60 s old") << qint64(60000) << false;
    QTest::newRow("an hour old, past its validity") << qint64(3600000) << false;
    QTest::newRow("told not started") << qint64(1000) << true;
    QTest::newRow("from the future: a clock was wrong") << qint64(-60000) << false;
}

void TestRetryResume::readyAction_isNotSentByItself()
{
    QFETCH(qint64, away);
    QFETCH(bool, told);
    auto driver = resumedAfter(ms(away), [told](StoredAction& action) { action.toldNotStarted = told; });
    QCOMPARE(driver.state(), State::NotStarted);
    QCOMPARE(driver.cause(), Cause::LeftUnsent);
    QCOMPARE(driver.effects().size(), std::size_t(1));
    QVERIFY(driver.has<MarkToldNotStarted>());
    driver.give(TryAgainPressed{});
    QCOMPARE(driver.has<SaveReady>(), away < 900000);
    QCOMPARE(driver.state(), away < 900000 ? State::Saving : State::Fencing);
}

void TestRetryResume::actionThatIsNotReady_asksForTheCardAgain()
{
    auto driver = resumedAfter(ms(1000), [](StoredAction& action) { action.ready.reset(); });
    QCOMPARE(driver.state(), State::NotStarted);
    QCOMPARE(driver.cause(), Cause::LeftUnsent);
    QVERIFY(driver.effects().empty());
    driver.give(TryAgainPressed{});
    QCOMPARE(driver.state(), State::Editing);
    driver.give(PayPressed{anotherId(), MachineDriver::aScope(), MachineDriver::aPurchase()});
    QCOMPARE(driver.all<SaveAction>().at(0).action.id, anId());
}

void TestRetryResume::finalAnswer_isShown()
{
    auto driver = resumedAfter(ms(1000), [](StoredAction& action) {
        action.attempts = {MachineDriver::attempt(1, {})};
        action.final = FinalAnswer{State::Declined, Cause::None, {}, {}, "expired_card"};
    });
    QCOMPARE(driver.state(), State::Declined);
    QCOMPARE(driver.snapshot().answer.declineCode, std::string("expired_card"));
    QVERIFY(driver.effects().empty());
    driver.give(StartOverPressed{});
    QCOMPARE(driver.state(), State::Editing);
}

void TestRetryResume::otherScope_sendsNothing()
{
    for (const auto& here : {Scope{"acct_2", "srv_1"}, Scope{"acct_1", "srv_2"}}) {
        MachineDriver driver;
        driver.give(Resumed{driver.stored(), here});
        QCOMPARE(driver.state(), State::Unresolved);
        QCOMPARE(driver.cause(), Cause::OtherServer);
        QVERIFY(driver.effects().empty());
    }
}

void TestRetryResume::attemptsOfEarlierProcesses_count()
{
    auto driver = resumedAfter(ms(1000), [](StoredAction& action) {
        action.attempts = {MachineDriver::attempt(1, 312), MachineDriver::attempt(2, 312), MachineDriver::attempt(3, 0),
                           MachineDriver::attempt(4, 312), MachineDriver::attempt(5, {})};
    });
    driver.give(ProbeEnded{notFound()});
    QCOMPARE(driver.state(), State::Unresolved);
    QCOMPARE(driver.cause(), Cause::AttemptsSpent);
}

void TestRetryResume::rowNumbers_goOn()
{
    auto driver = resumedAfter(ms(1000), [](StoredAction& action) { action.attempts = {MachineDriver::attempt(7, 312)}; });
    QCOMPARE(driver.snapshot().attempt, 7);
    driver.give(ProbeEnded{lost()});
    QVERIFY(driver.fire(TimerKind::NextPost));
    QCOMPARE(driver.all<SaveAttemptRow>().at(0).number, 8);
}

void TestRetryResume::toldNotStartedWithARow_isNeverSentByItself()
{
    auto driver = resumedAfter(ms(1000), [](StoredAction& action) {
        action.toldNotStarted = true;
        action.attempts = {MachineDriver::attempt(1, {})};
    });
    QCOMPARE(driver.state(), State::Confirming);
    driver.give(ProbeEnded{notFound()});
    QVERIFY(!driver.has<SaveAttemptRow>());
    QCOMPARE(driver.state(), State::Unresolved);
    driver.give(CheckAgainPressed{});
    driver.give(ProbeEnded{notFound()});
    QVERIFY(driver.has<SaveAttemptRow>());
}

void TestRetryResume::toldNotStartedWithProvenUnsentRows_waitsForTryAgain()
{
    auto driver = resumedAfter(ms(1000), [](StoredAction& action) {
        action.toldNotStarted = true;
        action.attempts = {MachineDriver::attempt(1, 0)};
    });
    QCOMPARE(driver.state(), State::NotStarted);
    QVERIFY(!driver.has<SendProbe>());
    driver.give(NetworkHint{});
    QVERIFY(driver.effects().empty());
    driver.give(TryAgainPressed{});
    QCOMPARE(driver.all<SaveReady>().at(0).first.number, 2);
    driver.give(ReadySaved{MachineDriver::aRequest(), AttemptBegun::Inserted});
    QCOMPARE(driver.all<SendPost>().at(0).request.note.number, 2);
}

void TestRetryResume::onlyUnsentRowsPastValidity_areClosedHere()
{
    auto driver = resumedAfter(std::chrono::minutes(16), [](StoredAction& action) {
        action.attempts = {MachineDriver::attempt(1, 0), MachineDriver::attempt(2, 0)};
    });
    driver.give(ProbeEnded{lost()});
    driver.give(WishSaved{WishKept::ClosedUnsent});
    QCOMPARE(driver.state(), State::Cancelled);
    QCOMPARE(driver.cause(), Cause::NeverSent);
}

void TestRetryResume::sixtySeconds_countFromTheStart()
{
    auto driver =
        resumedAfter(std::chrono::minutes(3), [](StoredAction& action) { action.attempts = {MachineDriver::attempt(1, {})}; });
    QCOMPARE(driver.left(TimerKind::GiveUp), std::optional<ms>(60000));
    driver.give(ProbeEnded{found(RecordState::InProgress)});
    QVERIFY(driver.fire(TimerKind::GiveUp));
    QCOMPARE(driver.cause(), Cause::Late);
}

void TestRetryResume::secondResume_changesNothing()
{
    auto driver = resumedAfter(ms(1000), [](StoredAction&) {});
    driver.give(Resumed{driver.stored(), MachineDriver::aScope()});
    QVERIFY(driver.effects().empty());
}

QTEST_APPLESS_MAIN(TestRetryResume)
#include "tst_retry_resume.moc"
