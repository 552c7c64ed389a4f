// The runner killed at bad moments and started again, on fake and on real journals.
#include "core/runner/runner_bench.h"
#include "storage/client_journal.h"

#include <QtCore/QDir>
#include <QtCore/QRegularExpression>
#include <QtCore/QTemporaryDir>
#include <QtTest/QTest>

using namespace payonce;
using namespace payonce::runnertest;
using retry::Cause;
using retry::State;
using storage::ClientJournal;
using support::Fate;
using support::JournalCall;

class RunnerRestartTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup();

    void killedWithThePostOnItsWay_data();
    void killedWithThePostOnItsWay();
    void killedBeforeSaveTwo_isOfferedNotSent();
    void killedWithAProbeOnItsWay_abortsIt();
    void twoOpenActions_areResumedOneAfterTheOther();
    void realFile_survivesAKillAndKeepsNoSecret();
    void fullDisk_isNotStarted();
    void wakeFromSleep_asksAtOnce();
    void networkBack_asksAtOnce();

private:
    [[nodiscard]] std::unique_ptr<ClientJournal> realJournal() const;
    /// Charged, every reply lost, no probe answered, the next one an hour away.
    void leaveUnresolved();

    std::unique_ptr<QTemporaryDir> m_directory;
    std::unique_ptr<RunnerBench> m_bench;
};

void RunnerRestartTest::init()
{
    QTest::failOnWarning(QRegularExpression(QStringLiteral(".*")));
    m_directory = std::make_unique<QTemporaryDir>();
    m_bench = std::make_unique<RunnerBench>();
}

void RunnerRestartTest::cleanup()
{
    const auto broken = m_bench->shop.brokenRules();
    m_bench.reset();
    QVERIFY2(broken.empty(), broken.empty() ? "" : broken.front().c_str());
}

std::unique_ptr<ClientJournal> RunnerRestartTest::realJournal() const
{
    return std::make_unique<ClientJournal>(ClientJournal::fileAt(m_directory->filePath(QStringLiteral("client.sqlite"))));
}

void RunnerRestartTest::killedWithThePostOnItsWay_data()
{
    QTest::addColumn<int>("fate");
    QTest::addColumn<int>("posts");

    QTest::newRow("it arrived") << static_cast<int>(Fate::Hang) << 1;
    QTest::newRow("it did not arrive") << static_cast<int>(Fate::Freeze) << 2;
}

void RunnerRestartTest::killedWithThePostOnItsWay()
{
    QFETCH(const int, fate);
    QFETCH(const int, posts);
    m_bench->numbers.softDeadline = std::chrono::hours(1);
    m_bench->shop.postPlan = {static_cast<Fate>(fate)};
    m_bench->launch();
    QTRY_VERIFY(m_bench->isReady);
    m_bench->runner->pay(aPurchase(), aCard());
    QTRY_COMPARE(m_bench->shop.posts().size(), 1U);

    m_bench->launch();

    QVERIFY(m_bench->shop.aborts() == std::vector{retry::EndReason::Shutdown});
    QTRY_VERIFY_WITH_TIMEOUT(m_bench->state() == State::Paid, kPatience);
    QVERIFY(!m_bench->shop.probes().empty());
    QCOMPARE(m_bench->shop.posts().size(), static_cast<std::size_t>(posts));
    QCOMPARE(m_bench->shop.charges(), 1U);
}

void RunnerRestartTest::killedBeforeSaveTwo_isOfferedNotSent()
{
    m_bench->launch();
    QTRY_VERIFY(m_bench->isReady);
    m_bench->shop.delay = std::chrono::hours(1);
    m_bench->runner->pay(aPurchase(), aCard());
    QTRY_COMPARE(m_bench->shop.exchanges().size(), 1U);
    const auto id = m_bench->runner->snapshot().action->id;

    m_bench->shop.delay = std::chrono::milliseconds(0);
    m_bench->launch();

    QTRY_VERIFY(m_bench->isReady);
    QVERIFY(m_bench->state() == State::NotStarted);
    QVERIFY(m_bench->shop.posts().empty());
    m_bench->runner->tryAgain(); // the card is gone with the process: it is typed again
    QVERIFY(m_bench->state() == State::Editing);
    m_bench->runner->pay(aPurchase(), aCard());
    QTRY_VERIFY(m_bench->state() == State::Paid);
    QVERIFY(m_bench->shop.posts().front().id == id);
}

void RunnerRestartTest::killedWithAProbeOnItsWay_abortsIt()
{
    m_bench->numbers.probeLimit = std::chrono::hours(1);
    m_bench->shop.postPlan = {Fate::LoseReply};
    m_bench->shop.probePlan = {Fate::Hang};
    m_bench->launch();
    QTRY_VERIFY(m_bench->isReady);
    m_bench->runner->pay(aPurchase(), aCard());
    QTRY_COMPARE(m_bench->shop.probes().size(), 1U);

    m_bench->runner.reset();

    QVERIFY(m_bench->shop.aborts() == std::vector{retry::EndReason::Shutdown});
}

void RunnerRestartTest::twoOpenActions_areResumedOneAfterTheOther()
{
    m_bench->shop.postPlan = {Fate::Decline, Fate::Answer};
    m_bench->launch();
    QTRY_VERIFY(m_bench->isReady);
    m_bench->disk->hold(JournalCall::EndAttempt);
    m_bench->runner->pay(aPurchase(), aCard());
    QTRY_COMPARE(m_bench->disk->calls().back(), JournalCall::EndAttempt);
    // A second open action of another cart, as left by a process that used another account's cart.
    auto second = m_bench->disk->all().front();
    second.id =
        values::ActionId::mint(second.id.madeAt().value() + std::chrono::milliseconds(1), {1, 2, 3, 4, 5, 6, 7, 8, 9, 10});
    second.createdAt += std::chrono::milliseconds(1);
    second.purchase.cartId = "cart_2";
    second.attempts.clear();
    m_bench->disk->put(second);
    m_bench->disk->release();
    QTRY_VERIFY(m_bench->state() == State::Declined);
    const auto first = m_bench->runner->snapshot().action->id;
    QVERIFY(m_bench->disk->find(second.id) && !m_bench->disk->find(second.id)->final);

    m_bench->launch();

    QTRY_VERIFY_WITH_TIMEOUT(m_bench->runner->snapshot().action && m_bench->runner->snapshot().action->id == second.id,
                             kPatience);
    QVERIFY(first != second.id);
    QTRY_VERIFY_WITH_TIMEOUT(m_bench->state() == State::Paid, kPatience);
}

void RunnerRestartTest::realFile_survivesAKillAndKeepsNoSecret()
{
    m_bench->numbers.softDeadline = std::chrono::hours(1);
    m_bench->shop.postPlan = {Fate::Hang};
    m_bench->launch(realJournal());
    QTRY_VERIFY(m_bench->isReady);
    m_bench->runner->pay(aPurchase(), aCard());
    QTRY_COMPARE(m_bench->shop.posts().size(), 1U);

    QByteArray onDisk;
    const QFileInfoList files = QDir(m_directory->path()).entryInfoList(QDir::Files | QDir::Hidden);
    for (const QFileInfo& info : files) {
        QFile file(info.filePath());
        QVERIFY(file.open(QIODevice::ReadOnly));
        onDisk += file.readAll();
    }
    m_bench->launch(realJournal());

    QTRY_VERIFY_WITH_TIMEOUT(m_bench->state() == State::Paid, kPatience);
    QCOMPARE(m_bench->shop.charges(), 1U);
    QVERIFY(onDisk.contains("pm_1"));
    QVERIFY(!onDisk.contains(QByteArray::fromStdString(aCard().number)));
    QVERIFY(!onDisk.contains(QByteArray::fromStdString("\"" + aCard().securityCode + "\"")));
}

void RunnerRestartTest::fullDisk_isNotStarted()
{
    const auto open = ClientJournal::fileAt(m_directory->filePath(QStringLiteral("client.sqlite")));
    const auto withoutRoom = [open] {
        auto database = open();
        if (database) {
            (void)(*database)->select(QStringLiteral("PRAGMA max_page_count=1"));
        }
        return database;
    };
    m_bench->launch(std::make_unique<ClientJournal>(withoutRoom));
    QTRY_VERIFY(m_bench->isReady);
    auto purchase = aPurchase();
    purchase.cartId = std::string(20'000, 'x');

    m_bench->runner->pay(purchase, aCard());

    QTRY_VERIFY(m_bench->state() == State::NotStarted);
    QVERIFY(m_bench->cause() == Cause::DiskRefused);
    QVERIFY(m_bench->shop.exchanges().empty() && m_bench->shop.posts().empty());
}

void RunnerRestartTest::leaveUnresolved()
{
    using ms = std::chrono::milliseconds;
    m_bench->numbers.unresolvedAfter = ms(30);
    m_bench->numbers.unresolvedProbe.fill(std::chrono::hours(1));
    m_bench->shop.postPlan.assign(10, Fate::LoseReply);
    m_bench->shop.probePlan.assign(100, Fate::NotSent);
    m_bench->launch();
    QTRY_VERIFY(m_bench->isReady);
    m_bench->runner->pay(aPurchase(), aCard());
    QTRY_VERIFY(m_bench->state() == State::Unresolved && m_bench->runner->snapshot().networkPending == 0);
    m_bench->shop.probePlan.clear();
}

void RunnerRestartTest::wakeFromSleep_asksAtOnce()
{
    leaveUnresolved();

    m_bench->environment.jump(std::chrono::minutes(1));

    QTRY_VERIFY(m_bench->state() == State::Paid);
    QCOMPARE(m_bench->shop.charges(), 1U);
}

void RunnerRestartTest::networkBack_asksAtOnce()
{
    leaveUnresolved();

    m_bench->runner->networkCameBack();

    QTRY_VERIFY(m_bench->state() == State::Paid);
    QCOMPARE(m_bench->shop.charges(), 1U);
}

QTEST_GUILESS_MAIN(RunnerRestartTest)
#include "tst_runner_restart.moc"
