#include "batch/job_thread.h"

#include "values/check.h"

#include <iterator>
#include <utility>

namespace payonce::batch {

JobThread::JobThread(Work work) : m_work(std::move(work)) {}

JobThread::~JobThread()
{
    if (!m_thread)
        return;
    {
        const std::lock_guard lock(m_mutex);
        m_stopping = true;
    }
    m_wake.notify_all();
    m_thread->wait();
}

Failed JobThread::start()
{
    CHECK(!m_thread);
    m_thread.reset(QThread::create([this] { work(); }));
    m_thread->start();
    std::unique_lock lock(m_mutex);
    m_wake.wait(lock, [this] { return m_opened.has_value(); });
    return *m_opened;
}

void JobThread::add(std::unique_ptr<Job> job)
{
    {
        const std::lock_guard lock(m_mutex);
        if (m_queue.size() < kQueuedMost) {
            m_queue.push_back(std::move(job));
            m_wake.notify_all();
            return;
        }
    }
    Jobs refused;
    refused.push_back(std::move(job));
    handBack(std::move(refused), idempotency::StoreError::Unavailable);
}

void JobThread::work()
{
    const Failed opened = m_work.open();
    {
        const std::lock_guard lock(m_mutex);
        m_opened = opened;
    }
    m_wake.notify_all();
    if (opened)
        return;
    for (Jobs jobs = nextBatch(); !jobs.empty(); jobs = nextBatch()) {
        const auto since = std::chrono::steady_clock::now();
        const Failed failed = m_work.runBatch(jobs);
        handBack(std::move(jobs), failed, std::chrono::steady_clock::now() - since);
    }
    m_work.close();
}

Jobs JobThread::nextBatch()
{
    std::unique_lock lock(m_mutex);
    m_wake.wait(lock, [this] { return m_stopping || !m_queue.empty(); });
    if (m_queue.size() <= kBatchMost)
        return std::exchange(m_queue, {});
    const auto end = m_queue.begin() + static_cast<std::ptrdiff_t>(kBatchMost);
    Jobs batch(std::make_move_iterator(m_queue.begin()), std::make_move_iterator(end));
    m_queue.erase(m_queue.begin(), end);
    return batch;
}

// Jobs hold what belongs to the owner's thread, so they travel back as a whole and end there.
void JobThread::handBack(Jobs jobs, Failed failed, std::optional<std::chrono::nanoseconds> took)
{
    {
        const std::lock_guard lock(m_mutex);
        m_done.push_back({std::move(jobs), failed, took});
    }
    QMetaObject::invokeMethod(
        &m_home, [this] { deliver(); }, Qt::QueuedConnection);
}

void JobThread::deliver()
{
    std::vector<Done> done;
    {
        const std::lock_guard lock(m_mutex);
        done = std::exchange(m_done, {});
    }
    for (const Done& batch : done) {
        if (batch.took && m_work.ran)
            m_work.ran(batch.jobs.size(), *batch.took);
        for (const auto& job : batch.jobs)
            job->finish(batch.failed);
    }
}

} // namespace payonce::batch
