#include "automation/run_pool.h"

namespace payonce::support {

RunPool::RunPool(int workers)
{
    for (int i = 0; i < workers; ++i) {
        m_workers.emplace_back(QThread::create([this] { work(); }));
        m_workers.back()->start();
    }
}

RunPool::~RunPool()
{
    {
        const std::scoped_lock lock(m_mutex);
        m_ending = true;
    }
    m_changed.notify_all();
    for (const auto& worker : m_workers)
        worker->wait();
}

void RunPool::add(const QString& name, const QString& file, const console::Scenario& scenario)
{
    {
        const std::scoped_lock lock(m_mutex);
        m_jobs.insert(m_jobs.begin(), {name, file, scenario});
    }
    m_changed.notify_all();
}

RunResult RunPool::resultOf(const QString& name)
{
    std::unique_lock lock(m_mutex);
    m_changed.wait(lock, [&] { return m_results.count(name) > 0; });
    return m_results[name];
}

void RunPool::work()
{
    while (auto job = takeJob()) {
        auto result = ScenarioRun(job->file, std::move(job->scenario)).play();
        const std::scoped_lock lock(m_mutex);
        m_results[job->name] = std::move(result);
        m_changed.notify_all();
    }
}

std::optional<RunPool::Job> RunPool::takeJob()
{
    std::unique_lock lock(m_mutex);
    m_changed.wait(lock, [this] { return m_ending || !m_jobs.empty(); });
    if (m_ending)
        return {};
    auto job = std::move(m_jobs.back());
    m_jobs.pop_back();
    return job;
}

} // namespace payonce::support
