// RawAnswer: what one request ended with, before the body is read.
#pragma once

#include "retry/wire_result.h"

#include <QtCore/QByteArray>

namespace payonce::transport {

struct RawAnswer
{
    qint64 bytesTaken = 0; ///< of the request's body; 0 where it had none
    std::optional<int> status;
    retry::TransportError error = retry::TransportError::None;
    retry::EndReason reason = retry::EndReason::Finished;
    QByteArray contentLength; ///< header fields as received; null if absent
    QByteArray contentDigest;
    QByteArray contentEncoding;
    QByteArray retryAfter;
    QByteArray date;
    QByteArray body;
};

/// As long as its Content-Length, which was there.
[[nodiscard]] bool isComplete(const RawAnswer& answer);
/// No transport error, complete, digest there and right, no Content-Encoding: the body is the server's (docs/client.md,
/// invariant 4).
[[nodiscard]] bool isWhole(const RawAnswer& answer);
/// The facts for the machine. `localNow` stands in for a missing `Date`.
[[nodiscard]] retry::WireResult wireResultOf(const RawAnswer& answer, values::WallTime localNow);

} // namespace payonce::transport
