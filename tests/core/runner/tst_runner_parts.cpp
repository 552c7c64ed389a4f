#include "runner/card_keeper.h"
#include "runner/clock_watch.h"
#include "runner/journal_thread.h"
#include "runner/machine_timers.h"
#include "runner/system_environment.h"
#include "support/fake_journal.h"

#include <QtTest/QTest>

#include <atomic>

using namespace payonce;
using runner::JournalThread;
using support::FakeDisk;
using support::FakeJournal;

namespace {

class ManualEnvironment : public runner::Environment
{
public:
    values::Now time{};

    [[nodiscard]] values::Now now() override { return time; }
    [[nodiscard]] std::uint64_t draw() override { return 4; }

    void advance(std::chrono::milliseconds wall, std::chrono::milliseconds mono)
    {
        time.wall += wall;
        time.mono += mono;
    }
};

/// Notes on which thread it dies.
class WitnessJournal : public FakeJournal
{
public:
    WitnessJournal(std::shared_ptr<FakeDisk> disk, std::atomic<QThread*>& diedOn)
        : FakeJournal(std::move(disk)), m_diedOn(diedOn)
    {
    }
    WitnessJournal(const WitnessJournal&) = delete;
    WitnessJournal& operator=(const WitnessJournal&) = delete;
    WitnessJournal(WitnessJournal&&) = delete;
    WitnessJournal& operator=(WitnessJournal&&) = delete;
    ~WitnessJournal() override { m_diedOn = QThread::currentThread(); }

private:
    std::atomic<QThread*>& m_diedOn;
};

} // namespace

class RunnerPartsTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void journalCalls_runInOrderOnTheWorker();
    void journal_finishesWhatWasAskedAndDiesOnTheWorker();
    void timer_firesOnceWithItsKind();
    void timer_stoppedOrReplacedDoesNotFire();
    void clockWatch_data();
    void clockWatch();
    void card_isForgotten();
    void seededDraws_repeat();
    void clocks_moveForward();
};

void RunnerPartsTest::journalCalls_runInOrderOnTheWorker()
{
    JournalThread thread(std::make_unique<FakeJournal>(std::make_shared<FakeDisk>()));
    std::vector<int> answers;
    std::atomic<QThread*> workedOn{nullptr};
    for (int number = 1; number <= 3; ++number) {
        thread.call(
            [number, &workedOn](retry::Journal& /*journal*/) {
                workedOn = QThread::currentThread();
                return number;
            },
            [&answers](int answer) { answers.push_back(answer); });
    }
    QVERIFY(answers.empty());

    QTRY_COMPARE(answers.size(), 3U);

    QVERIFY((answers == std::vector{1, 2, 3}));
    QVERIFY(workedOn != QThread::currentThread());
}

void RunnerPartsTest::journal_finishesWhatWasAskedAndDiesOnTheWorker()
{
    std::atomic<QThread*> diedOn{nullptr};
    std::atomic<int> worked{0};
    int answered = 0;
    {
        JournalThread thread(std::make_unique<WitnessJournal>(std::make_shared<FakeDisk>(), diedOn));
        for (int number = 0; number < 5; ++number) {
            thread.call([&worked](retry::Journal& /*journal*/) { return ++worked; },
                        [&answered](int /*number*/) { ++answered; });
        }
    }
    QCoreApplication::sendPostedEvents();

    QCOMPARE(worked, 5);
    QCOMPARE(answered, 0);
    QVERIFY(diedOn != nullptr && diedOn != QThread::currentThread());
}

void RunnerPartsTest::timer_firesOnceWithItsKind()
{
    std::vector<retry::TimerKind> fired;
    runner::MachineTimers timers([&fired](retry::TimerKind kind) { fired.push_back(kind); });

    timers.start(retry::TimerKind::NextExchange, std::chrono::milliseconds(20));
    timers.start(retry::TimerKind::SoftDeadline, std::chrono::milliseconds(-5)); // late already: at once, not never

    QTRY_COMPARE(fired.size(), 2U);
    QVERIFY((fired == std::vector{retry::TimerKind::SoftDeadline, retry::TimerKind::NextExchange}));
}

void RunnerPartsTest::timer_stoppedOrReplacedDoesNotFire()
{
    std::vector<retry::TimerKind> fired;
    runner::MachineTimers timers([&fired](retry::TimerKind kind) { fired.push_back(kind); });
    timers.start(retry::TimerKind::NextPost, std::chrono::milliseconds(1));
    timers.start(retry::TimerKind::NextProbe, std::chrono::milliseconds(1));
    timers.start(retry::TimerKind::GiveUp, std::chrono::milliseconds(30));

    timers.stop(retry::TimerKind::NextPost);
    timers.start(retry::TimerKind::NextProbe, std::chrono::hours(1));

    QTRY_COMPARE(fired.size(), 1U);
    QVERIFY(fired.front() == retry::TimerKind::GiveUp);
}

void RunnerPartsTest::clockWatch_data()
{
    QTest::addColumn<int>("wall");
    QTest::addColumn<int>("mono");
    QTest::addColumn<int>("jumps");

    QTest::newRow("a quiet second") << 1000 << 1000 << 0;
    QTest::newRow("a late tick") << 60'000 << 60'000 << 0;
    QTest::newRow("slewed") << 5'900 << 1000 << 0;
    QTest::newRow("slept") << 3'600'000 << 1000 << 1;
    QTest::newRow("set back") << -7'200'000 << 1000 << 1;
}

void RunnerPartsTest::clockWatch()
{
    QFETCH(const int, wall);
    QFETCH(const int, mono);
    QFETCH(const int, jumps);
    ManualEnvironment environment;
    int seen = 0;
    runner::ClockWatch watch(environment, [&seen] { ++seen; });

    environment.advance(std::chrono::milliseconds(wall), std::chrono::milliseconds(mono));
    watch.look();
    environment.advance(std::chrono::seconds(1), std::chrono::seconds(1));
    watch.look(); // a jump is told once

    QCOMPARE(seen, jumps);
}

void RunnerPartsTest::card_isForgotten()
{
    runner::CardKeeper keeper;
    QVERIFY(!keeper.card());
    keeper.keep({.number = "4242424242424242", .expiryMonth = 12, .expiryYear = 2031, .securityCode = "987"});
    QCOMPARE(keeper.card()->number, std::string("4242424242424242"));

    keeper.drop();

    QVERIFY(!keeper.card());
}

void RunnerPartsTest::seededDraws_repeat()
{
    runner::SystemEnvironment first(4711);
    runner::SystemEnvironment second(4711);
    runner::SystemEnvironment other(4712);
    runner::SystemEnvironment unseeded;

    const auto draw = first.draw();

    QCOMPARE(second.draw(), draw);
    QVERIFY(other.draw() != draw);
    QVERIFY(unseeded.draw() != unseeded.draw());
}

void RunnerPartsTest::clocks_moveForward()
{
    runner::SystemEnvironment environment;
    const values::Now before = environment.now();
    values::Now after = before;

    QTRY_VERIFY((after = environment.now()).mono > before.mono);

    QVERIFY(after.wall.time_since_epoch() > std::chrono::hours(24 * 365 * 50));
}

QTEST_GUILESS_MAIN(RunnerPartsTest)
#include "tst_runner_parts.moc"
