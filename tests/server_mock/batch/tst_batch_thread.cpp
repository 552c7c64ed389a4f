#include "batch/batch_thread.h"

#include <QtTest/QTest>

#include <atomic>
#include <semaphore>
#include <vector>

using namespace payonce;
using batch::Outcome;
using idempotency::StoreError;

namespace {

/// Counts what a batch does; fails where it is told to.
struct Log
{
    std::atomic<int> begun = 0;
    std::atomic<int> committed = 0;
    std::atomic<bool> closed = false;
    std::atomic<QThread*> thread = nullptr;
    std::optional<StoreError> openError;
    std::optional<StoreError> beginError;
    std::optional<StoreError> commitError;
    std::optional<StoreError> whyUnsaved; // of the next batch
};

class CountingStore
{
public:
    explicit CountingStore(Log& log) : m_log(log) { m_log.thread = QThread::currentThread(); }
    CountingStore(const CountingStore&) = delete;
    CountingStore& operator=(const CountingStore&) = delete;
    CountingStore(CountingStore&&) = delete;
    CountingStore& operator=(CountingStore&&) = delete;
    ~CountingStore() { m_log.closed = QThread::currentThread() == m_log.thread; }

    [[nodiscard]] Outcome<void> beginBatch()
    {
        ++m_log.begun;
        return m_log.beginError ? Outcome<void>(values::Failure(*m_log.beginError)) : Outcome<void>();
    }
    [[nodiscard]] Outcome<void> commitBatch()
    {
        ++m_log.committed;
        return m_log.commitError ? Outcome<void>(values::Failure(*m_log.commitError)) : Outcome<void>();
    }
    [[nodiscard]] batch::Failed whyUnsaved() const { return m_log.whyUnsaved; }

private:
    Log& m_log;
};

using Thread = batch::BatchThread<CountingStore>;

Thread::Open opener(Log& log)
{
    return [&log]() -> Outcome<std::unique_ptr<CountingStore>> {
        if (log.openError)
            return values::Failure(*log.openError);
        return std::make_unique<CountingStore>(log);
    };
}

Outcome<int> three(CountingStore&)
{
    return 3;
}

} // namespace

class TestBatchThread : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }
    void result_arrivesOnTheOwnersThreadAfterTheCommit()
    {
        Log log;
        Thread thread(opener(log));
        QVERIFY(!thread.start());
        QThread* ran = nullptr;
        std::optional<Outcome<int>> result;
        int committedThen = 0;

        thread.submit<int>(
            [&ran](CountingStore&) -> Outcome<int> {
                ran = QThread::currentThread();
                return 7;
            },
            [&](Outcome<int> outcome) {
                result = outcome;
                committedThen = log.committed;
            });

        QVERIFY(!result); // later than the call
        QTRY_VERIFY(result);
        QCOMPARE(result->value(), 7);
        QCOMPARE(committedThen, 1);
        QVERIFY(ran != QThread::currentThread());
    }

    void jobsThatWaitTogether_shareOneCommit()
    {
        Log log;
        std::vector<std::size_t> sizes;
        Thread thread(opener(log), [&sizes](std::size_t jobs, std::chrono::nanoseconds took) {
            QVERIFY(took > std::chrono::nanoseconds::zero());
            sizes.push_back(jobs);
        });
        QVERIFY(!thread.start());
        std::binary_semaphore inside(0);
        std::binary_semaphore goOn(0);
        int finished = 0;
        const auto count = [&finished](Outcome<int>) { ++finished; };

        thread.submit<int>(
            [&](CountingStore& store) {
                inside.release();
                goOn.acquire();
                return three(store);
            },
            count);
        inside.acquire(); // the first batch is under way; what comes now waits for the second
        for (int i = 0; i < 100; ++i)
            thread.submit<int>(three, count);
        goOn.release();

        QTRY_COMPARE(finished, 101);
        QCOMPARE(log.committed.load(), 2);
        QCOMPARE(sizes, (std::vector<std::size_t>{1, 100}));
    }

    void failedCommit_failsEveryJobOfTheBatch()
    {
        Log log;
        log.commitError = StoreError::DiskFull;
        Thread thread(opener(log));
        QVERIFY(!thread.start());
        std::optional<Outcome<int>> result;

        thread.submit<int>(three, [&](Outcome<int> outcome) { result = outcome; });

        QTRY_VERIFY(result);
        QVERIFY(!*result);
        QCOMPARE(result->error(), StoreError::DiskFull);
    }

    void whyUnsaved_isWhatTheStoreSaidAfterTheNewestBatch()
    {
        Log log;
        Thread thread(opener(log));
        QVERIFY(!thread.start());
        QVERIFY(!thread.whyUnsaved());
        for (const auto& why : {batch::Failed(StoreError::DiskFull), batch::Failed()}) {
            log.whyUnsaved = why;
            bool isDone = false;
            thread.submit<int>(three, [&isDone](const Outcome<int>&) { isDone = true; });
            QTRY_VERIFY(isDone);
            QVERIFY(thread.whyUnsaved() == why);
        }
    }

    void failedBegin_runsNoJob()
    {
        Log log;
        log.beginError = StoreError::Locked;
        Thread thread(opener(log));
        QVERIFY(!thread.start());
        bool ran = false;
        std::optional<Outcome<int>> result;

        thread.submit<int>(
            [&ran](CountingStore& store) {
                ran = true;
                return three(store);
            },
            [&](Outcome<int> outcome) { result = outcome; });

        QTRY_VERIFY(result);
        QCOMPARE(result->error(), StoreError::Locked);
        QVERIFY(!ran);
        QCOMPARE(log.committed.load(), 0);
    }

    void failedJob_leavesTheOthersAlone()
    {
        Log log;
        Thread thread(opener(log));
        QVERIFY(!thread.start());
        std::optional<Outcome<int>> bad;
        std::optional<Outcome<int>> good;

        thread.submit<int>([](CountingStore&) -> Outcome<int> { return values::Failure(StoreError::Unavailable); },
                           [&](Outcome<int> outcome) { bad = outcome; });
        thread.submit<int>(three, [&](Outcome<int> outcome) { good = outcome; });

        QTRY_VERIFY(bad && good);
        QCOMPARE(bad->error(), StoreError::Unavailable);
        QCOMPARE(good->value(), 3);
    }

    void failedOpen_isReportedByStart()
    {
        Log log;
        log.openError = StoreError::Damaged;
        Thread thread(opener(log));

        const auto failed = thread.start();

        QVERIFY(failed);
        QCOMPARE(*failed, StoreError::Damaged);
    }

    void fullQueue_refusesWithoutRunning()
    {
        Log log;
        Thread thread(opener(log));
        QVERIFY(!thread.start());
        std::binary_semaphore inside(0);
        std::binary_semaphore goOn(0);
        int well = 0;
        int refused = 0;
        const auto count = [&](Outcome<int> outcome) { ++(outcome ? well : refused); };

        thread.submit<int>(
            [&](CountingStore& store) {
                inside.release();
                goOn.acquire();
                return three(store);
            },
            count);
        inside.acquire();
        for (std::size_t i = 0; i < batch::kQueuedMost + 5; ++i)
            thread.submit<int>(three, count);
        goOn.release();

        QTRY_COMPARE(well + refused, static_cast<int>(batch::kQueuedMost) + 6);
        QCOMPARE(refused, 5);
    }

    void end_runsWhatIsQueuedAndClosesOnItsThread()
    {
        Log log;
        std::atomic<int> ran = 0;
        bool told = false;
        {
            Thread thread(opener(log));
            QVERIFY(!thread.start());
            for (int i = 0; i < 10; ++i)
                thread.submit<int>(
                    [&ran](CountingStore& store) {
                        ++ran;
                        return three(store);
                    },
                    [&told](Outcome<int>) { told = true; });
        }
        QCOMPARE(ran.load(), 10);
        QVERIFY(log.closed.load());
        QCoreApplication::processEvents();
        QVERIFY(!told);
    }
};

QTEST_GUILESS_MAIN(TestBatchThread)
#include "tst_batch_thread.moc"
