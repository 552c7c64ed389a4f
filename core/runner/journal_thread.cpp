#include "runner/journal_thread.h"

#include "values/check.h"

namespace payonce::runner {

JournalThread::JournalThread(std::unique_ptr<retry::Journal> journal)
    : m_journal(std::move(journal)), m_answers(std::make_unique<QObject>()), m_worker(std::make_unique<QObject>())
{
    CHECK(m_journal != nullptr);
    m_thread.setObjectName(QStringLiteral("journal"));
    m_worker->moveToThread(&m_thread);
    m_thread.start();
}

JournalThread::~JournalThread()
{
    // Behind everything asked for: SQLite connections must be closed on the thread that opened them. The thread is told to
    // end only afterwards, and from here: one that ends by what it was sent may be gone before the sending is over.
    QMetaObject::invokeMethod(
        m_worker.get(), [this] { m_journal.reset(); }, Qt::BlockingQueuedConnection);
    m_thread.quit();
    m_thread.wait();
}

void JournalThread::enqueue(std::function<void(retry::Journal&)> job)
{
    CHECK(m_waiting < kMostWaiting);
    ++m_waiting;
    QMetaObject::invokeMethod(
        m_worker.get(), [this, job = std::move(job)] { job(*m_journal); }, Qt::QueuedConnection);
}

void JournalThread::answer(std::function<void()> deliver)
{
    QMetaObject::invokeMethod(
        m_answers.get(),
        [this, deliver = std::move(deliver)] {
            --m_waiting;
            deliver();
        },
        Qt::QueuedConnection);
}

} // namespace payonce::runner
