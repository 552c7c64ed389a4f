// Reads one request out of the bytes of a connection. The grammar is Boost.Beast's, made stricter (RFC 9112).
#pragma once

#include "http/limits.h"
#include "http/message.h"
#include "idempotency/problem.h"

namespace payonce::http {

/// Why a request is answered by the listener itself, and the connection then closed.
struct Refusal
{
    idempotency::ProblemCode code = idempotency::ProblemCode::BodyInvalid;
    QByteArray detail; ///< a sentence for the developer of the client
};

/// One reader a request. What is refused: everything RFC 9112 calls invalid, line folding, lengths that are doubled, signed or
/// beside a transfer coding (all 400 body-invalid); a transfer coding (501); POST, PUT or PATCH without a length (411); sizes
/// beyond the limits (431, 413).
class RequestReader
{
public:
    enum class State { Head, Body, Complete, Refused };

    explicit RequestReader(const Limits& limits) : m_limits(limits) {}

    /// Looks at `bytes` (all that came since the request before) and removes from its front what belongs to this request.
    State take(QByteArray& bytes);

    [[nodiscard]] State state() const { return m_state; }
    /// With Complete: the whole request. With Refused: what is known of its head, which may be nothing.
    [[nodiscard]] Request& request() { return m_request; }
    [[nodiscard]] const Refusal& refusal() const { return m_refusal; }
    /// The client waits for `100 Continue` before it sends the body.
    [[nodiscard]] bool expectsContinue() const { return m_expectsContinue; }
    [[nodiscard]] bool isHeadMethod() const { return m_isHeadMethod; }

private:
    void takeHead(QByteArray& bytes);
    void takeBody(QByteArray& bytes);
    /// Empty if the bytes up to the end of the head, or up to `bytes.size()`, can be part of a head.
    QByteArray scanHead(QByteArrayView bytes);
    void parseHead(QByteArrayView head);
    void readFraming();
    void readTarget(QByteArray target);
    void refuse(idempotency::ProblemCode code, QByteArray detail);

    const Limits& m_limits;
    State m_state = State::Head;
    Request m_request;
    Refusal m_refusal;
    qsizetype m_scanned = 0;  // bytes of the head already looked at
    qsizetype m_headSize = 0; // with the empty line; 0 while its end has not come
    qsizetype m_bodySize = 0;
    bool m_isVersion11 = true;
    bool m_isHeadMethod = false;
    bool m_expectsContinue = false;
};

} // namespace payonce::http
