// RunPool: plays several scenarios at a time, each with processes and a directory of its own.
#pragma once

#include "automation/scenario_run.h"

#include <QtCore/QThread>

#include <condition_variable>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

namespace payonce::support {

class RunPool
{
public:
    explicit RunPool(int workers);
    RunPool(const RunPool&) = delete;
    RunPool& operator=(const RunPool&) = delete;
    RunPool(RunPool&&) = delete;
    RunPool& operator=(RunPool&&) = delete;
    /// Waits for what is being played; what has not begun never is.
    ~RunPool();

    /// Played as soon as a worker is free, in this order. `name` is not used twice.
    void add(const QString& name, const QString& file, const console::Scenario& scenario);
    /// Waits until it was played.
    [[nodiscard]] RunResult resultOf(const QString& name);

private:
    struct Job
    {
        QString name;
        QString file;
        console::Scenario scenario;
    };

    void work();
    /// Empty: there will be no more.
    [[nodiscard]] std::optional<Job> takeJob();

    std::mutex m_mutex;
    std::condition_variable m_changed;
    std::vector<Job> m_jobs; ///< the next one last
    std::map<QString, RunResult> m_results;
    bool m_ending = false;
    std::vector<std::unique_ptr<QThread>> m_workers;
};

} // namespace payonce::support
