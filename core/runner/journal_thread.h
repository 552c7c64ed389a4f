// JournalThread: the worker thread on which every journal call runs, in order.
#pragma once

#include "retry/journal.h"

#include <QtCore/QObject>
#include <QtCore/QThread>

#include <functional>
#include <memory>
#include <utility>

namespace payonce::runner {

/// The journal is used and destroyed on the worker only. Answers come back on the thread that made this object, later
/// than the call; none comes after it is gone. Destroying it finishes the calls already asked for and joins the worker.
class JournalThread
{
public:
    /// More waiting calls than this is a fault in the machine, which waits for nearly every answer.
    static constexpr int kMostWaiting = 64;

    explicit JournalThread(std::unique_ptr<retry::Journal> journal);
    JournalThread(const JournalThread&) = delete;
    JournalThread& operator=(const JournalThread&) = delete;
    JournalThread(JournalThread&&) = delete;
    JournalThread& operator=(JournalThread&&) = delete;
    ~JournalThread();

    /// `work` runs on the worker, `done` with its result on the maker's thread.
    template <class Work, class Done> void call(Work work, Done done)
    {
        enqueue([this, work = std::move(work), done = std::move(done)](retry::Journal& journal) {
            answer([done, result = work(journal)] { done(result); });
        });
    }

private:
    void enqueue(std::function<void(retry::Journal&)> job);
    void answer(std::function<void()> deliver);

    std::unique_ptr<retry::Journal> m_journal;
    std::unique_ptr<QObject> m_answers; ///< lives on the maker's thread; undelivered answers die with it
    std::unique_ptr<QObject> m_worker;  ///< lives on m_thread
    QThread m_thread;
    int m_waiting = 0;
};

} // namespace payonce::runner
