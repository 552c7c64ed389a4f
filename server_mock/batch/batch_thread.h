// One thread that owns one store. Jobs that wait together run in one batch and share one durable commit.
#pragma once

#include "batch/job_thread.h"

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <utility>

namespace payonce::batch {

/// What a job came to; an error also where the job itself went well but the batch could not be committed.
template <class T> using Outcome = values::Result<T, idempotency::StoreError>;

/// `Store` has beginBatch() and commitBatch() as in idempotency::LedgerStore, and whyUnsaved(), and is opened, used and closed
/// on the worker thread only.
template <class Store> class BatchThread
{
public:
    using Open = std::function<Outcome<std::unique_ptr<Store>>()>;

    /// What was run: how many jobs shared one commit, and how long that took. On the thread that made this object.
    using Ran = std::function<void(std::size_t jobs, std::chrono::nanoseconds took)>;

    explicit BatchThread(Open open, Ran ran = {})
        : m_thread({[this, open = std::move(open)] { return openStore(open); },
                    [this](const Jobs& jobs) { return runBatch(jobs); }, [this] { m_store.reset(); }, std::move(ran)})
    {
    }

    /// Opens the store on the worker thread and waits for that. Call once, before anything else.
    [[nodiscard]] Failed start() { return m_thread.start(); }

    /// `work` runs on the worker thread; `done` on the thread that made this object, exactly once, after the commit
    /// (never, if this object ends first). `T` is what `work` gives.
    template <class T> void submit(std::function<Outcome<T>(Store&)> work, std::function<void(Outcome<T>)> done)
    {
        m_thread.add(std::make_unique<StoreJob<T>>(m_store, std::move(work), std::move(done)));
    }

    /// Why the newest batch with something to save could not be saved; empty: it was, or there was none so far. Any thread.
    [[nodiscard]] Failed whyUnsaved() const { return m_whyUnsaved; }

private:
    template <class T> class StoreJob final : public Job
    {
    public:
        StoreJob(std::unique_ptr<Store>& store, std::function<Outcome<T>(Store&)> work, std::function<void(Outcome<T>)> done)
            : m_store(store), m_work(std::move(work)), m_done(std::move(done))
        {
        }

        void run() override { m_outcome.emplace(m_work(*m_store)); }

        void finish(Failed failed) override
        {
            if (failed)
                m_done(values::Failure(*failed));
            else
                m_done(std::move(*m_outcome));
        }

    private:
        std::unique_ptr<Store>& m_store;
        std::function<Outcome<T>(Store&)> m_work;
        std::function<void(Outcome<T>)> m_done;
        std::optional<Outcome<T>> m_outcome;
    };

    [[nodiscard]] Failed openStore(const Open& open)
    {
        auto store = open();
        if (!store)
            return store.error();
        m_store = std::move(*store);
        return {};
    }

    [[nodiscard]] Failed runBatch(const Jobs& jobs)
    {
        const Failed failed = runInBatch(jobs);
        m_whyUnsaved = m_store->whyUnsaved();
        return failed;
    }

    [[nodiscard]] Failed runInBatch(const Jobs& jobs)
    {
        if (const auto begun = m_store->beginBatch(); !begun)
            return begun.error();
        for (const auto& job : jobs)
            job->run();
        const auto committed = m_store->commitBatch();
        return committed ? Failed() : Failed(committed.error());
    }

    std::unique_ptr<Store> m_store; // made, used and ended on the worker thread; outlives m_thread
    std::atomic<Failed> m_whyUnsaved{};
    JobThread m_thread;
};

} // namespace payonce::batch
