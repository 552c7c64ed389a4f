// The bytes of an answer (RFC 9112), with the header lines every answer carries.
#pragma once

#include "http/exchange.h"
#include "values/time.h"

namespace payonce::http {

/// What happens to the connection after the answer.
enum class Afterwards { KeepOpen, Close };

/// Status line, Date, Content-Type, Content-Length and Content-Digest (of the body that GET would get), then the response's own
/// lines. Chunked: Transfer-Encoding instead of length and digest.
[[nodiscard]] QByteArray encodeHead(const Response& response, values::WallTime date, Afterwards afterwards,
                                    ByteFault::Framing framing = ByteFault::Framing::Length);

/// `bytes` as one chunk (RFC 9112, 7.1); nothing if there are none, for an empty chunk is the last one.
[[nodiscard]] QByteArray chunkOf(const QByteArray& bytes);

/// 204 and 304 have no body, whatever `response.body` holds.
[[nodiscard]] bool mayHaveBody(const Response& response);

} // namespace payonce::http
