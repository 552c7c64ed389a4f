// Many connections at once from one thread, so that a figure is the server's and not the client's.
#pragma once

#include "bench/figures.h"

#include <QtCore/QByteArray>

#include <functional>
#include <memory>

namespace payonce::bench {

struct Load
{
    quint16 port = 0;
    int connections = 50;
    int requests = 0;                       ///< in all
    int expectedStatus = 200;               ///< every other one counts as refused
    std::function<QByteArray(int)> request; ///< the bytes of request n, from 0; keep-alive
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
