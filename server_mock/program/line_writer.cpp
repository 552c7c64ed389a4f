#include "program/line_writer.h"

#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <utility>

namespace payonce::program {

namespace {

/// A descriptor that says it can be written takes this much without blocking (pipe(7)).
constexpr qsizetype kPart = PIPE_BUF;
/// How often an end is looked for while nobody reads.
constexpr int kLookMs = 50;

} // namespace

LineWriter::LineWriter(int descriptor, DroppedLine droppedLine, qsizetype bufferMost)
    : m_descriptor(descriptor), m_droppedLine(std::move(droppedLine)), m_bufferMost(bufferMost), m_thread([this] { run(); })
{
}

LineWriter::~LineWriter()
{
    flush(kLastWait);
    {
        const std::lock_guard lock(m_mutex);
        m_isEnding = true;
    }
    m_changed.notify_all();
    m_thread.join();
}

void LineWriter::write(const QByteArray& line)
{
    {
        const std::lock_guard lock(m_mutex);
        if (m_waiting.size() + line.size() > m_bufferMost) {
            ++m_dropped;
            return;
        }
        if (const auto dropped = std::exchange(m_dropped, 0); dropped > 0)
            m_waiting += m_droppedLine(dropped);
        m_waiting += line;
    }
    m_changed.notify_all();
}

bool LineWriter::flush(std::chrono::milliseconds most)
{
    std::unique_lock lock(m_mutex);
    if (const auto dropped = std::exchange(m_dropped, 0); dropped > 0)
        m_waiting += m_droppedLine(dropped);
    m_changed.notify_all();
    return m_changed.wait_for(lock, most, [this] { return m_waiting.isEmpty() && !m_isWriting; });
}

void LineWriter::run()
{
    std::unique_lock lock(m_mutex);
    while (true) {
        m_changed.wait(lock, [this] { return m_isEnding || !m_waiting.isEmpty(); });
        if (m_isEnding)
            return;
        const QByteArray part = takePart();
        m_isWriting = true;
        lock.unlock();
        const bool isWritten = writePart(part);
        lock.lock();
        m_isWriting = false;
        if (!isWritten)
            return;
        m_changed.notify_all();
    }
}

// Under the lock.
QByteArray LineWriter::takePart()
{
    const qsizetype size = std::min(kPart, m_waiting.size());
    QByteArray part = m_waiting.first(size);
    m_waiting.remove(0, size);
    return part;
}

/// False: it is to end before anybody read. What cannot be written at all, as into a pipe without a reader, is thrown away.
bool LineWriter::writePart(const QByteArray& part)
{
    qsizetype done = 0;
    while (done < part.size()) {
        pollfd look{m_descriptor, POLLOUT, 0};
        const int ready = ::poll(&look, 1, kLookMs);
        if (ready == 0 || (ready < 0 && errno == EINTR)) {
            const std::lock_guard lock(m_mutex);
            if (m_isEnding)
                return false;
            continue;
        }
        const ssize_t written = ::write(m_descriptor, part.constData() + done, static_cast<std::size_t>(part.size() - done));
        if (written < 0 && errno != EINTR && errno != EAGAIN)
            return true;
        done += std::max<ssize_t>(written, 0);
    }
    return true;
}

} // namespace payonce::program
