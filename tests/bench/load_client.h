// Many connections at once from one thread, so that a figure is the server's and not the client's.
#pragma once

#include "bench/figures.h"

#include <QtCore/QByteArray>

#include <vector>

namespace payonce::bench {

/// How the client waits. Asleep leaves its core to the server's threads; awake leaves out what waking a client costs the
/// server, which is as much as a quick answer itself.
enum class Waiting { Asleep, Awake };

struct Load
{
    quint16 port = 0;
    int connections = 50;
    std::vector<QByteArray> requests; ///< their bytes, keep-alive
    int expectedStatus = 200;         ///< every other one counts as refused
    Waiting waiting = Waiting::Asleep;
};

struct LoadResult
{
    Samples times; ///< from the first byte out to the last byte in
    Microseconds whole{0};
    int refused = 0;

    [[nodiscard]] double perSecond() const;
};

/// One request in flight a connection, the next as soon as the answer is whole. Sockets are plain and non-blocking (poll).
[[nodiscard]] LoadResult runLoad(const Load& load);

} // namespace payonce::bench
