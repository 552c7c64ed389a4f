// The queue and the thread behind BatchThread; knows nothing of stores.
#pragma once

#include "idempotency/ledger_store.h"

#include <QtCore/QObject>
#include <QtCore/QThread>

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

namespace payonce::batch {

using Failed = std::optional<idempotency::StoreError>;

/// One piece of work. Made, finished and destroyed on the owner's thread; `run` belongs to the worker thread.
class Job
{
public:
    Job() = default;
    Job(const Job&) = delete;
    Job& operator=(const Job&) = delete;
    Job(Job&&) = delete;
    Job& operator=(Job&&) = delete;
    virtual ~Job() = default;

    virtual void run() = 0;
    /// Empty: what was run is durable. Otherwise nothing of it was kept.
    virtual void finish(Failed failed) = 0;
};

using Jobs = std::vector<std::unique_ptr<Job>>;

/// Bounds of one queue: what waits (more is refused as Unavailable), and what shares one commit.
inline constexpr std::size_t kQueuedMost = 4096;
inline constexpr std::size_t kBatchMost = 256;

class JobThread
{
public:
    /// What the worker thread does: `open` first, then `runBatch` again and again, `close` last.
    struct Work
    {
        std::function<Failed()> open;
        std::function<Failed(const Jobs&)> runBatch;
        std::function<void()> close;
        /// On the owner's thread, after each batch and before its jobs are finished; may be empty.
        std::function<void(std::size_t jobs, std::chrono::nanoseconds took)> ran{};
    };

    explicit JobThread(Work work);
    JobThread(const JobThread&) = delete;
    JobThread& operator=(const JobThread&) = delete;
    JobThread(JobThread&&) = delete;
    JobThread& operator=(JobThread&&) = delete;
    /// Runs what is still queued, closes, and joins. Nothing is finished any more.
    ~JobThread();

    /// Starts the thread and waits until `open` is done. Not empty: `open` failed and the thread has ended.
    [[nodiscard]] Failed start();
    void add(std::unique_ptr<Job> job);

private:
    void work();
    [[nodiscard]] Jobs nextBatch();
    void handBack(Jobs jobs, Failed failed, std::optional<std::chrono::nanoseconds> took = {});
    void deliver();

    struct Done
    {
        Jobs jobs;
        Failed failed;
        std::optional<std::chrono::nanoseconds> took; // none: refused, never run
    };

    Work m_work;
    std::mutex m_mutex;
    std::condition_variable m_wake;
    Jobs m_queue;
    std::vector<Done> m_done;
    std::optional<Failed> m_opened;
    bool m_stopping = false;
    std::unique_ptr<QThread> m_thread;
    QObject m_home; // lives on the owner's thread; its events end with it
};

} // namespace payonce::batch
