// LineWriter: writes lines to a descriptor from a thread of its own, so that a reader that does not read stops nobody.
#pragma once

#include <QtCore/QByteArray>

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <thread>

namespace payonce::program {

/// Lines leave in their order and whole; of those that find the buffer full none is kept, and how many is told as soon as there
/// is room. write() is for any thread and never waits for the descriptor, which outlives this object and stays as it is: what
/// is shared with other programs is not made non-blocking.
class LineWriter
{
public:
    /// Bytes that wait for their reader.
    static constexpr qsizetype kBufferMost = 1024 * 1024;
    /// The line that tells how many were dropped.
    using DroppedLine = std::function<QByteArray(std::int64_t lines)>;

    LineWriter(int descriptor, DroppedLine droppedLine, qsizetype bufferMost = kBufferMost);
    LineWriter(const LineWriter&) = delete;
    LineWriter& operator=(const LineWriter&) = delete;
    LineWriter(LineWriter&&) = delete;
    LineWriter& operator=(LineWriter&&) = delete;
    /// As flush(), at most kLastWait; the rest is lost.
    ~LineWriter();

    /// With its line end.
    void write(const QByteArray& line);
    /// Waits until all has left, at most `most`. False: not all has.
    bool flush(std::chrono::milliseconds most);

private:
    static constexpr std::chrono::milliseconds kLastWait{1000};

    void run();
    [[nodiscard]] QByteArray takePart();
    [[nodiscard]] bool writePart(const QByteArray& part);

    const int m_descriptor;
    const DroppedLine m_droppedLine;
    const qsizetype m_bufferMost;
    std::mutex m_mutex;
    std::condition_variable m_changed;
    QByteArray m_waiting;
    std::int64_t m_dropped = 0;
    bool m_isWriting = false;
    bool m_isEnding = false;
    std::thread m_thread; // last: it uses the others
};

} // namespace payonce::program
